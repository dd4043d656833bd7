import CloudModel
import CloudWire
import HTTPServer

/// The body of an upload: the file itself, or a form whose first part is the file.
struct UploadBody {
    private var form: MultipartReader?
    /// Bytes of the file so far.
    private var count = 0

    /// What a form may have around its file.
    private static let formBytesMax = 64 << 10
    /// How long a body may be.
    static let bytesMax = WireLimits.assetBytesMax + formBytesMax

    static let tooLarge = CloudError(
        .badRequest,
        reason: "the file is larger than \(WireLimits.assetBytesMax) bytes (50 MB)",
        httpStatus: 413)

    /// - Parameter contentType: Whatever it is, if not a form's, the body is the file.
    init(_ contentType: String?) throws(CloudError) {
        do throws(MultipartReader.Problem) {
            form = try contentType.flatMap { (type) throws(MultipartReader.Problem) in
                try MultipartReader(contentType: type)
            }
        } catch {
            throw Self.malformed(error)
        }
    }

    /// The file's bytes in the next piece.
    mutating func content(of piece: Span<UInt8>) throws(CloudError) -> [UInt8] {
        var content: [UInt8] = []
        do throws(MultipartReader.Problem) {
            if form != nil {
                content = try form?.content(of: piece) ?? []
            } else {
                content.append(piece)
            }
        } catch {
            throw Self.malformed(error)
        }
        count += content.count
        guard count <= WireLimits.assetBytesMax else { throw Self.tooLarge }
        return content
    }

    /// Ends the body.
    func finish() throws(CloudError) {
        do throws(MultipartReader.Problem) {
            try form?.finish()
        } catch {
            throw Self.malformed(error)
        }
    }

    private static func malformed(_ problem: MultipartReader.Problem) -> CloudError {
        CloudError(.badRequest, reason: "the form cannot be read: \(problem.rawValue)")
    }
}
