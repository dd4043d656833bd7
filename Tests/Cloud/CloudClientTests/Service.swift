import Basics
import CloudClient
import CloudModel
import Foundation
import HTTPClient
import OpenSSL
import RawHTTPServer

/// A service over TLS that says what it is told, and databases there.
struct Service {
    static let container = Container.ID("iCloud.com.example.app")
    let authority: CertificateAuthority
    let server: RawServer
    let client: HTTPClient

    init(
        requestTimeout: Duration = .seconds(60),
        answer: @escaping @Sendable (RawServer.Request) -> RawServer.Reply
    ) throws {
        let now = Int64(Date().timeIntervalSince1970)
        authority = try CertificateAuthority.make(now: now)
        server = try RawServer(authority.issue(now: now), answer: answer)
        var configuration = HTTPClientConfiguration(trust: .pem(authority.certificatePEM))
        configuration.responseBytesMax = 100_000
        configuration.requestTimeout = requestTimeout
        client = HTTPClient(configuration: configuration)
    }

    var baseURL: String { "https://localhost:\(server.port)" }

    func end() {
        client.shutdown()
        server.stop()
    }

    /// 2026-01-15T08:30:00Z.
    static let moment = Timestamp(milliseconds: 1_768_465_800_000)

    func database(
        _ credential: Credential, scope: Database.Scope = .private, client: HTTPClient? = nil,
        clock: WallClock = .fixed(moment)
    ) throws -> HTTPCloudDatabase {
        guard let endpoint = CloudEndpoint(baseURL + "/"), let container = Self.container else {
            throw CloudError(.unknown)
        }
        return HTTPCloudDatabase(
            address: Database.Address(
                container: container, environment: .development, scope: scope),
            endpoint: endpoint, credential: credential, client: client ?? self.client, clock: clock)
    }
}

/// The error of a command that must fail.
func failure(_ database: some CloudDatabase, _ command: CloudCommand) async -> CloudError? {
    do throws(CloudError) {
        _ = try await database.perform(command)
        return nil
    } catch {
        return error
    }
}

let noZones = answer(200, #"{"zones":[]}"#)

func refusal(
    _ status: Int, _ code: String, _ more: String = "", headers: [String] = []
) -> String {
    let body =
        #"{"uuid":"0d9a7c52-6b5f-4c11-9a55-4e1b7ad1f0aa","serverErrorCode":"\#(code)","#
        + #""reason":"because"\#(more)}"#
    return answer(status, body, headers: headers)
}
