import Basics
import CloudClient
import CloudModel
import OpenSSL
import RawHTTPServer
import Testing

@Suite struct SignedRequestTests {
    private let path = "/database/1/iCloud.com.example.app/development/public/"
    private let emptyHash = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    /// Whether the request's signature is of this message.
    private func isSigned(
        _ request: RawServer.Request, _ message: String, by key: P256.PrivateKey
    ) -> Bool {
        guard let text = request[header: "X-Apple-CloudKit-Request-SignatureV1"],
            let signature = Base64.decode(text)
        else { return false }
        return key.publicKey.verify(signature, of: Array(message.utf8))
    }

    @Test func `a request with a body is signed over date, hash of the sent bytes and path`()
        async throws
    {
        let key = try P256.PrivateKey.generate()
        let service = try Service { _ in .send(answer(200, #"{"zones":[]}"#)) }
        defer { service.end() }
        let database = try service.database(.serverKey(id: "abcd", key), scope: .public)
        _ = try await database.perform(.read(.lookUpZones([])))
        let request = try #require(service.server.requests.first)
        #expect(request.line == "POST \(path)zones/lookup")
        #expect(request[header: "X-Apple-CloudKit-Request-KeyID"] == "abcd")
        #expect(request[header: "X-Apple-CloudKit-Request-ISO8601Date"] == "2026-01-15T08:30:00Z")
        let hash = Base64.encode(SHA256.hash(request.body))
        #expect(isSigned(request, "2026-01-15T08:30:00Z:\(hash):\(path)zones/lookup", by: key))
    }

    @Test func `a refused request without a body is signed once more in the other form`()
        async throws
    {
        let key = try P256.PrivateKey.generate()
        let service = try Service { [emptyHash] request in
            let signature = request[header: "X-Apple-CloudKit-Request-SignatureV1"] ?? ""
            let path = request.line.dropFirst(4)
            let isAccepted = key.publicKey.verify(
                Base64.decode(signature) ?? [],
                of: Array("2026-01-15T08:30:00Z:\(emptyHash):\(path)".utf8))
            return .send(isAccepted ? noZones : refusal(401, "AUTHENTICATION_FAILED"))
        }
        defer { service.end() }
        let database = try service.database(.serverKey(id: "abcd", key), scope: .public)
        _ = try await database.perform(.read(.listZones(token: nil)))
        let requests = service.server.requests
        #expect(requests.count == 2)
        #expect(isSigned(requests[0], "2026-01-15T08:30:00Z::\(path)zones/list", by: key))
    }

    @Test(arguments: [CloudCommand.read(.listZones(token: nil)), .read(.lookUpZones([]))])
    func `a refused signature is an error after one form with a body and two without`(
        command: CloudCommand
    ) async throws {
        let service = try Service { _ in .send(refusal(401, "AUTHENTICATION_FAILED")) }
        defer { service.end() }
        let database = try service.database(
            .serverKey(id: "abcd", .generate()), scope: .public)
        #expect(await failure(database, command)?.code == .authenticationFailed)
        #expect(
            service.server.requests.count == (command == .read(.listZones(token: nil)) ? 2 : 1))
    }

    @Test func `an API token that is refused is sent once`() async throws {
        let service = try Service { _ in .send(refusal(401, "AUTHENTICATION_FAILED")) }
        defer { service.end() }
        let database = try service.database(.apiToken("ab", web: nil))
        #expect(
            await failure(database, .read(.listZones(token: nil)))?.code == .authenticationFailed)
        #expect(service.server.requests.count == 1)
    }

    @Test(arguments: [
        ("Thu, 15 Jan 2026 08:30:30 GMT", nil), ("Thu, 15 Jan 2026 08:50:00 GMT", "1200 s behind"),
        ("Thu, 15 Jan 2026 07:30:00 GMT", "3600 s ahead"), ("yesterday", nil), ("", nil),
    ])
    func `a refusal says when our clock is off`(date: String, hint: String?) async throws {
        let service = try Service { _ in
            .send(refusal(401, "AUTHENTICATION_FAILED", headers: ["Date: \(date)"]))
        }
        defer { service.end() }
        let database = try service.database(
            .serverKey(id: "abcd", .generate()), scope: .public)
        let error = try #require(await failure(database, .read(.listZones(token: nil))))
        #expect(error.code == .authenticationFailed)
        #expect(error.httpStatus == 401)
        if let hint {
            #expect(error.reason.contains(hint))
        } else {
            #expect(!error.reason.contains("clock"))
        }
    }
}
