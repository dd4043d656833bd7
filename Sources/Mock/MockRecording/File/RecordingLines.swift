import Basics
import JSON

/// How exchanges are spelled: a line with request and answer, then the pieces of those bodies that are not
/// in it, one a line.
enum RecordingLines {
    /// A body as an exchange's line tells of it.
    enum Body {
        case text([UInt8])
        /// In so many pieces, so many bytes together.
        case pieces(Int, bytes: Int)
    }

    /// An exchange's line.
    struct Line {
        let number: Int
        /// Without its body.
        let request: RecordedRequest
        /// Without its body.
        let answer: RecordedAnswer
        let requestBody: Body
        let answerBody: Body
    }

    /// The lines of an exchange.
    static func encode(_ exchange: RecordedExchange) -> [UInt8] {
        var writer = JSONWriter()
        let (request, answer) = (exchange.request, exchange.answer)
        writer.object { writer in
            writer.member("exchange", exchange.number)
            writer.object("request") { writer in
                writer.member("method", request.method)
                writer.member("target", request.target)
                writer.member("caller", request.caller)
                writer.member("range", request.range)
                if !request.ownTexts.isEmpty { writer.member("own", request.ownTexts) }
                body(request.body, &writer)
            }
            writer.object("answer") { writer in
                writer.member("status", answer.status)
                writer.array("headers", answer.headers) { writer, header in
                    writer.beginArray()
                    writer.string(header.name)
                    writer.string(header.value)
                    writer.endArray()
                }
                body(answer.body, &writer)
            }
        }
        writer.endLine()
        pieces(of: request.body, &writer)
        pieces(of: answer.body, &writer)
        return writer.bytes
    }

    private static func isText(_ body: [UInt8]) -> Bool {
        guard body.count <= RecordingLimits.textBytesMax else { return false }
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: body.span)
            return true
        } catch {
            return false
        }
    }

    private static func body(_ body: [UInt8], _ writer: inout JSONWriter) {
        if isText(body) {
            writer.member("text", String(decoding: body, as: UTF8.self))
        } else {
            writer.member("bytes", body.count)
            writer.member("pieces", starts(of: body).underestimatedCount)
        }
    }

    private static func starts(of body: [UInt8]) -> StrideTo<Int> {
        stride(from: 0, to: body.count, by: RecordingLimits.pieceBytesMax)
    }

    private static func pieces(of body: [UInt8], _ writer: inout JSONWriter) {
        guard !isText(body) else { return }
        for start in starts(of: body) {
            let end = min(body.count, start + RecordingLimits.pieceBytesMax)
            writer.object { $0.member("base64", Base64.encode(body[start..<end])) }
            writer.endLine()
        }
    }

    /// Reads an exchange's line; nil where it is the last line of a recording that was ended.
    static func decode(_ root: JSONValue) throws(LineError) -> Line? {
        if root["end"]?.int64 != nil { return nil }
        guard let number = root["exchange"]?.int64, number > 0, let request = root["request"],
            let answer = root["answer"]
        else { throw LineError("\"exchange\", \"request\" or \"answer\" is missing") }
        guard let method = request["method"]?.string, let target = request["target"]?.string,
            let caller = request["caller"]?.string, target.hasPrefix("/")
        else {
            throw LineError("the request needs a \"method\", a \"target\" and a \"caller\"")
        }
        guard let status = answer["status"]?.int64, (200...599).contains(status) else {
            throw LineError("the response's \"status\" must be 200 to 599")
        }
        var headers: [RecordedAnswer.Header] = []
        for pair in answer["headers"].map({ Array($0.elements) }) ?? [] {
            let texts = pair.elements.compactMap(\.string)
            guard texts.count == 2 else { throw LineError("a header must be a name and a value") }
            headers.append(.init(texts[0], texts[1]))
        }
        return Line(
            number: Int(number),
            request: RecordedRequest(
                method: method, target: target, caller: caller, range: request["range"]?.string,
                ownTexts: request["own"]?.elements.compactMap(\.string) ?? []),
            answer: RecordedAnswer(status: Int(status), headers: headers),
            requestBody: try body(in: request), answerBody: try body(in: answer))
    }

    private static func body(in object: JSONValue) throws(LineError) -> Body {
        if let text = object["text"]?.string { return .text(Array(text.utf8)) }
        guard let pieces = object["pieces"]?.int64, let bytes = object["bytes"]?.int64, bytes > 0,
            bytes <= RecordingLimits.answerBytesMax,
            Int(pieces)
                == (Int(bytes) + RecordingLimits.pieceBytesMax - 1) / RecordingLimits.pieceBytesMax
        else { throw LineError("a body needs its \"text\", or \"bytes\" and \"pieces\"") }
        return .pieces(Int(pieces), bytes: Int(bytes))
    }

    /// Reads a piece's line.
    static func piece(_ root: JSONValue) throws(LineError) -> [UInt8] {
        guard let piece = root["base64"]?.string.flatMap(Base64.decode) else {
            throw LineError("a part of a body is expected here, as \"base64\"")
        }
        return piece
    }
}

/// What is wrong with a line.
struct LineError: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}
