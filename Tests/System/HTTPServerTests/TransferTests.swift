import Foundation
import HTTPServer
import Testing

/// Long answers and held ones, with clients that do something else meanwhile, and a server that ends.
@Suite(.timeLimit(.minutes(10)))
struct TransferTests {
    /// A body of many pieces of the same size; after so many of them it waits.
    private final class Pieces: HTTPBodySource {
        private static let size = 64 << 10
        let length: Int?
        private var left: Int
        private let waits: Bool

        init(_ count: Int, waits: Bool = false) {
            left = count
            self.waits = waits
            length = waits ? nil : count * Self.size
        }

        func next() -> HTTPBodyPiece {
            guard left > 0 else { return waits ? .waiting : .end }
            left -= 1
            return .bytes([UInt8](repeating: 0x61, count: Self.size))
        }
    }

    private static func answering(_ body: @escaping @Sendable () -> any HTTPBodySource)
        -> @Sendable (HTTPRequest, ExchangeID, HTTPLoop) -> HTTPAnswer
    {
        { request, _, _ in
            request.path == "/long"
                ? .respond(HTTPResponse(status: 200, headers: [:], source: body()))
                : .respond(HTTPResponse(status: 200, body: Array("ok".utf8)))
        }
    }

    /// A client of HTTP/2 whose windows are as large as can be.
    private func connected(_ server: TestServer, _ tls: TestTLS) throws -> TestClient {
        let client = try TestClient(server.port, trusting: tls.client)
        let widest: [UInt8] = [0x7F, 0xFF, 0xFF, 0xFF]
        let settings = HTTP2Frame(kind: .settings, payload: [0, 4] + widest)
        let window = HTTP2Frame(kind: .windowUpdate, payload: [0x7F, 0xFF, 0, 0])
        client.send(HTTP2Frame.preface + settings.bytes + window.bytes)
        return client
    }

    @Test func `a client that does not read a long answer can ask for another one and cancel both`()
        throws
    {
        let tls = try TestTLS()
        let server = try TestServer(tls: tls.server, Self.answering { Pieces(1600) })
        let client = try connected(server, tls)
        client.send(HTTP2Frame.request(1, path: "/long").bytes)
        #expect(server.waitForRequests())
        #expect(server.waitOnLoop { $0.bytesHeld > 0 })
        client.send(HTTP2Frame.request(3, path: "/short").bytes)
        #expect(server.waitForRequests(2))
        let cancel: [UInt8] = [0, 0, 0, 8]
        client.send(HTTP2Frame(kind: .reset, stream: 1, payload: cancel).bytes)
        // What the socket has not taken yet still stands, and nothing is added to it.
        #expect(server.waitOnLoop { $0.bytesHeld <= 128 << 10 })
        var reader = HTTP2Reader(client)
        var (long, short) = (0, "")
        while short.isEmpty, let frame = reader.next() {
            guard frame.kind == .data else { continue }
            if frame.stream == 1 { long += frame.payload.count }
            if frame.stream == 3 { short = String(decoding: frame.payload, as: UTF8.self) }
        }
        #expect(short == "ok" && long < 50 << 20)
        server.end()
    }

    @Test func `an answer in flight arrives whole when the server ends`() throws {
        let tls = try TestTLS()
        let pieces = 384
        let server = try TestServer(tls: tls.server, Self.answering { Pieces(pieces) })
        let client = try TestClient(server.port, trusting: tls.client)
        client.send(HTTP2Frame.preface + HTTP2Frame(kind: .settings).bytes)
        client.send(HTTP2Frame.request(1, path: "/long").bytes)
        var reader = HTTP2Reader(client)
        var (count, isStopped) = (0, false)
        while let frame = reader.next() {
            if frame.kind == .ping, frame.flags == 0 {
                client.send(HTTP2Frame(kind: .ping, flags: 1, payload: frame.payload).bytes)
            }
            guard frame.kind == .data, !frame.payload.isEmpty else { continue }
            count += frame.payload.count
            if !isStopped, count > 1 << 20 {
                isStopped = true
                server.server.stop(drain: .seconds(60))
            }
            // As clients do that let the server go on for what they have read.
            let increment = withUnsafeBytes(of: UInt32(frame.payload.count).bigEndian) { Array($0) }
            for stream in [0, 1] as [UInt32] {
                client.send(
                    HTTP2Frame(kind: .windowUpdate, stream: stream, payload: increment).bytes)
            }
        }
        #expect(count == pieces * 64 << 10)
        server.end(drain: .seconds(60))
    }

    @Test(arguments: [false, true])
    func `what waits for more to send keeps nothing that was sent`(isHTTP2: Bool) throws {
        let tls = try TestTLS(clientProtocols: isHTTP2 ? ["h2"] : ["http/1.1"])
        let server = try TestServer(tls: tls.server, Self.answering { Pieces(1, waits: true) })
        let client: TestClient
        if isHTTP2 {
            client = try connected(server, tls)
            client.send(HTTP2Frame.request(1, path: "/long").bytes)
        } else {
            client = try TestClient(server.port, trusting: tls.client)
            client.send("GET /long HTTP/1.1\r\nHost: a\r\n\r\n")
        }
        var count = 0
        while count < 64 << 10 {
            let piece = client.receive()
            guard !piece.isEmpty else { break }
            count += piece.count
        }
        #expect(count >= 64 << 10)
        #expect(server.waitOnLoop { $0.bytesHeld == 0 })
        server.end()
    }

    @Test func `a client that has gone away while its answer is held is known to have`() throws {
        let held = Watched<ExchangeID?>(nil)
        let server = try TestServer { _, exchange, _ in
            held.withLock { $0 = exchange }
            return .later
        }
        var client: TestClient? = try TestClient(server.port)
        client?.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(held.wait { $0 != nil })
        let exchange = try #require(held.withLock { $0 })
        #expect(server.waitOnLoop { $0.isListening(exchange) })
        client = nil
        #expect(server.waitOnLoop { !$0.isListening(exchange) })
        server.end()
    }

    @Test(arguments: [false, true])
    func `an empty body that was announced is handed on, however it arrives`(apart: Bool) throws {
        let tls = try TestTLS()
        let asked = Watched(0)
        let server = try TestServer(
            tls: tls.server,
            bodies: { _, _, _, _ in
                asked.withLock { $0 += 1 }
                return .collect(bytesMax: 10)
            })
        let client = try connected(server, tls)
        let head = HTTP2Frame.request(1, ends: false).bytes
        let end = HTTP2Frame(kind: .data, flags: 1, stream: 1).bytes
        if apart {
            client.send(head)
            #expect(asked.wait { $0 == 1 })
            client.send(end)
        } else {
            client.send(head + end)
        }
        var reader = HTTP2Reader(client)
        #expect(reader.frames { $0.kind == .data }.contains { $0.stream == 1 })
        #expect(asked.withLock { $0 } == 1)
        server.end()
    }

    @Test(arguments: RequestBodyTests.Version.allCases)
    func `a sink that goes on before it has said that it waits does not wait`(
        version: RequestBodyTests.Version
    ) throws {
        let tls = try TestTLS(clientProtocols: version == .http2 ? ["h2"] : ["http/1.1"])
        let seen = Watched(RecordingSink.Seen())
        let server = try TestServer(
            tls: tls.server,
            bodies: { _, _, exchange, loop in
                let sink = RecordingSink(seen, loop) { [weak loop] _ in
                    loop?.resumeBody(of: exchange)
                    return .notNow
                }
                return .stream(sink, bytesMax: 1 << 20)
            })
        let client: TestClient
        if version == .http2 {
            client = try connected(server, tls)
            client.send(HTTP2Frame.request(1, ends: false).bytes)
            client.send(
                HTTP2Frame(kind: .data, flags: 1, stream: 1, payload: [1, 2, 3]).bytes)
        } else {
            client = try TestClient(server.port, trusting: tls.client)
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
        }
        #expect(seen.wait { $0.handled == 1 })
        server.end()
    }

    @Test func `connections leave some of the open files to the application`() {
        let limits = HTTPLimits()
        #expect(limits.leavingFiles(of: .max).connectionsMax == limits.connectionsMax)
        #expect(limits.leavingFiles(of: 1024).connectionsMax == 768)
        #expect(limits.leavingFiles(of: 10).connectionsMax == 16)
    }
}
