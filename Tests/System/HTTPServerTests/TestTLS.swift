import Foundation
import OpenSSL

/// An authority made for one test, with both ends' settings.
struct TestTLS {
    let authority: CertificateAuthority
    let server: TLSContext
    let client: TLSContext

    /// - Parameter authority: Of another one, whose server the client is to talk to.
    init(authority: CertificateAuthority? = nil, clientProtocols: [String] = ["h2"]) throws {
        let now = Int64(Date().timeIntervalSince1970)
        self.authority = try authority ?? CertificateAuthority.make(now: now)
        server = try TLSContext(server: self.authority.issue(now: now))
        client = try TLSContext(
            clientTrusting: self.authority.certificatePEM, protocols: clientProtocols)
    }
}
