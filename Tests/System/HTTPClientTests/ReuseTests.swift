import AsyncOperations
import HTTPClient
import RawHTTPServer
import Testing

/// HTTP/1.1 connections that serve one request after another.
@Suite(.timeLimit(.minutes(30))) struct ReuseTests {
    /// What a server may say that nobody asked for, after a good answer.
    private static let extras = [
        answer(200, "not yours"), "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nnot", "x",
    ]

    @Test(arguments: extras)
    func `an answer too many is not the next request's`(extra: String) async throws {
        // What the kernel hands on after the second request was sent cannot be known to be too
        // many; a busy machine does that now and then, and not every time.
        for _ in 0..<10 {
            let (isAnswered, isSaid) = (Gate(), Gate())
            let isFirst = Locked(true)
            let pair = try Pair { _ in
                let isFirst = isFirst.withLock { first in
                    defer { first = false }
                    return first
                }
                // A client that has taken the beginning for its answer waits for the rest: there is none.
                guard isFirst else { return .sendThenClose(answer(200, "second")) }
                return .script { say in
                    _ = say(answer(200, "first"))
                    isAnswered.wait()
                    _ = say(extra)
                    isSaid.open()
                }
            }
            defer { pair.end() }
            #expect(try await pair.get().body == Array("first".utf8))
            isAnswered.open()
            await isSaid.passed()
            let second: Result<[UInt8], HTTPClientError>
            do throws(HTTPClientError) {
                second = .success(try await pair.get().body)
            } catch {
                second = .failure(error)
            }
            guard pair.server.requests.map(\.connection) == [0, 1] else { continue }
            #expect(try second.get() == Array("second".utf8))
            return
        }
        Issue.record("the connection was always used again")
    }

    @Test(arguments: extras)
    func `an answer too many in one breath is not the next request's`(extra: String) async throws {
        let pair = try Pair { request in
            .send(
                request.connection == 0
                    ? answer(200, "first") + extra : answer(200, "second"))
        }
        defer { pair.end() }
        #expect(try await pair.get().body == Array("first".utf8))
        #expect(try await pair.get().body == Array("second".utf8))
        #expect(pair.server.requests.map(\.connection) == [0, 1])
    }

    @Test func `what follows the last chunk is not the next request's`() async throws {
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n0\r\n\r\n"
        let extra = answer(200, "not yours")
        let pair = try Pair { request in
            .send(request.connection == 0 ? chunked + extra : answer(200, "second"))
        }
        defer { pair.end() }
        #expect(try await pair.get().body == Array("first".utf8))
        let second = try await pair.get().body
        #expect([Array("first".utf8), Array("second".utf8)].contains(second))
    }

    @Test func `an answer after the time-out is not the next request's`() async throws {
        let (isOver, isSaid) = (Gate(), Gate())
        let pair = try Pair { request in
            if request.line.hasPrefix("HEAD") { return .send(answer()) }
            guard request.connection == 0 else { return .send(answer(200, "right")) }
            return .script { say in
                isOver.wait()
                _ = say(answer(200, "late"))
                isSaid.open()
            }
        }
        defer { pair.end() }
        // The connection stands already, so that a busy machine sends the request in its time.
        _ = try await pair.client.send(HTTPClientRequest(.head, pair.url))
        #expect(await pair.failure(timeout: .seconds(3))?.mayHaveBeenCarriedOut == true)
        isOver.open()
        await isSaid.passed()
        for _ in 0..<3 { #expect(try await pair.get().body == Array("right".utf8)) }
    }

    @Test(arguments: [
        RawServer.Reply.sendThenClose(answer(200, "first")), .sendThenPart(answer(200, "first")),
    ])
    func `a connection that the server closed while it was idle costs no request`(
        reply: RawServer.Reply
    ) async throws {
        let pair = try Pair { request in
            request.connection == 0 ? reply : .send(answer(200, "second"))
        }
        defer { pair.end() }
        #expect(try await pair.get().body == Array("first".utf8))
        await pair.server.hasClosed(1)
        #expect(try await pair.get().body == Array("second".utf8))
        #expect(pair.server.requests.count == 2)
    }

    @Test(arguments: [16, 64])
    func `connections are as many as requests in flight, and stay for the next ones`(
        count: Int
    ) async throws {
        let barrier = Barrier(count)
        let pair = try Pair {
            $0.http = HTTPVersionPolicy(.http1, connectionsPerHost: count)
        } answer: { request in
            if request.line.hasPrefix("POST") { barrier.meet() }
            return .send(answer(200))
        }
        defer { pair.end() }
        let (client, url) = (pair.client, pair.url)
        func all(_ number: Int) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<number {
                    group.addTask { _ = try await client.send(HTTPClientRequest(.post, url)) }
                }
                try await group.waitForAll()
            }
        }
        try await all(count)
        for _ in 0..<10 { _ = try await pair.get() }
        try await all(count)
        // Each is held until all have come: so many connections, and no more for the rest.
        #expect(pair.server.connections == count)
        try await all(3 * count)
        #expect(pair.server.connections == count)
    }

    @Test func `a request waits for a connection no longer than it may take`() async throws {
        let isThere = Gate()
        let pair = try Pair {
            $0.http = HTTPVersionPolicy(.http1, connectionsPerHost: 1)
        } answer: { _ in
            isThere.open()
            return .hang
        }
        defer { pair.end() }
        let first = Task { await pair.failure() }
        await isThere.passed()
        let second = await pair.failure(timeout: .milliseconds(300))
        #expect(second?.code == .timedOut)
        #expect(second?.mayHaveBeenCarriedOut == false)
        #expect(second?.message.contains("no connection to localhost within 0.3 seconds") == true)
        // The other one is not held up by that, nor ended with it.
        first.cancel()
        #expect(await first.value?.code == .cancelled)
        #expect(pair.server.requests.count == 1)
    }
}

/// Holds so many threads until all of them are there, again and again.
private final class Barrier: Sendable {
    private let size: Int
    private let waiting = Locked<[Gate]>([])
    init(_ size: Int) { self.size = size }

    func meet() {
        let gate = Gate()
        let isFull = waiting.withLock { waiting in
            waiting.append(gate)
            guard waiting.count == size else { return false }
            for gate in waiting { gate.open() }
            waiting = []
            return true
        }
        if !isFull { gate.wait() }
    }
}
