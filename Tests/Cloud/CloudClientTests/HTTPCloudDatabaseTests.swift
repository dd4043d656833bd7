import CloudClient
import CloudModel
import HTTPClient
import OpenSSL
import RawHTTPServer
import Testing

@Suite struct HTTPCloudDatabaseTests {
    private let secret = "s3cr3tweb"
    private var credential: Credential {
        .apiToken("s3cr3tapi", web: WebAuthTokenStore(token: secret))
    }

    @Test func `a command is sent as JSON and its reply is read`() async throws {
        let service = try Service { _ in
            .send(
                answer(
                    200, #"{"zones":[{"zoneID":{"zoneName":"Notes"},"deleted":true}]}"#))
        }
        defer { service.end() }
        let database = try service.database(credential)
        let reply = try await database.perform(.write(.modifyZones([.delete(.init("Notes"))])))
        guard case .zones(let items) = reply else {
            Issue.record("another reply: \(reply)")
            return
        }
        #expect(items.map(\.id.zoneName) == ["Notes"])
        let request = try #require(service.server.requests.first)
        #expect(request[header: "Content-Type"] == "application/json; charset=utf-8")
        #expect(String(decoding: request.body, as: UTF8.self).contains("Notes"))
    }

    @Test(arguments: [
        (refusal(503, "TRY_AGAIN_LATER", ",\"retryAfter\":5"), Duration.seconds(5)),
        (
            refusal(503, "TRY_AGAIN_LATER", ",\"retryAfter\":5", headers: ["Retry-After: 30"]),
            .seconds(30)
        ),
        (
            refusal(429, "THROTTLED", ",\"retryAfter\":50", headers: ["Retry-After: 30"]),
            .seconds(50)
        ),
        (answer(503, "busy", headers: ["Retry-After: 7"]), .seconds(7)),
    ])
    func `the longer of the two waits counts`(text: String, wait: Duration) async throws {
        let service = try Service { _ in .send(text) }
        defer { service.end() }
        let error = await failure(try service.database(credential), .read(.listZones(token: nil)))
        #expect(error?.retryAfter == wait)
    }

    @Test(arguments: [
        (RawServer.Reply.close, CloudError.Code.responseLost),
        (
            .sendThenClose("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"zones\":["),
            .responseLost
        ),
        (.sendThenClose("HTTP/1.1 200 OK\r\nContent-Le"), .responseLost),
        (.hang, .responseLost),
        (.send(answer(200, "<html>")), .unexpectedResponse),
        (.send(answer(200, #"{"zones":"#)), .unexpectedResponse),
        (.send(answer(200, String(repeating: " ", count: 100_001))), .answerTooLarge),
        (
            .send(answer(200, #"{"zones":[]}"#, headers: ["Content-Encoding: gzip"])),
            .unexpectedResponse
        ),
        (.send(answer(301, headers: ["Location: /elsewhere"])), .unexpectedResponse),
        (.send("HTTP/1.1 200 OK\r\nContent-Length: 300000000\r\n\r\n"), .answerTooLarge),
        (.send(refusal(403, "ACCESS_DENIED")), .accessDenied),
        (.send(refusal(500, "INTERNAL_ERROR")), .internalError),
    ])
    func `each way to fail has its code, is tried once, and tells no secret`(
        reply: RawServer.Reply, code: CloudError.Code
    ) async throws {
        let isSilent = if case .hang = reply { true } else { false }
        let service = try Service(requestTimeout: .seconds(isSilent ? 1 : 60)) { _ in reply }
        defer { service.end() }
        let command = CloudCommand.write(.modifyZones([.delete(.init("Notes"))]))
        let error = try #require(await failure(try service.database(credential), command))
        #expect(error.code == code)
        #expect(!error.reason.contains("s3cr3t"))
        #expect(service.server.requests.count == 1)
    }

    @Test func `a server that is not there is a network failure`() async throws {
        let service = try Service { _ in .close }
        service.server.stop()
        let database = try service.database(credential)
        // The first connection may still reach the closing listener.
        var code = await failure(database, .read(.listZones(token: nil)))?.code
        while code == .responseLost {
            code = await failure(database, .read(.listZones(token: nil)))?.code
        }
        #expect(code == .networkFailure)
        service.client.shutdown()
    }

    @Test func `a server of another authority gets no request`() async throws {
        let service = try Service { _ in .send(noZones) }
        defer { service.end() }
        let stranger = HTTPClient(configuration: HTTPClientConfiguration(trust: .system))
        let database = try service.database(credential, client: stranger)
        let error = try #require(await failure(database, .read(.listZones(token: nil))))
        #expect(error.code == .certificateUntrusted)
        #expect(error.reason.contains("certificate"))
        #expect(service.server.requests.isEmpty)
    }

    @Test func `a cancelled task ends with that code`() async throws {
        let service = try Service { _ in .hang }
        defer { service.end() }
        let database = try service.database(credential)
        let task = Task { await failure(database, .read(.listZones(token: nil))) }
        while service.server.requests.isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
    }

    @Test(arguments: [
        ("https://localhost:8443", true), ("https://localhost:8443/", true),
        ("http://127.0.0.1:80", true), ("https://api.apple-cloudkit.com", true),
        ("http://api.apple-cloudkit.com", false), ("https://a.example/?x=1", false),
        ("https://a.example/#x", false), ("a.example", false), ("", false),
        ("https://user:pass@a.example", false),
    ])
    func `an endpoint is checked before anything is sent`(url: String, isGood: Bool) {
        #expect((CloudEndpoint.problem(in: url) == nil) == isGood)
        #expect((CloudEndpoint(url) != nil) == isGood)
        #expect(CloudEndpoint(url)?.baseURL.hasSuffix("/") != true)
    }
}
