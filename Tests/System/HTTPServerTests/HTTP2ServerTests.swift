import Foundation
import HTTPServer
import Testing

/// HTTP/2 in frames: what honest clients may count on, and how others are stopped.
@Suite(.timeLimit(.minutes(10)))
struct HTTP2ServerTests {
    private func connected(
        _ server: TestServer, _ tls: TestTLS, settings: [UInt8] = []
    ) throws -> TestClient {
        let client = try TestClient(server.port, trusting: tls.client)
        client.send(
            HTTP2Frame.preface + HTTP2Frame(kind: .settings, payload: settings).bytes)
        return client
    }

    @Test func `requests of one flight are answered in one turn, each on its stream`() throws {
        let tls = try TestTLS()
        let server = try TestServer(tls: tls.server) { request, _, _ in
            #expect(request.version == .http2)
            #expect(request["host"] == "a")
            return .respond(HTTPResponse(status: 200, body: Array(request.path.utf8)))
        }
        let client = try connected(server, tls)
        let streams = (0..<40).map { UInt32(2 * $0 + 1) }
        client.send(streams.flatMap { HTTP2Frame.request($0, path: "/\($0)").bytes })
        var reader = HTTP2Reader(client)
        var bodies: [UInt32: String] = [:]
        while bodies.count < streams.count, let frame = reader.next() {
            if frame.kind == .data {
                bodies[frame.stream] = String(decoding: frame.payload, as: UTF8.self)
            }
        }
        #expect(bodies == Dictionary(uniqueKeysWithValues: streams.map { ($0, "/\($0)") }))
        server.end()
        let log = server.log.withLock { $0 }
        #expect(log.filter { $0 == "commit" }.count < 10, "\(log)")
    }

    @Test func `streams are answered in any order, and one that was reset is not`() throws {
        let tls = try TestTLS()
        let server = try TestServer(tls: tls.server) { request, exchange, loop in
            let number = Int64(request.path.dropFirst()) ?? 0
            loop.schedule(after: .milliseconds(90 - 10 * number)) {
                let body = Array(request.path.utf8)
                $0.respond(to: exchange, HTTPResponse(status: 200, body: body))
            }
            return .later
        }
        let client = try connected(server, tls)
        let streams: [UInt32] = [1, 3, 5, 7, 9]
        // In one record of TLS, so that the reset is there before the answer is due.
        client.send(
            streams.flatMap { HTTP2Frame.request($0, path: "/\($0)").bytes }
                + HTTP2Frame(kind: .reset, stream: 5, payload: [0, 0, 0, 8]).bytes)
        var reader = HTTP2Reader(client)
        var bodies: [UInt32: String] = [:]
        while bodies.count < 4, let frame = reader.next() {
            if frame.kind == .data {
                bodies[frame.stream] = String(decoding: frame.payload, as: UTF8.self)
            }
        }
        #expect(bodies == [1: "/1", 3: "/3", 7: "/7", 9: "/9"])
        server.end()
    }

    @Test func `a failed commit turns the answers into 500`() throws {
        let tls = try TestTLS()
        let server = try TestServer(tls: tls.server, commits: CommitScript())
        let client = try connected(server, tls)
        client.send(HTTP2Frame.request(1).bytes)
        var reader = HTTP2Reader(client)
        let head = reader.frames { $0.kind == .headers }.last
        #expect(head?.payload.first == 0x8E, "entry 14 of the static table is :status 500")
        client.send(HTTP2Frame.request(3).bytes)
        #expect(reader.frames { $0.kind == .headers }.last?.payload.first == 0x88)
        server.end()
    }

    @Test func `no answer is sent when nobody knows what became of the commit`() throws {
        let tls = try TestTLS()
        let server = try TestServer(tls: tls.server, commits: CommitScript(failing: .wait))
        let client = try connected(server, tls)
        client.send(HTTP2Frame.request(1).bytes + HTTP2Frame.request(3).bytes)
        var reader = HTTP2Reader(client)
        let frames = reader.frames { _ in false }
        #expect(!frames.contains { $0.kind == .headers || $0.kind == .data }, "\(frames)")
        let next = try connected(server, tls)
        next.send(HTTP2Frame.request(1).bytes)
        var second = HTTP2Reader(next)
        #expect(second.frames { $0.kind == .headers }.last?.payload.first == 0x88)
        server.end()
    }

    @Test func `a path in Huffman's code arrives as it was meant`() throws {
        let tls = try TestTLS()
        let server = try TestServer(tls: tls.server) { request, _, _ in
            .respond(HTTPResponse(status: 200, body: Array(request.target.utf8)))
        }
        let client = try connected(server, tls)
        var reader = HTTP2Reader(client)
        let path = "/" + String(repeating: "coast", count: 30)
        for stream in [1, 3] as [UInt32] {
            client.send(HTTP2Frame.request(stream, coded: path).bytes)
            let body = reader.frames { $0.kind == .data }.last?.payload ?? []
            #expect(String(decoding: body, as: UTF8.self) == path)
        }
        server.end()
    }

    @Test func `a head with two paths is reset`() throws {
        let tls = try TestTLS()
        let server = try TestServer(tls: tls.server)
        let client = try connected(server, tls)
        var doubled = HTTP2Frame.request(1, coded: "/coast")
        doubled.payload.insert(contentsOf: [0, 5] + Array(":path".utf8) + [2, 0x2F, 0x78], at: 2)
        client.send(doubled.bytes)
        var reader = HTTP2Reader(client)
        #expect(reader.frames { $0.kind == .reset }.last?.stream == 1)
        server.end()
        #expect(server.log.withLock { $0 } == [])
    }

    @Test func `a cut closes the connection after other answers are out`() throws {
        let tls = try TestTLS()
        let server = try TestServer(tls: tls.server) { request, _, _ in
            request.path == "/cut"
                ? .cut : .respond(HTTPResponse(status: 200, body: Array("ok".utf8)))
        }
        let client = try connected(server, tls)
        client.send(HTTP2Frame.request(1).bytes + HTTP2Frame.request(3, path: "/cut").bytes)
        var reader = HTTP2Reader(client)
        let frames = reader.frames { _ in false }
        #expect(frames.contains { $0.kind == .data && $0.stream == 1 })
        #expect(!frames.contains { $0.stream == 3 })
        server.end()
        #expect(server.log.withLock { $0 }.suffix(2) == ["commit", "wait"])
    }

    @Test(arguments: ["ping", "settings", "reset", "empty data"])
    func `floods end in GOAWAY with ENHANCE_YOUR_CALM`(kind: String) throws {
        let tls = try TestTLS()
        let server = try TestServer(tls: tls.server) { _, _, _ in .later }
        let client = try connected(server, tls)
        var bytes: [UInt8] = []
        if kind == "empty data" { bytes += HTTP2Frame.request(1, ends: false).bytes }
        for index in 0..<2_000 as Range<UInt32> {
            switch kind {
            case "ping":
                bytes += HTTP2Frame(kind: .ping, payload: [UInt8](repeating: 1, count: 8)).bytes
            case "settings": bytes += HTTP2Frame(kind: .settings).bytes
            case "reset":
                let stream = 2 * index + 1
                bytes += HTTP2Frame.request(stream).bytes
                bytes += HTTP2Frame(kind: .reset, stream: stream, payload: [0, 0, 0, 8]).bytes
            default: bytes += HTTP2Frame(kind: .data, stream: 1).bytes
            }
        }
        client.send(bytes)
        var reader = HTTP2Reader(client)
        let frames = reader.frames { $0.kind == .goAway }
        #expect(frames.last?.kind == .goAway)
        #expect(frames.last?.errorCode == 11)
        server.end()
        let handled = server.log.withLock { $0.filter { $0.hasPrefix("GET") }.count }
        #expect(handled < 500)
    }

    @Test func `a head that unpacks to many times its limit ends the connection`() throws {
        let tls = try TestTLS()
        let server = try TestServer(tls: tls.server)
        let client = try connected(server, tls)
        // A field of 3,000 bytes goes into the dynamic table and is named 4,000 times.
        var bomb = HTTP2Frame.request(1)
        bomb.payload += [0x40, 1, 0x61] + HTTP2Frame.length(3_000, 0)
        bomb.payload += [UInt8](repeating: 0x62, count: 3_000)
        bomb.payload += [UInt8](repeating: 0xBE, count: 4_000)
        client.send(bomb.bytes)
        client.send(HTTP2Frame.request(3).bytes)
        var reader = HTTP2Reader(client)
        #expect(!reader.frames { _ in false }.contains { $0.kind == .headers })
        #expect(server.waitForConnections(0))
        server.end()
        #expect(server.log.withLock { $0 } == [])
    }

    @Test func `a body that does not come is cut in time`() throws {
        let tls = try TestTLS()
        var deadlines = HTTPDeadlines.endless
        deadlines.body = .milliseconds(50)
        let server = try TestServer(tls: tls.server, deadlines: deadlines)
        let client = try connected(server, tls)
        let waited = ContinuousClock().measure {
            client.send(HTTP2Frame.request(1, ends: false).bytes)
            var reader = HTTP2Reader(client)
            _ = reader.frames { _ in false }
        }
        #expect(waited > .milliseconds(30))
        server.expectNoConnection(while: client)
        server.end()
        #expect(server.log.withLock { $0 } == [])
    }

    @Test func `a client that opens no window for its answer is cut in time`() throws {
        let tls = try TestTLS()
        var deadlines = HTTPDeadlines.endless
        deadlines.write = .milliseconds(50)
        let server = try TestServer(tls: tls.server, deadlines: deadlines)
        // SETTINGS_INITIAL_WINDOW_SIZE 0
        let client = try connected(server, tls, settings: [0, 4, 0, 0, 0, 0])
        var frames: [HTTP2Frame] = []
        let waited = ContinuousClock().measure {
            client.send(HTTP2Frame.request(1).bytes)
            var reader = HTTP2Reader(client)
            frames = reader.frames { _ in false }
        }
        #expect(frames.contains { $0.kind == .headers && $0.stream == 1 })
        #expect(!frames.contains { $0.kind == .data })
        #expect(waited > .milliseconds(30))
        server.expectNoConnection(while: client)
        server.end()
    }

    @Test func `stopping says GOAWAY twice and lets streams finish`() throws {
        let tls = try TestTLS()
        let held = Watched<ExchangeID?>(nil)
        let server = try TestServer(tls: tls.server) { _, exchange, _ in
            held.withLock { $0 = exchange }
            return .later
        }
        let client = try connected(server, tls)
        client.send(HTTP2Frame.request(1).bytes)
        #expect(held.wait { $0 != nil })
        let exchange = try #require(held.withLock { $0 })
        server.server.stop(drain: .seconds(600))
        var reader = HTTP2Reader(client)
        var goAways: [UInt32] = []
        var body: [UInt8] = []
        while let frame = reader.next() {
            switch frame.kind {
            case .goAway:
                goAways.append(frame.lastStream)
                guard goAways.count == 1 else { break }
                server.server.post {
                    $0.respond(to: exchange, HTTPResponse(status: 200, body: Array("done".utf8)))
                }
            case .data: body += frame.payload
            case .ping where frame.flags == 0:
                client.send(HTTP2Frame(kind: .ping, flags: 1, payload: frame.payload).bytes)
            default: break
            }
        }
        #expect(goAways == [0x7FFF_FFFF, 1])
        #expect(body == Array("done".utf8))
        server.end(drain: .seconds(600))
    }

    @Test func `stopping does not wait for idle clients that never read`() throws {
        let tls = try TestTLS()
        let server = try TestServer(tls: tls.server)
        let client = try connected(server, tls)
        client.send(HTTP2Frame.request(1).bytes)
        var reader = HTTP2Reader(client)
        _ = reader.frames { $0.kind == .data }
        // A server that waited for the client would take all of the drain.
        let drain = Duration.seconds(300)
        let waited = ContinuousClock().measure { server.end(drain: drain) }
        withExtendedLifetime(client) { #expect(waited < drain) }
    }

    @Test func `what is not HTTP2 after choosing it is closed`() throws {
        let tls = try TestTLS()
        let server = try TestServer(tls: tls.server)
        let client = try TestClient(server.port, trusting: tls.client)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        var reader = HTTP2Reader(client)
        #expect(!reader.frames { _ in false }.contains { $0.kind == .headers })
        server.end()
        #expect(server.log.withLock { $0 } == [])
    }
}
