private import COpenSSL

/// A private authority that may certify this machine's own names only.
///
/// Its name constraints limit it to `localhost`, names below it, the loopback addresses and what
/// was asked for at its making, so trusting it puts no other site at risk.
package final class CertificateAuthority: Sendable {
    /// The authority's certificate in PEM: what clients trust.
    package let certificatePEM: [UInt8]
    /// The authority's key.
    package let key: P256.PrivateKey

    /// A new authority, valid for ten years from `now`.
    ///
    /// - Parameters:
    ///   - names: DNS names and IP addresses besides the loopback ones.
    ///   - now: Seconds since 1970.
    /// - Throws: `nameInvalid`.
    package static func make(
        commonName: String = "cksweep mock server authority", names: [String] = [], now: Int64
    ) throws(OpenSSLError) -> CertificateAuthority {
        preconditionFailure("not yet")
    }

    /// Reads an authority back.
    ///
    /// - Throws: `certificateUnreadable`, `keyUnreadable`, `keyNotP256`, `keyMismatch`.
    package init(certificatePEM: [UInt8], keyPEM: [UInt8]) throws(OpenSSLError) {
        self.certificatePEM = certificatePEM
        self.key = try P256.PrivateKey(pem: keyPEM)
    }

    /// When the certificate ends, in seconds since 1970.
    package var notAfter: Int64 { preconditionFailure("not yet") }

    /// A fresh key and a certificate for a server, valid for `days`.
    ///
    /// - Parameter names: DNS names (`localhost`, `*.localhost`) and IP addresses.
    /// - Throws: `nameInvalid`, `nameNotPermitted` when the authority's constraints forbid it.
    package func issue(
        for names: [String] = ["localhost", "*.localhost", "127.0.0.1", "::1"], days: Int = 30,
        now: Int64
    ) throws(OpenSSLError) -> ServerIdentity {
        preconditionFailure("not yet")
    }
}
