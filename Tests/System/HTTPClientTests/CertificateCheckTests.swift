import Foundation
import HTTPClient
import OpenSSL
import RawHTTPServer
import Testing

private let now = Int64(Date().timeIntervalSince1970)
private let day: Int64 = 86_400

@Suite struct CertificateCheckTests {
    private func failure(
        _ identity: ServerIdentity, trust: HTTPClientConfiguration.Trust, host: String = "localhost"
    ) async throws -> HTTPClientError? {
        let server = try RawServer(identity) { _ in .send(answer()) }
        defer { server.stop() }
        let client = HTTPClient(configuration: HTTPClientConfiguration(trust: trust))
        do throws(HTTPClientError) {
            _ = try await client.send(
                HTTPClientRequest(.get, "https://\(host):\(server.port)/"))
            return nil
        } catch {
            #expect(server.requests.isEmpty, "the request was sent to a server not trusted")
            return error
        }
    }

    @Test func `the right authority is accepted from memory and from a file`() async throws {
        let authority = try CertificateAuthority.make(now: now)
        let identity = try authority.issue(now: now)
        #expect(try await failure(identity, trust: .pem(authority.certificatePEM)) == nil)
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("cksweep-ca-\(UUID().uuidString).pem")
        try Data(authority.certificatePEM).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try await failure(identity, trust: .file(file.path)) == nil)
    }

    @Test func `a server of another authority is refused, and the message says what to do`()
        async throws
    {
        let identity = try CertificateAuthority.make(now: now).issue(now: now)
        let other = try CertificateAuthority.make(now: now)
        for trust in [HTTPClientConfiguration.Trust.system, .pem(other.certificatePEM)] {
            let error = try #require(try await failure(identity, trust: trust))
            #expect(error.code == .certificateUntrusted)
            #expect(!error.mayHaveBeenCarriedOut)
            #expect(error.message.contains("not trusted"))
            #expect(error.message.contains("certificate authority"))
        }
    }

    @Test func `a certificate for another name is refused, and the message names ours`()
        async throws
    {
        let authority = try CertificateAuthority.make(now: now)
        let identity = try authority.issue(for: ["localhost"], now: now)
        let error = try #require(
            try await failure(
                identity, trust: .pem(authority.certificatePEM), host: "127.0.0.1"))
        #expect(error.code == .certificateWrongHost, "\(error.message)")
        #expect(error.message.contains("127.0.0.1"))
    }

    @Test func `an expired certificate is refused as expired`() async throws {
        let authority = try CertificateAuthority.make(now: now - 100 * day)
        let identity = try authority.issue(days: 7, now: now - 60 * day)
        let error = try #require(
            try await failure(identity, trust: .pem(authority.certificatePEM)))
        #expect(error.code == .certificateExpired)
        #expect(error.message.contains("expired"))
    }

    @Test func `a file without certificates is named`() async throws {
        let authority = try CertificateAuthority.make(now: now)
        let identity = try authority.issue(now: now)
        let error = try #require(
            try await failure(identity, trust: .file("/nonexistent/ca.pem")))
        #expect(error.code == .trustUnreadable)
        #expect(error.message.contains("/nonexistent/ca.pem"))
    }

    @Test func `bytes that are no certificates are refused`() async throws {
        let authority = try CertificateAuthority.make(now: now)
        let identity = try authority.issue(now: now)
        let error = try #require(
            try await failure(identity, trust: .pem(Array("nonsense".utf8))))
        #expect([.trustUnreadable, .certificateUntrusted].contains(error.code))
    }
}
