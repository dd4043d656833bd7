import AsyncOperations
import CStuckResolver
import HTTPClient
import OpenSSL
import RawHTTPServer
import Testing

/// Whoever gives up need not wait for what does not happen.
@Suite(.serialized, .timeLimit(.minutes(30))) struct PromptEndTests {
    private func cancelled(
        _ client: HTTPClient, _ url: String, once isUnderWay: () async -> Void
    ) async -> HTTPClientError? {
        let task = Task { await failureOf(client, HTTPClientRequest(.get, url)) }
        await isUnderWay()
        task.cancel()
        return await task.value
    }

    @Test func `a request that waits for its host's address can be given up, and others go on`()
        async throws
    {
        let pair = try Pair { _ in .send(answer()) }
        defer { pair.end() }
        let asked = Gate()
        _ = DedicatedThread(label: "asked") {
            cstuckresolver_wait_until_asked()
            asked.open()
        }
        let error = await cancelled(pair.client, "https://stuck.test/") { await asked.passed() }
        #expect(error?.code == .cancelled)
        #expect(error?.mayHaveBeenCarriedOut == false)
        let late = await failureOf(
            pair.client,
            HTTPClientRequest(.get, "https://stuck.test/", timeout: .milliseconds(100)))
        #expect(late?.code == .timedOut)
        #expect(late?.mayHaveBeenCarriedOut == false)
        // The resolver is still at it.
        #expect(try await pair.get().status == 200)
        pair.client.shutdown()
        cstuckresolver_release()
    }

    @Test func `a request in the middle of a handshake can be given up`() async throws {
        let silent = SilentListener()
        defer { silent.close() }
        let client = HTTPClient(configuration: HTTPClientConfiguration())
        let error = await cancelled(client, "https://127.0.0.1:\(silent.port)/") {
            await silent.hello()
        }
        #expect(error?.code == .cancelled)
        #expect(error?.mayHaveBeenCarriedOut == false)
    }

    @Test func `a request that waits for a connection can be given up`() async throws {
        let isThere = Gate()
        let pair = try Pair {
            $0.http = HTTPVersionPolicy(.http1, connectionsPerHost: 1)
        } answer: { _ in
            isThere.open()
            return .hang
        }
        defer { pair.end() }
        let (client, url) = (pair.client, pair.url)
        let first = Task { await failureOf(client, HTTPClientRequest(.get, url)) }
        await isThere.passed()
        let second = await cancelled(client, url) {}
        #expect(second?.code == .cancelled)
        #expect(second?.mayHaveBeenCarriedOut == false)
        first.cancel()
        #expect(await first.value?.mayHaveBeenCarriedOut == true)
        #expect(pair.server.requests.count == 1)
    }

    @Test func `a request's own time-out counts where it is shorter`() async throws {
        let pair = try Pair { request in
            request.line.hasPrefix("HEAD") ? .send(answer()) : .hang
        }
        defer { pair.end() }
        _ = try await pair.client.send(HTTPClientRequest(.head, pair.url))
        let error = try #require(await pair.failure(timeout: .milliseconds(2500)))
        #expect(error.code == .timedOut)
        #expect(error.mayHaveBeenCarriedOut)
        #expect(error.message.contains("2.5 seconds"))
    }

    @Test func `a request's own time-out makes the client's no longer`() async throws {
        let pair = try Pair {
            $0.requestTimeout = .milliseconds(500)
        } answer: { _ in
            .hang
        }
        defer { pair.end() }
        #expect(await pair.failure(timeout: .seconds(600))?.code == .timedOut)
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `a request whose time is up is not sent`(timeout: Duration) async throws {
        let pair = try Pair { _ in .send(answer()) }
        defer { pair.end() }
        let error = await pair.failure(timeout: timeout)
        #expect(error?.code == .timedOut)
        #expect(error?.mayHaveBeenCarriedOut == false)
        #expect(pair.server.connections == 0)
    }
}
