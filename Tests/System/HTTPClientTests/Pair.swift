import Foundation
import HTTPClient
import OpenSSL
import RawHTTPServer

/// An authority, a server under it that says what it is told, and a client that trusts it.
struct Pair {
    static let now = Int64(Date().timeIntervalSince1970)

    let authority: CertificateAuthority
    let server: RawServer
    let client: HTTPClient
    var url: String { "https://localhost:\(server.port)/path?query=1" }

    init(
        names: [String] = ["localhost", "127.0.0.1"],
        configure: (inout HTTPClientConfiguration) -> Void = { _ in },
        answer: @escaping @Sendable (RawServer.Request) -> RawServer.Reply
    ) throws {
        authority = try CertificateAuthority.make(now: Self.now)
        server = try RawServer(authority.issue(for: names, now: Self.now), answer: answer)
        var configuration = HTTPClientConfiguration(trust: .pem(authority.certificatePEM))
        configure(&configuration)
        client = HTTPClient(configuration: configuration)
    }

    func end() {
        client.shutdown()
        server.stop()
    }

    /// Sends a GET.
    func get(timeout: Duration? = nil) async throws(HTTPClientError) -> HTTPClientResponse {
        try await client.send(HTTPClientRequest(.get, url, timeout: timeout))
    }

    /// How a GET fails; nil when it does not.
    func failure(timeout: Duration? = nil) async -> HTTPClientError? {
        await failureOf(client, HTTPClientRequest(.get, url, timeout: timeout))
    }
}

/// The error of a request that must fail.
func failureOf(_ client: HTTPClient, _ request: HTTPClientRequest) async -> HTTPClientError? {
    do throws(HTTPClientError) {
        _ = try await client.send(request)
        return nil
    } catch {
        return error
    }
}
