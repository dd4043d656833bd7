import HTTPServer
import Testing

struct HTTP1ParserTests {
    /// What came out of a parser, as text: `POST /x [2] body` for each request, then the failure.
    private func outcome(_ pieces: [[UInt8]], limits: HTTPLimits = HTTPLimits()) -> [String] {
        var parser = HTTP1Parser(limits: limits)
        var lines: [String] = []
        var line = ""
        for piece in pieces where parser.phase != .failed {
            for event in parser.feed(piece) {
                switch event {
                case .needsMore, .continueExpected: break
                case .failure(let error): lines.append("\(error.status) \(error.reason)")
                case .head(let request, _):
                    line =
                        "\(request.method) \(request.target) [\(request.headers.pairs.count)] "
                case .body(let range): line += String(decoding: piece[range], as: UTF8.self)
                case .end(let keepAlive): lines.append(line + (keepAlive ? "" : " close"))
                }
            }
        }
        return lines
    }

    private func outcome(_ text: String, limits: HTTPLimits = HTTPLimits()) -> [String] {
        outcome([Array(text.utf8)], limits: limits)
    }

    static let good: [(String, [String])] = [
        ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", ["GET / [1] "]),
        ("GET /?q=%20 HTTP/1.1\r\nhOsT:a\r\nX-Y:\t b \t\r\nZ:\r\n\r\n", ["GET /?q=%20 [3] "]),
        ("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", ["GET / [1] "]),
        ("GET / HTTP/1.0\r\n\r\n", ["GET / [0]  close"]),
        ("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", ["GET / [1] "]),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: x , Close\r\n\r\n", ["GET / [2]  close"]),
        ("BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n", ["BREW /pot [1] "]),
        ("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", ["OPTIONS * [1] "]),
        ("GET http://a/b?c HTTP/1.1\r\nHost: A\r\n\r\n", ["GET /b?c [1] "]),
        ("GET HTTPS://a:8443 HTTP/1.1\r\nHost: a:8443\r\n\r\n", ["GET / [1] "]),
        ("GET http://a?x HTTP/1.1\r\nHost: a\r\n\r\n", ["GET /?x [1] "]),
        (
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabcGET /2 HTTP/1.1\r\nHost: a\r\n\r\n",
            ["POST / [2] abc", "GET /2 [1] "]
        ),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0003\r\n\r\nabc", ["POST / [2] abc"]),
        (
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"
                + "3;x=\"y\"\r\nabc\r\n0A\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n"
                + "GET /2 HTTP/1.1\r\nHost: a\r\n\r\n",
            ["POST / [2] abc0123456789", "GET /2 [1] "]
        ),
        (
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            ["POST / [2] "]
        ),
        (
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\nx",
            ["POST / [3] x"]
        ),
    ]

    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n"
    private static let post = "POST / HTTP/1.1\r\nHost: a\r\n"
    private static let chunked = post + "Transfer-Encoding: chunked\r\n\r\n"

    static let bad: [(String, String)] = [
        // Line ends
        ("GET / HTTP/1.1\nHost: a\n\n", "400 bareLineFeed"),
        ("GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n", "400 bareLineFeed"),
        ("GET / HTTP/1.1\r\nHost: a\rX: y\r\n\r\n", "400 bareCarriageReturn"),
        ("GET / HTTP/1.1\r\r\nHost: a\r\n\r\n", "400 bareCarriageReturn"),
        ("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "400 emptyLines"),
        // Request line
        ("GET /\r\n\r\n", "400 requestLine"),
        ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", "400 requestLine"),
        ("GET / x HTTP/1.1\r\nHost: a\r\n\r\n", "400 requestLine"),
        ("GET / HTTP/1.1 \r\nHost: a\r\n\r\n", "400 requestLine"),
        (" GET / HTTP/1.1\r\nHost: a\r\n\r\n", "400 requestLine"),
        ("GET\t/\tHTTP/1.1\r\nHost: a\r\n\r\n", "400 requestLine"),
        ("G\u{0}T / HTTP/1.1\r\nHost: a\r\n\r\n", "400 method"),
        ("G(T / HTTP/1.1\r\nHost: a\r\n\r\n", "400 method"),
        ("GET /\u{0} HTTP/1.1\r\nHost: a\r\n\r\n", "400 target"),
        ("GET /\u{7F} HTTP/1.1\r\nHost: a\r\n\r\n", "400 target"),
        ("GET /ü HTTP/1.1\r\nHost: a\r\n\r\n", "400 target"),
        ("GET /#a HTTP/1.1\r\nHost: a\r\n\r\n", "400 target"),
        ("GET x HTTP/1.1\r\nHost: a\r\n\r\n", "400 target"),
        ("GET * HTTP/1.1\r\nHost: a\r\n\r\n", "400 target"),
        ("GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n", "400 target"),
        ("GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n", "400 target"),
        ("GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n", "400 target"),
        ("GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n", "400 hostMismatch"),
        ("CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", "400 target"),
        ("GET / http/1.1\r\nHost: a\r\n\r\n", "400 version"),
        ("GET / HTTP/1\r\nHost: a\r\n\r\n", "400 version"),
        ("GET / HTTP/01.1\r\nHost: a\r\n\r\n", "400 version"),
        ("GET / HTTP/1.2\r\nHost: a\r\n\r\n", "505 versionUnsupported"),
        ("GET / HTTP/0.9\r\nHost: a\r\n\r\n", "505 versionUnsupported"),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505 versionUnsupported"),
        // Fields
        (get + "X : y\r\n\r\n", "400 fieldName"),
        (get + ": y\r\n\r\n", "400 fieldName"),
        (get + "X\r\n\r\n", "400 fieldName"),
        (get + "X\u{0}: y\r\n\r\n", "400 fieldName"),
        (get + "Xü: y\r\n\r\n", "400 fieldName"),
        (get + " folded\r\n\r\n", "400 foldedField"),
        (get + "\tfolded\r\n\r\n", "400 foldedField"),
        (get + "X: y\u{0}z\r\n\r\n", "400 fieldValue"),
        (get + "X: y\u{7F}z\r\n\r\n", "400 fieldValue"),
        (get + "Host: a\r\n\r\n", "400 repeatedHost"),
        ("GET / HTTP/1.1\r\nX: y\r\n\r\n", "400 missingHost"),
        (get + "Expect: 200-ok\r\n\r\n", "417 expectation"),
        // Where a body ends: the ways of request smuggling
        (post + "Content-Length: 3\r\nContent-Length: 3\r\n\r\n", "400 repeatedContentLength"),
        (post + "Content-Length: 3\r\ncontent-length: 4\r\n\r\n", "400 repeatedContentLength"),
        (post + "Content-Length: 3, 3\r\n\r\n", "400 contentLength"),
        (post + "Content-Length: +3\r\n\r\n", "400 contentLength"),
        (post + "Content-Length: -3\r\n\r\n", "400 contentLength"),
        (post + "Content-Length: 0x3\r\n\r\n", "400 contentLength"),
        (post + "Content-Length: 3 3\r\n\r\n", "400 contentLength"),
        (post + "Content-Length:\r\n\r\n", "400 contentLength"),
        (post + "Content-Length: 9999999999999999999\r\n\r\n", "400 contentLength"),
        (
            post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
            "400 lengthAndChunked"
        ),
        (
            post + "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n",
            "400 lengthAndChunked"
        ),
        (post + "Transfer-Encoding: gzip\r\n\r\n", "501 codingUnsupported"),
        (post + "Transfer-Encoding: gzip, chunked\r\n\r\n", "501 codingUnsupported"),
        (post + "Transfer-Encoding: xchunked\r\n\r\n", "501 codingUnsupported"),
        (post + "Transfer-Encoding: \"chunked\"\r\n\r\n", "501 codingUnsupported"),
        (post + "Transfer-Encoding: \u{B}chunked\r\n\r\n", "400 fieldValue"),
        (post + "Transfer-Encoding:\r\n\r\n", "501 codingUnsupported"),
        (post + "Transfer-Encoding: chunked, chunked\r\n\r\n", "400 codingRepeated"),
        (
            post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n",
            "501 codingUnsupported"
        ),
        (post + "Transfer-Encoding : chunked\r\n\r\n", "400 fieldName"),
        ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", "400 codingInHTTP10"),
        // Chunks
        (chunked + "\r\n", "400 chunkSize"),
        (chunked + " 3\r\nabc\r\n", "400 chunkSize"),
        (chunked + "3 \r\nabc\r\n", "400 chunkSize"),
        (chunked + "0x3\r\nabc\r\n", "400 chunkSize"),
        (chunked + "-3\r\n", "400 chunkSize"),
        (chunked + "3\nabc\r\n", "400 chunkSize"),
        (chunked + "3\rabc\r\n", "400 chunkSize"),
        (chunked + "000000003\r\nabc\r\n", "400 chunkSize"),
        (chunked + "FFFFFFFFF\r\n", "400 chunkSize"),
        (chunked + "FFFFFFFF\r\n", "413 bodyTooLarge"),
        (chunked + "3;a\nabc\r\n", "400 chunkExtension"),
        (chunked + "3\r\nabcd\r\n", "400 chunkEnd"),
        (chunked + "3\r\nabc\n", "400 chunkEnd"),
        (chunked + "3\r\nabc\rX", "400 chunkEnd"),
        (chunked + "0\r\nbad trailer\r\n\r\n", "400 trailer"),
        (chunked + "0\r\nX: y\nZ: a\r\n\r\n", "400 bareLineFeed"),
        (
            chunked + "1;" + String(repeating: "e", count: 17_000) + "\r\n",
            "400 chunkOverheadTooLarge"
        ),
        // Sizes
        (
            "GET /" + String(repeating: "a", count: 9_000) + " HTTP/1.1\r\n\r\n",
            "414 targetTooLong"
        ),
        (String(repeating: "G", count: 10_000), "414 targetTooLong"),
        (String(repeating: "G", count: 33) + " / HTTP/1.1\r\nHost: a\r\n\r\n", "400 method"),
        (get + "X: " + String(repeating: "y", count: 16_400), "431 headersTooLarge"),
        (
            get + String(repeating: "X: y\r\n", count: 100) + "\r\n",
            "431 tooManyFields"
        ),
    ]

    @Test(arguments: good)
    func `well-formed requests come out`(text: String, expected: [String]) {
        #expect(outcome(text) == expected)
    }

    @Test(arguments: bad)
    func `malformed requests are refused, and nothing after them is read`(
        text: String, expected: String
    ) {
        let after = text + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
        #expect(outcome(text) == [expected])
        #expect(outcome(after) == [expected])
    }

    @Test func `how input is cut does not matter`() {
        let texts = Self.good.map(\.0) + Self.bad.map(\.0)
        for text in texts where text.utf8.count < 400 {
            let bytes = Array(text.utf8)
            let whole = outcome([bytes])
            #expect(outcome(bytes.map { [$0] }) == whole, "byte by byte: \(text)")
            for cut in 1..<bytes.count {
                let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])]
                #expect(outcome(pieces) == whole, "cut at \(cut): \(text)")
            }
        }
    }

    @Test func `a client that waits is told to go on, once`() {
        var parser = HTTP1Parser()
        let head = Self.post + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        let first = parser.feed(Array(head.utf8))
        guard case .continueExpected = first.last, first.count == 2 else {
            Issue.record("\(first)")
            return
        }
        #expect(parser.phase == .body)
        guard parser.feed([0x61]).count == 1, case .end = parser.feed([0x62]).last else {
            Issue.record("the request did not come")
            return
        }
    }

    @Test func `the phase tells what the client is being waited for`() {
        var parser = HTTP1Parser()
        var phases: [HTTP1Parser.Phase] = [parser.phase]
        for piece in ["GET", " / HTTP/1.1\r\n", "Host: a\r\nContent-Length: 2\r\n\r\n", "a", "b"] {
            _ = parser.feed(Array(piece.utf8))
            phases.append(parser.phase)
        }
        #expect(
            phases == [
                .betweenRequests, .headers, .headers, .body, .body, .betweenRequests,
            ])
        _ = parser.feed([0x0A])
        #expect(parser.phase == .failed)
    }

    @Test func `a body of the greatest size passes and one byte more does not`() {
        var limits = HTTPLimits()
        limits.bodyBytesMax = 10
        let fits = Self.chunked + "5\r\n01234\r\n5\r\n56789\r\n0\r\n\r\n"
        #expect(outcome(fits, limits: limits) == ["POST / [2] 0123456789"])
        let exceeds = Self.chunked + "5\r\n01234\r\n6\r\n"
        #expect(outcome(exceeds, limits: limits) == ["413 bodyTooLarge"])
    }

    /// Mutations of good requests, cut at random: the parser neither traps nor depends on cuts.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `damaged input is read the same however it is cut`(seed: UInt64) {
        var random = SplitMix(state: seed)
        for _ in 0..<400 {
            var bytes = Self.good.randomElement(using: &random).map { Array($0.0.utf8) } ?? []
            bytes += Self.good.randomElement(using: &random).map { Array($0.0.utf8) } ?? []
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch UInt8.random(in: 0...2, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.insert(bytes[index], at: index)
                }
            }
            var pieces: [[UInt8]] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...40, using: &random)
                pieces.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            #expect(outcome(pieces) == outcome([bytes]), "seed \(seed): \(bytes)")
        }
    }
}
