import CloudClient
import CloudModel
import RawHTTPServer
import Testing

/// What each answer of an asset's address says of the asset.
struct AssetProbeTests {
    private func ask(
        _ status: Int, headers: [String] = [], body: String = "x", path: String = "/asset/1"
    ) async throws -> (Result<AssetPresence, CloudError>, RawServer.Request?) {
        let service = try Service { _ in .send(answer(status, body, headers: headers)) }
        defer { service.end() }
        let endpoint = try #require(CloudEndpoint(service.baseURL))
        let probe = AssetDownloads(endpoint: endpoint, client: service.client)
        do throws(CloudError) {
            let presence = try await probe.presence(at: service.baseURL + path)
            return (.success(presence), service.server.requests.first)
        } catch {
            return (.failure(error), service.server.requests.first)
        }
    }

    @Test(arguments: [404, 410])
    func `not found is gone`(status: Int) async throws {
        #expect(try await ask(status).0 == .success(.gone))
    }

    @Test(arguments: [200, 206, 416])
    func `any bytes, and an empty file too, are there`(status: Int) async throws {
        #expect(try await ask(status).0 == .success(.there(until: nil)))
    }

    @Test func `how long it is there is taken from the answer`() async throws {
        let answer = try await ask(206, headers: ["Expires: Thu, 15 Jan 2026 08:30:00 GMT"])
        #expect(answer.0 == .success(.there(until: Service.moment)))
    }

    @Test func `a whole large file is there, and is not read`() async throws {
        let answer = try await ask(200, body: String(repeating: "x", count: 200_000))
        #expect(answer.0 == .success(.there(until: nil)))
    }

    @Test(arguments: [
        (401, CloudError.Code.accessDenied), (403, .accessDenied), (429, .tryAgainLater),
        (503, .tryAgainLater), (302, .unexpectedResponse), (500, .unexpectedResponse),
        (204, .unexpectedResponse),
    ])
    func `any other answer says neither`(status: Int, code: CloudError.Code) async throws {
        guard case .failure(let error) = try await ask(status).0 else {
            Issue.record("\(status) is taken for an answer")
            return
        }
        #expect(error.code == code)
    }

    @Test func `the first byte is asked for, under any name, and nothing tells who asks`()
        async throws
    {
        let request = try #require(try await ask(206, path: "/asset/1/${f}?o=2").1)
        #expect(request.line == "GET /asset/1/asset?o=2")
        #expect(request[header: "range"] == "bytes=0-0")
        #expect(!request.head.contains("ckAPIToken") && request[header: "cookie"] == nil)
    }
}
