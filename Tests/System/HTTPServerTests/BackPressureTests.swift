import Foundation
import HTTPServer
import Testing

/// What clients that do not read, or read slowly, can make the server keep.
@Suite(.timeLimit(.minutes(10)))
struct BackPressureTests {
    private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    private func answering(_ count: Int)
        -> @Sendable (
            HTTPRequest, ExchangeID, HTTPLoop
        ) -> HTTPAnswer
    {
        { _, _, _ in .respond(HTTPResponse(status: 200, body: [UInt8](repeating: 97, count: count)))
        }
    }

    /// Lets some time pass; what is slow here is the client.
    private func pause(_ milliseconds: Int32) { poll(nil, 0, milliseconds) }

    @Test func `a slow but steady reader gets the whole of a long answer`() throws {
        var deadlines = HTTPDeadlines()
        deadlines.write = .seconds(2)
        let size = 48 << 20
        let server = try TestServer(deadlines: deadlines, answering(size))
        let client = try TestClient(server.port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        var (got, pauses) = (0, 0)
        while true {
            let piece = client.receive(256 << 10)
            if piece.isEmpty { break }
            got += piece.count
            // About 5 MB a second: the answer takes several times as long as the deadline.
            if got / (120 << 10) > pauses {
                pauses += 1
                pause(25)
            }
        }
        #expect(got > size)
        server.end()
    }

    @Test func `a client that opens its window byte by byte is cut`() throws {
        let tls = try TestTLS()
        var deadlines = HTTPDeadlines.endless
        deadlines.write = .milliseconds(200)
        let server = try TestServer(tls: tls.server, deadlines: deadlines, answering(1 << 20))
        let client = try TestClient(server.port, trusting: tls.client)
        // SETTINGS_INITIAL_WINDOW_SIZE 0
        let settings = HTTP2Frame(kind: .settings, payload: [0, 4, 0, 0, 0, 0])
        client.send(HTTP2Frame.preface + settings.bytes + HTTP2Frame.request(1).bytes)
        let update = HTTP2Frame(kind: .windowUpdate, stream: 1, payload: [0, 0, 0, 1])
        let isCut = Watched(false)
        let watcher = Thread {
            let isOver = server.waitForConnections(0)
            isCut.withLock { $0 = isOver }
        }
        #expect(server.waitForRequests())
        watcher.start()
        // At least as long as the watcher waits.
        for _ in 0..<3000 where !isCut.withLock({ $0 }) {
            client.send(update.bytes)
            pause(20)
        }
        #expect(isCut.withLock { $0 })
        server.end()
    }

    @Test func `pipelined requests wait while their client does not read`() throws {
        let (count, size) = (200, 300 << 10)
        let server = try TestServer(answering(size))
        let client = try TestClient(server.port)
        client.send(String(repeating: Self.request, count: count))
        // What the kernel takes, some 10 MB, is not the server's.
        #expect(server.requestsWhenCalm() < 100)
        client.endWriting()
        #expect(client.receiveAll().utf8.count > count * size)
        server.end()
    }

    @Test func `streams wait while their client takes no answer`() throws {
        let tls = try TestTLS()
        let server = try TestServer(tls: tls.server, answering(9 << 20))
        let client = try TestClient(server.port, trusting: tls.client)
        let settings = HTTP2Frame(kind: .settings, payload: [0, 4, 0, 0, 0, 0])
        client.send(HTTP2Frame.preface + settings.bytes)
        for stream in 0..<40 as Range<UInt32> {
            client.send(HTTP2Frame.request(2 * stream + 1).bytes)
        }
        #expect(server.requestsWhenCalm() == 1)
        server.end()
    }

    private func upload(_ announced: Int, _ sent: Int) -> [UInt8] {
        Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(announced)\r\n\r\n".utf8)
            + [UInt8](repeating: 97, count: sent)
    }

    @Test func `large bodies are refused while memory is short, and small requests go on`() throws {
        var limits = HTTPLimits()
        limits.memoryBytesMax = 13 << 20
        let tls = try TestTLS()
        let server = try TestServer(tls: tls.server, limits: limits, answering(2))
        let plain = try TestTLS(authority: tls.authority, clientProtocols: ["http/1.1"])
        var holders: [TestClient] = []
        for count in 1...3 {
            holders.append(try TestClient(server.port, trusting: plain.client))
            holders.last?.send(upload(2 << 20, 1_900_000))
            #expect(server.waitOnLoop { $0.bytesHeld >= count * 1_900_000 })
        }
        let refused = try TestClient(server.port, trusting: plain.client)
        refused.send(upload(2 << 20, 2 << 20))
        let answer = refused.receive(until: "\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(answer)")
        #expect(answer.contains("retry-after: 1\r\n"))
        let polite = try TestClient(server.port, trusting: plain.client)
        polite.send(upload(50_000, 50_000))
        #expect(polite.receive(until: "aa").contains(" 200 OK"))
        // Held again by one more client, and then by a stream.
        holders.append(try TestClient(server.port, trusting: plain.client))
        holders.last?.send(upload(2 << 20, 400_000))
        let client = try TestClient(server.port, trusting: tls.client)
        client.send(HTTP2Frame.preface + HTTP2Frame(kind: .settings).bytes)
        client.send(HTTP2Frame.request(1, ends: false).bytes)
        for _ in 0..<16 {
            let piece = [UInt8](repeating: 97, count: 15 << 10)
            client.send(HTTP2Frame(kind: .data, stream: 1, payload: piece).bytes)
        }
        var reader = HTTP2Reader(client)
        let head = reader.frames { $0.kind == .headers }.last
        // A literal of three digits, or the Huffman code of 503.
        #expect(head?.stream == 1 && head?.payload.first != 0x88)
        client.send(HTTP2Frame.request(3).bytes)
        #expect(reader.frames { $0.kind == .headers && $0.stream == 3 }.last?.payload.first == 0x88)
        #expect(server.log.withLock { $0.count { $0 == "POST /" } } == 1, "refused ones came too")
        #expect(server.bytesHeld() < 13 << 20)
        holders = []
        #expect(server.waitOnLoop { $0.bytesHeld < 1 << 20 })
        let later = try TestClient(server.port, trusting: plain.client)
        later.send(upload(2 << 20, 2 << 20))
        #expect(later.receive(until: "aa").contains(" 200 OK"))
        server.end()
    }

    @Test func `nothing is read while all memory is used up, until some is free again`() throws {
        var limits = HTTPLimits()
        limits.memoryBytesMax = 256 << 10
        let server = try TestServer(limits: limits, answering(2))
        var holders: [TestClient] = []
        for count in 1...5 {
            holders.append(try TestClient(server.port))
            let bytes = count < 5 ? 55_000 : 1
            holders.last?.send(upload(60_000, bytes))
            #expect(server.waitOnLoop { $0.bytesHeld >= (count - 1) * 55_000 + bytes })
        }
        // The last one's goes on in small pieces: any that came later would be refused.
        let all = limits.memoryBytesMax
        for _ in 0..<55 where server.bytesHeld() < all {
            let before = server.bytesHeld()
            holders.last?.send([UInt8](repeating: 97, count: 1_000))
            #expect(server.waitOnLoop { $0.bytesHeld > before })
        }
        #expect(server.bytesHeld() >= all)
        let waiting = try TestClient(server.port)
        waiting.send(Self.request)
        #expect(server.requestsWhenCalm() == 0)
        #expect(server.bytesHeld() < 2 * all)
        // One is enough, and no other event follows.
        holders.removeLast()
        #expect(waiting.receive(until: "aa").contains(" 200 OK"))
        server.end()
    }

    @Test func `an answer for which there is no memory becomes a refusal`() throws {
        var limits = HTTPLimits()
        limits.memoryBytesMax = 64 << 20
        let server = try TestServer(limits: limits) { request, _, _ in
            let count = request.path == "/small" ? 2 : 30 << 20
            return .respond(
                HTTPResponse(status: 200, body: [UInt8](repeating: 97, count: count)))
        }
        let holder = try TestClient(server.port)
        holder.send(Self.request)
        #expect(server.waitForRequests())
        let second = try TestClient(server.port)
        second.send(Self.request)
        #expect(second.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 503 "))
        second.send("GET /small HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(second.receive(until: "aa").contains(" 200 OK"))
        server.end()
    }
}
