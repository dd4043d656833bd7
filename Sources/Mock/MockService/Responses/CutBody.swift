import HTTPServer
import MockFaults

/// The beginning of an answer's body: what comes after it is missing, and the answer's stream or
/// connection is cut there.
final class CutBody: HTTPBodySource {
    /// Where it is cut.
    struct Cut: Error {}

    /// Of the whole body, as the response's head says.
    let length: Int?
    private var left: Int
    private var bytes: ArraySlice<UInt8>
    private let source: (any HTTPBodySource)?

    init(_ response: HTTPResponse, after bytesMax: Int) {
        length = response.source.map(\.length) ?? response.body.count
        left = bytesMax
        bytes = response.body.prefix(bytesMax)
        source = response.source
    }

    func next() throws -> HTTPBodyPiece {
        guard left > 0 else { throw Cut() }
        let piece: ArraySlice<UInt8>
        if let source {
            guard case .bytes(let next) = try source.next() else { throw Cut() }
            piece = next.prefix(left)
        } else {
            piece = bytes
        }
        bytes = []
        left -= piece.count
        return .bytes(Array(piece))
    }
}

extension FaultPlan.Decision {
    /// Makes of the service's answer what goes out.
    func alter(_ answer: inout HTTPResponse?) {
        guard var response = answer else { return }
        defer { answer = response }
        if let substitute {
            var headers: HTTPHeaders = ["content-type": substitute.contentType]
            for field in response.headers.pairs where field.name != "content-type" {
                headers.append(field.name, field.value)
            }
            response = HTTPResponse(
                status: substitute.status, headers: headers, body: substitute.body)
        }
        guard let bytesMax = rule?.whole(.bytes) else { return }
        // What is not longer comes whole.
        let length = response.source.map(\.length) ?? response.body.count
        guard length ?? .max > bytesMax else { return }
        response.source = CutBody(response, after: bytesMax)
        response.body = []
    }
}
