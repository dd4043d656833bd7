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

    @Test func `not found is gone`() async throws {
        #expect(try await ask(404).0 == .success(.gone))
    }

    /// iCloud answers so once an address has expired, whether or not the file is there.
    @Test(arguments: [
        ("?o=2&e=1768466000", true), ("?e=1768466000&o=2", true), ("?e=1768465800", false),
        ("?e=1768465799", false), ("", false), ("?o=1768466000", false), ("?e=", false),
        ("?e=1768466000&e=1", false), ("?e=-1768466000", false), ("?e=9999999999999999999", false),
        ("?o=e=1768466000", false),
    ])
    func `410 is gone of an address that says that it is good still`(
        query: String, isGone: Bool
    ) async throws {
        let date = ["Date: Thu, 15 Jan 2026 08:30:00 GMT"]
        let answer = try await ask(410, headers: date, path: "/asset/1" + query).0
        guard !isGone else { return #expect(answer == .success(.gone)) }
        guard case .failure(let error) = answer else {
            Issue.record("taken for gone")
            return
        }
        #expect(error.code == .accessDenied)
    }

    @Test func `410 of a server without a clock is not gone`() async throws {
        let answer = try await ask(410, path: "/asset/1?e=4000000000").0
        #expect(answer != .success(.gone))
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
        (204, .unexpectedResponse), (304, .unexpectedResponse), (410, .accessDenied),
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
