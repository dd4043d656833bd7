import Foundation
import OpenSSL
import Testing

struct CertificateTests {
    private let now = Int64(Date().timeIntervalSince1970)

    private func text(_ pem: [UInt8]) throws -> String {
        String(
            decoding: try OpenSSLTool.run(["x509", "-noout", "-text"], input: pem), as: UTF8.self)
    }

    @Test func `the authority may certify this machine's names and the ones asked for only`() throws
    {
        let authority = try CertificateAuthority.make(
            names: ["mock.example", "192.0.2.7", "2001:db8::7"], now: now)
        let text = try text(authority.certificatePEM)
        #expect(text.contains("CA:TRUE, pathlen:0"))
        #expect(text.contains("Certificate Sign, CRL Sign"))
        #expect(text.contains("X509v3 Name Constraints: critical"))
        for constraint in [
            "DNS:localhost", "DNS:mock.example", "TLS Web Server Authentication",
        ] {
            #expect(text.contains(constraint), "\(constraint) is missing")
        }
        // BoringSSL refuses an authority with such constraints.
        #expect(!text.contains("IP:"))
        #expect(!authority.constrainsAddresses(now: now))
        let days = (try authority.notAfter() - now) / 86_400
        #expect(days == 3_653)
    }

    @Test func `an authority whose constraints speak of addresses is told`() throws {
        let key = try P256.PrivateKey.generate()
        let file = NSTemporaryDirectory() + "cksweep-\(UUID().uuidString).key"
        try Data(key.pem).write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let pem = try OpenSSLTool.run([
            "req", "-x509", "-new", "-key", file, "-subj", "/CN=before", "-days", "30", "-addext",
            "nameConstraints=critical,permitted;DNS:localhost,permitted;IP:127.0.0.0/255.0.0.0",
        ])
        let authority = try CertificateAuthority(certificatePEM: pem, keyPEM: key.pem)
        // The tool has dated it a moment later than this test began.
        #expect(authority.constrainsAddresses(now: now + 60))
    }

    @Test func `a server certificate bears its names and lives shortly`() throws {
        let authority = try CertificateAuthority.make(now: now)
        let identity = try authority.issue(days: 7, now: now)
        let text = try text(identity.chainPEM)
        #expect(text.contains("DNS:localhost, IP Address:127.0.0.1"))
        #expect(text.contains("IP Address:0:0:0:0:0:0:0:1"))
        #expect(text.contains("TLS Web Server Authentication"))
        #expect(text.contains("CA:FALSE"))
        #expect(text.contains("ASN1 OID: prime256v1"))
    }

    @Test(arguments: [
        ("example.com", false), ("192.0.2.1", true), ("notlocalhost", false),
        ("a.localhost", true), ("127.9.9.9", true), ("*.b.localhost", true),
    ])
    func `names outside of the authority's reach are refused`(name: String, isPermitted: Bool)
        throws
    {
        let authority = try CertificateAuthority.make(now: now)
        do throws(OpenSSLError) {
            _ = try authority.issue(for: [name], now: now)
            #expect(isPermitted)
        } catch {
            #expect(!isPermitted)
            #expect(error.code == .nameNotPermitted)
        }
    }

    @Test(arguments: [
        "", ".", "a..b", "-a.b", "a b", "a,DNS:evil", "*", "a.*.b", "1.2.3", "ü.example",
        "localhost\n", String(repeating: "a", count: 64),
    ])
    func `what is no name is refused before OpenSSL sees it`(name: String) throws {
        let error = #expect(throws: OpenSSLError.self) {
            try CertificateAuthority.make(names: [name], now: now)
        }
        #expect(error?.code == .nameInvalid)
    }

    @Test func `an authority survives a trip through files, and strange keys are noticed`() throws {
        let authority = try CertificateAuthority.make(now: now)
        let again = try CertificateAuthority(
            certificatePEM: authority.certificatePEM, keyPEM: authority.key.pem)
        let identity = try again.issue(now: now)
        _ = try TLSContext(server: identity)
        let strange = try P256.PrivateKey.generate()
        let mismatch = #expect(throws: OpenSSLError.self) {
            try CertificateAuthority(
                certificatePEM: authority.certificatePEM, keyPEM: strange.pem)
        }
        #expect(mismatch?.code == .keyMismatch)
        let other = #expect(throws: OpenSSLError.self) {
            try TLSContext(
                server: ServerIdentity(chainPEM: identity.chainPEM, keyPEM: strange.pem))
        }
        #expect(other?.code == .keyMismatch)
    }

    @Test func `an expired authority vouches for nobody`() throws {
        let authority = try CertificateAuthority.make(now: now)
        let error = #expect(throws: OpenSSLError.self) {
            try authority.issue(now: now + 3_700 * 86_400)
        }
        #expect(error?.reason.contains("expired") == true)
    }

    @Test func `a file that cannot be read is named`() {
        let error = #expect(throws: OpenSSLError.self) {
            try ServerIdentity(chainFile: "/nonexistent/a.pem", keyFile: "/nonexistent/b.pem")
        }
        #expect(error?.code == .fileUnreadable)
        #expect(error?.reason == "cannot read /nonexistent/a.pem: No such file or directory")
    }
}
