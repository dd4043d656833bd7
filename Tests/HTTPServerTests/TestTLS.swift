import Foundation
import OpenSSL

/// An authority made for one test, with both ends' settings.
struct TestTLS {
    let authority: CertificateAuthority
    let server: TLSContext
    let client: TLSContext

    init(clientProtocols: [String] = ["h2"]) throws {
        let now = Int64(Date().timeIntervalSince1970)
        authority = try CertificateAuthority.make(now: now)
        server = try TLSContext(server: authority.issue(now: now))
        client = try TLSContext(
            clientTrusting: authority.certificatePEM, protocols: clientProtocols)
    }
}
