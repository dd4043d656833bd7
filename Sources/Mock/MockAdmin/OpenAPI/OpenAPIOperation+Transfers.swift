import CloudWire
import HTTPServer
import MockService

extension OpenAPIOperation {
    /// The requests that move the bytes of assets.
    static let transfers: [OpenAPIOperation] = WireTransfer.allCases.flatMap { transfer in
        transfer.methods.map { OpenAPIOperation(transfer, $0) }
    }

    private init(_ transfer: WireTransfer, _ method: String) {
        let answers: [Answer]
        var body: Body?
        switch transfer {
        case .upload:
            body = Body(
                contents: [.bytes("application/octet-stream"), .file(part: "file")],
                isRequired: false, bytesMax: UploadBody.bytesMax(ofFile: WireLimits.assetBytesMax),
                about: "the file itself, whatever its media type, or a form whose first part it is")
            answers = [
                Answer(
                    status: 200, about: "the value for the field",
                    contents: [.json("UploadedAsset")])
            ]
        case .download:
            let file: [Content] = method == "HEAD" ? [] : [.bytes("application/octet-stream")]
            answers = [
                Answer(status: 200, about: "the file", contents: file),
                Answer(status: 206, about: "the requested range", contents: file),
                Answer(status: 416, about: "the file has no bytes in the requested range"),
            ]
        }
        self.init(
            tag: Tag(name: "transfers", about: "the bytes of assets"), method: method,
            path: transfer.pathPrefix + "{token}", id: transfer.verb + "With\(method)",
            about: transfer.about, pathParameters: [.text("token").required], body: body,
            answers: answers, refusals: OpenAPIRefusal.service([410]))
    }
}

extension WireTransfer {
    fileprivate var verb: String {
        switch self {
        case .upload: "uploadAsset"
        case .download: "downloadAsset"
        }
    }

    fileprivate var about: String {
        switch self {
        case .upload: "sends an asset to an address of assets/upload"
        case .download: "fetches an asset from the downloadURL of its field"
        }
    }
}
