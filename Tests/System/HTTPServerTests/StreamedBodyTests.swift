import Foundation
import HTTPServer
import Testing
import ToolRunner

/// Answers whose bodies are made while they are sent.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")))
struct StreamedBodyTests {
    /// Pieces of a script; each is a number of bytes, or what else a source may say.
    private final class Script: HTTPBodySource {
        enum Step {
            case bytes(Int)
            case wait, fail
        }
        struct Failure: Error {}

        let length: Int?
        private var steps: [Step]
        private let waits: () -> Void
        private let asked: Watched<Int>?

        init(
            _ steps: [Step], length: Int? = nil, asked: Watched<Int>? = nil,
            waits: @escaping () -> Void = {}
        ) {
            self.steps = steps.reversed()
            self.length = length
            self.asked = asked
            self.waits = waits
        }

        func next() throws -> HTTPBodyPiece {
            asked?.withLock { $0 += 1 }
            switch steps.popLast() {
            case .bytes(let count): return .bytes([UInt8](repeating: 0x61, count: count))
            case .wait:
                waits()
                return .waiting
            case .fail: throw Failure()
            case nil: return .end
            }
        }
    }

    private struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let steps: [Script.Step]
        var length: Int?
        let whole: Int?
        var testDescription: String { name }
    }

    private static let cases = [
        Case(name: "three pieces", steps: [.bytes(5), .bytes(70_000), .bytes(1)], whole: 70_006),
        Case(name: "nothing", steps: [], whole: 0),
        Case(name: "a known length", steps: [.bytes(5), .bytes(5)], length: 10, whole: 10),
        Case(name: "known to be nothing", steps: [], length: 0, whole: 0),
        Case(name: "with waits", steps: [.wait, .bytes(5), .wait, .wait, .bytes(6)], whole: 11),
        Case(name: "many", steps: .init(repeating: .bytes(65_536), count: 200), whole: 13_107_200),
        Case(name: "a failure", steps: [.bytes(70_000), .fail], whole: nil),
        Case(name: "a failure at once", steps: [.fail], whole: nil),
        Case(name: "too short", steps: [.bytes(5)], length: 10, whole: nil),
        Case(name: "too long", steps: [.bytes(5), .bytes(6)], length: 10, whole: nil),
        Case(name: "an empty piece", steps: [.bytes(5), .bytes(0), .bytes(5)], whole: nil),
    ]

    private func server(_ test: Case, _ tls: TestTLS?) throws -> TestServer {
        try TestServer(tls: tls?.server) { request, exchange, loop in
            guard request.path == "/" else { return .respond(HTTPResponse(status: 200)) }
            let source = Script(test.steps, length: test.length) { [weak loop] in
                _ = loop?.schedule(after: .milliseconds(2)) { $0.resumeBody(of: exchange) }
            }
            return .respond(HTTPResponse(status: 200, headers: ["x-is": "a"], source: source))
        }
    }

    @Test(arguments: cases)
    private func `HTTP1 gets all of it or a cut`(test: Case) throws {
        let server = try server(test, nil)
        // Twice on one connection: the second shows that the first was framed well.
        let url = "http://127.0.0.1:\(server.port)/"
        let got = try Tool.run(
            "/usr/bin/curl",
            [
                "-sS", "--max-time", "60", "--http1.1", "--fail-early", "-w",
                "%{stderr}%{http_code} %{size_download} %{num_connects},", url, url,
            ], errors: .kept)
        if let whole = test.whole {
            #expect(got.status == 0)
            #expect(got.errors == "200 \(whole) 1,200 \(whole) 0,")
        } else {
            // 18: fewer bytes than announced; 52: none at all; 56: a chunk broke off.
            #expect([18, 52, 56].contains(got.status), "\(got.status)")
        }
        server.end()
    }

    @Test(arguments: cases)
    private func `HTTP2 gets all of it or a reset of the stream`(test: Case) throws {
        let tls = try TestTLS()
        let server = try server(test, tls)
        let client = try TestClient(server.port, trusting: tls.client)
        // SETTINGS_INITIAL_WINDOW_SIZE and the connection's window as large as they can be.
        let settings = HTTP2Frame(kind: .settings, payload: [0, 4, 0x7F, 0xFF, 0xFF, 0xFF])
        let window = HTTP2Frame(kind: .windowUpdate, payload: [0x7F, 0, 0, 0])
        client.send(
            HTTP2Frame.preface + settings.bytes + window.bytes + HTTP2Frame.request(1).bytes)
        var reader = HTTP2Reader(client)
        let frames = reader.frames {
            $0.stream == 1 && ($0.kind == .reset || $0.kind != .priority && $0.flags & 1 != 0)
        }
        let count = frames.filter { $0.kind == .data }.map(\.payload.count).reduce(0, +)
        if let whole = test.whole {
            #expect(count == whole)
            #expect(frames.last?.kind != .reset)
        } else {
            #expect(frames.last?.kind == .reset)
        }
        // The connection lives on.
        client.send(HTTP2Frame.request(3, path: "/other").bytes)
        #expect(reader.frames { $0.kind == .headers }.last?.stream == 3)
        server.end()
    }

    /// Has no end of its own.
    private final class Endless: HTTPBodySource {
        let length: Int? = nil
        private var isFirst = true
        private var isOver = false

        func next() -> HTTPBodyPiece {
            defer { isFirst = false }
            return isFirst ? .bytes(Array("first".utf8)) : isOver ? .end : .waiting
        }

        func finish() -> Bool {
            isOver = true
            return true
        }
    }

    private func endless(_ tls: TestTLS?) throws -> (TestServer, TestClient) {
        let server = try TestServer(tls: tls?.server) { _, _, _ in
            .respond(HTTPResponse(status: 200, source: Endless()))
        }
        return (server, try TestClient(server.port, trusting: tls?.client))
    }

    @Test func `a body without an end comes to it when the client sends nothing more`() throws {
        let (server, client) = try endless(nil)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.receive(until: "first").contains("first"))
        client.endWriting()
        #expect(client.receiveAll().hasSuffix("0\r\n\r\n"))
        server.end()
    }

    @Test(arguments: [false, true])
    func `a body without an end comes to it when the server ends`(isHTTP2: Bool) throws {
        let (server, client) = try endless(isHTTP2 ? TestTLS() : nil)
        var reader = HTTP2Reader(client)
        if isHTTP2 {
            let settings = HTTP2Frame(kind: .settings)
            client.send(HTTP2Frame.preface + settings.bytes + HTTP2Frame.request(1).bytes)
            #expect(reader.frames { $0.kind == .data }.last?.kind == .data)
        } else {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.receive(until: "first").contains("first"))
        }
        server.server.stop(drain: .seconds(3600))
        if isHTTP2 {
            let last = reader.frames { $0.kind == .data && $0.flags & 1 != 0 }.last
            #expect(last?.kind == .data)
        } else {
            #expect(client.receiveAll().hasSuffix("0\r\n\r\n"))
        }
        server.end(drain: .seconds(3600))
    }

    @Test(arguments: [false, true])
    func `a source is not asked for more than its client takes`(isHTTP2: Bool) throws {
        let tls = try TestTLS()
        let asked = Watched(0)
        let server = try TestServer(tls: isHTTP2 ? tls.server : nil) { _, _, _ in
            let source = Script(.init(repeating: .bytes(65_536), count: 4_000), asked: asked)
            return .respond(HTTPResponse(status: 200, source: source))
        }
        let client = try TestClient(server.port, trusting: isHTTP2 ? tls.client : nil)
        if isHTTP2 {
            let settings = HTTP2Frame(kind: .settings)
            client.send(HTTP2Frame.preface + settings.bytes + HTTP2Frame.request(1).bytes)
        } else {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        }
        #expect(server.requestsWhenCalm() == 1)
        // 256 MB in all. HTTP/2's first window is 64 KiB; the kernel takes some 10 MB.
        #expect(asked.withLock { $0 } <= (isHTTP2 ? 2 : 400))
        #expect(server.bytesHeld() <= 256 << 10)
        server.end()
    }

    @Test func `HEAD asks the source for nothing, and HTTP 1 point 0 must know a length`() throws {
        let asked = Watched(0)
        let server = try TestServer { request, _, _ in
            let source = Script([.bytes(5)], length: request.path == "/5" ? 5 : nil, asked: asked)
            return .respond(HTTPResponse(status: 200, source: source))
        }
        let head = try TestClient(server.port)
        head.send("HEAD /5 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(head.receiveAll().contains("content-length: 5\r\n"))
        let chunked = try TestClient(server.port)
        chunked.send("HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(chunked.receiveAll().contains("transfer-encoding: chunked\r\n"))
        #expect(asked.withLock { $0 } == 0)
        let old = try TestClient(server.port)
        old.send("GET / HTTP/1.0\r\n\r\n")
        #expect(old.receiveAll().hasPrefix("HTTP/1.1 505 "))
        let known = try TestClient(server.port)
        known.send("GET /5 HTTP/1.0\r\n\r\n")
        #expect(known.receiveAll().hasSuffix("\r\n\r\naaaaa"))
        server.end()
    }
}
