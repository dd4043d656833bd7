import HTTPClient
import OpenSSL
import RawHTTPServer
import Testing

@Suite(.timeLimit(.minutes(30))) struct ServerKeyTests {
    @Test(arguments: [HTTPVersionPolicy.Version.http1, .http2])
    func `the key is known from the first answer on`(
        version: HTTPVersionPolicy.Version
    ) async throws {
        let pair = try Pair {
            $0.http = HTTPVersionPolicy(version, connectionsPerHost: 2)
        } answer: { _ in
            .send(answer())
        }
        defer { pair.end() }
        let identity = try pair.authority.issue(now: Pair.now)
        try pair.server.become(identity)
        #expect(pair.client.keyDigest(ofServerAt: pair.url) == nil)
        _ = try await pair.get()
        let digest = try identity.keyDigest()
        #expect(pair.client.keyDigest(ofServerAt: pair.url) == digest)
        // The path and the case of the name do not matter, the port does.
        #expect(
            pair.client.keyDigest(ofServerAt: "https://LOCALHOST:\(pair.server.port)") == digest)
        #expect(pair.client.keyDigest(ofServerAt: "https://localhost:1/") == nil)
        #expect(pair.client.keyDigest(ofServerAt: "nonsense") == nil)
    }

    @Test func `a server that did not answer has no key`() async throws {
        let pair = try Pair { _ in .close }
        defer { pair.end() }
        #expect(await pair.failure()?.code == .connectionLost)
        #expect(pair.client.keyDigest(ofServerAt: pair.url) == nil)
    }

    @Test func `plain HTTP has no key`() async throws {
        let server = try RawServer(nil) { _ in .send(answer()) }
        defer { server.stop() }
        let client = HTTPClient(configuration: HTTPClientConfiguration())
        let url = "http://127.0.0.1:\(server.port)/"
        _ = try await client.send(HTTPClientRequest(.get, url))
        #expect(client.keyDigest(ofServerAt: url) == nil)
    }

    @Test(arguments: [HTTPVersionPolicy.Version.http1, .http2])
    func `a server that shows another key later gets nothing, whoever vouches for it`(
        version: HTTPVersionPolicy.Version
    ) async throws {
        let pair = try Pair {
            $0.http = HTTPVersionPolicy(version, connectionsPerHost: 2)
        } answer: { _ in
            .sendThenClose(answer(headers: ["Connection: close"]))
        }
        defer { pair.end() }
        _ = try await pair.get()
        let first = pair.client.keyDigest(ofServerAt: pair.url)
        try pair.server.become(pair.authority.issue(now: Pair.now))
        for _ in 0..<3 {
            let error = try #require(await pair.failure())
            #expect(error.code == .certificateChanged)
            #expect(!error.mayHaveBeenCarriedOut)
            #expect(error.message.contains("another key"))
        }
        #expect(pair.server.requests.count == 1)
        #expect(pair.server.connections >= 2)
        #expect(pair.client.keyDigest(ofServerAt: pair.url) == first)
    }

    @Test func `another client takes the server as it finds it`() async throws {
        let pair = try Pair { _ in .sendThenClose(answer(headers: ["Connection: close"])) }
        defer { pair.end() }
        _ = try await pair.get()
        try pair.server.become(pair.authority.issue(now: Pair.now))
        let other = HTTPClient(
            configuration: HTTPClientConfiguration(trust: .pem(pair.authority.certificatePEM)))
        #expect(try await other.send(HTTPClientRequest(.get, pair.url)).status == 200)
    }
}
