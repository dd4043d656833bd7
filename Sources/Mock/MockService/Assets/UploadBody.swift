import CloudModel
import CloudWire
import HTTPServer

/// The body of an upload: the file itself, or a form whose first part is the file.
package struct UploadBody {
    private var form: MultipartReader?
    /// Bytes of the file so far.
    private var count = 0

    /// What a form may have around its file.
    private static let formBytesMax = 64 << 10
    private let fileBytesMax: Int
    /// How long a body may be.
    var bytesMax: Int { Self.bytesMax(ofFile: fileBytesMax) }

    /// How long a body with such a file may be.
    package static func bytesMax(ofFile bytes: Int) -> Int { bytes + formBytesMax }

    var tooLarge: CloudError {
        let megabytes = fileBytesMax % (1 << 20) == 0 ? " (\(fileBytesMax >> 20) MB)" : ""
        return CloudError(
            .badRequest, reason: "the file is larger than \(fileBytesMax) bytes\(megabytes)",
            httpStatus: 413)
    }

    /// - Parameters:
    ///   - contentType: Whatever it is, if not a form's, the body is the file.
    ///   - fileBytesMax: How long the file may be.
    init(_ contentType: String?, fileBytesMax: Int) throws(CloudError) {
        self.fileBytesMax = fileBytesMax
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
        guard count <= fileBytesMax else { throw tooLarge }
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
        CloudError(.badRequest, reason: "cannot parse the form: \(problem.rawValue)")
    }
}
