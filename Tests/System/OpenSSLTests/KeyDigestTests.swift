import Foundation
import OpenSSL
import Testing

struct KeyDigestTests {
    @Test func `a key's digest is that of its SubjectPublicKeyInfo`() throws {
        let now = Int64(Date().timeIntervalSince1970)
        let authority = try CertificateAuthority.make(now: now)
        let identity = try authority.issue(now: now)
        let pem = try OpenSSLTool.run(["x509", "-noout", "-pubkey"], input: identity.chainPEM)
        let info = try OpenSSLTool.run(["pkey", "-pubin", "-outform", "DER"], input: pem)
        #expect(try identity.keyDigest() == SHA256.hash(info))
        #expect(try authority.issue(now: now).keyDigest() != identity.keyDigest())
    }

    @Test func `what is no certificate has no key`() {
        let identity = ServerIdentity(chainPEM: Array("nonsense".utf8), keyPEM: [])
        #expect(throws: OpenSSLError.self) { try identity.keyDigest() }
    }
}
