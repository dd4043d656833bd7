import Basics
import CloudClient
import CloudModel
import Foundation
import HTTPClient
import OpenSSL
import RawHTTPServer
import Testing

/// Which server a run has talked to, and that it stays the same.
@Suite struct WhoAnsweredTests {
    private static let now = Int64(Date().timeIntervalSince1970)
    private let credential = Credential.apiToken("api", web: nil)

    @Test func `an endpoint tells the key of the server that answered, in hexadecimal`()
        async throws
    {
        let service = try Service { _ in .send(noZones) }
        defer { service.end() }
        let identity = try service.authority.issue(now: Self.now)
        try service.server.become(identity)
        let endpoint = try #require(CloudEndpoint(service.baseURL))
        #expect(endpoint.serverKey(seenBy: service.client) == nil)
        _ = try await service.database(credential).perform(.read(.listZones(token: nil)))
        let key = try #require(endpoint.serverKey(seenBy: service.client))
        #expect(key == Hexadecimal.encode(try identity.keyDigest()))
        #expect(key.utf8.count == 64)
    }

    @Test func `in the middle of a run a server with another certificate gets no request`()
        async throws
    {
        let service = try Service { _ in .sendThenPart(noZones) }
        defer { service.end() }
        let database = try service.database(credential)
        _ = try await database.perform(.read(.listZones(token: nil)))
        await service.server.hasClosed(1)
        try service.server.become(service.authority.issue(now: Self.now))
        let command = CloudCommand.write(.modifyZones([.delete(RecordZone.ID("Notes"))]))
        let error = try #require(await failure(database, command))
        #expect(error.code == .certificateUntrusted)
        #expect(error.reason.contains("another key than before in this run"))
        #expect(service.server.requests.count == 1)
    }
}
