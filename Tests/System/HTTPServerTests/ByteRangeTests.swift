import HTTPServer
import Testing

/// Ranges of contents, as a value and in an answer.
@Suite(.timeLimit(.minutes(10)))
struct ByteRangeTests {
    @Test(
        arguments: [
            ("bytes=0-0", .part(0..<1)), ("bytes=0-9", .part(0..<10)), ("bytes=2-5", .part(2..<6)),
            ("bytes=9-", .part(9..<10)), ("bytes=0-", .part(0..<10)), ("BYTES=3-4", .part(3..<5)),
            ("bytes=5-10", .part(5..<10)), ("bytes=5-99999999999999999999", .part(5..<10)),
            ("bytes=-1", .part(9..<10)), ("bytes=-10", .part(0..<10)), ("bytes=-11", .part(0..<10)),
            ("bytes=-99999999999999999999", .part(0..<10)),
            ("bytes=10-", .unsatisfiable), ("bytes=10-12", .unsatisfiable),
            ("bytes=-0", .unsatisfiable), ("bytes=99999999999999999999-", .unsatisfiable),
            ("bytes=9223372036854775807-9223372036854775807", .unsatisfiable),
            // None of these has to be understood.
            ("bytes=", .whole), ("bytes=-", .whole), ("bytes=5-4", .whole), ("bytes=a-4", .whole),
            ("bytes=0-b", .whole), ("bytes=0-1,3-4", .whole), ("bytes=0-1,", .whole),
            ("bytes=+1-2", .whole), ("bytes=1--2", .whole), ("bytes= 1-2", .whole),
            ("bytes=1-2=3", .whole), ("bytes=\u{661}-2", .whole), ("bytes", .whole), ("", .whole),
            ("items=0-4", .whole), ("bytes 0-4", .whole),
        ] as [(String, ByteRange)])
    func `one range of bytes is understood, what is malformed is ignored`(
        field: String, expected: ByteRange
    ) {
        #expect(ByteRange(field, of: 10) == expected)
    }

    @Test func `of nothing no range can be had`() {
        #expect(ByteRange(nil, of: 0) == .whole)
        for field in ["bytes=0-", "bytes=0-0", "bytes=-1"] {
            #expect(ByteRange(field, of: 0) == .unsatisfiable)
        }
    }

    /// Letters, from A on and over again.
    private final class Letters: HTTPBodySource {
        private var left: Range<Int>
        init(_ range: Range<Int>) { left = range }
        var length: Int? { left.count }
        func next() -> HTTPBodyPiece {
            let piece = left.prefix(3)
            left = piece.upperBound..<left.upperBound
            return piece.isEmpty ? .end : .bytes(piece.map { 65 + UInt8($0 % 26) })
        }
    }

    @Test(
        arguments: [
            (nil, "200 OK", nil, "ABCDEFGHIJ"),
            ("bytes=2-6", "206 Partial Content", "2-6/10", "CDEFG"),
            ("bytes=-2", "206 Partial Content", "8-9/10", "IJ"),
            ("bytes=10-", "416 Range Not Satisfiable", "*/10", ""),
            ("x", "200 OK", nil, "ABCDEFGHIJ"),
        ] as [(String?, String, String?, String)])
    func `an answer has the range that was asked for`(
        field: String?, status: String, contentRange: String?, body: String
    ) throws {
        let server = try TestServer { request, _, _ in
            .respond(HTTPResponse(range: request["range"], of: 10) { Letters($0) })
        }
        let client = try TestClient(server.port)
        let range = field.map { "Range: \($0)\r\n" } ?? ""
        client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(range)\r\n")
        let answer = client.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 \(status)\r\n"))
        #expect(answer.contains("\r\naccept-ranges: bytes\r\n"))
        #expect(answer.contains("content-length: \(body.count)\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n" + body))
        #expect(answer.contains("content-range: ") == (contentRange != nil))
        if let contentRange {
            #expect(answer.contains("\r\ncontent-range: bytes \(contentRange)\r\n"))
        }
        server.end()
    }
}
