package import OpenSSL

/// What servers show when a connection is made: made once, for all runs.
package struct Certificates: Sendable {
    /// The authority that clients trust, as PEM.
    package let authority: [UInt8]
    /// What the honest server shows.
    package let honest: TLSContext
    /// Of the same authority, with another key.
    package let renewed: TLSContext
    /// Of an authority nobody trusts.
    package let untrusted: TLSContext
    /// Of the right authority, out of date.
    package let expired: TLSContext
    /// Of the right authority, for another host.
    package let otherHost: TLSContext

    /// - Parameter now: Seconds since 1970, by the clock that clients check with.
    package init(now: Int64) throws(OpenSSLError) {
        let trusted = try CertificateAuthority.make(now: now - 40 * 86_400)
        let other = try CertificateAuthority.make(now: now)
        func context(
            _ authority: CertificateAuthority, _ names: [String] = ["localhost", "127.0.0.1"],
            at moment: Int64
        ) throws(OpenSSLError) -> TLSContext {
            try TLSContext(
                server: authority.issue(for: names, days: 10, now: moment),
                protocols: ["http/1.1"])
        }
        authority = trusted.certificatePEM
        honest = try context(trusted, at: now)
        renewed = try context(trusted, at: now)
        untrusted = try context(other, at: now)
        expired = try context(trusted, at: now - 30 * 86_400)
        otherHost = try context(trusted, ["other.localhost"], at: now)
    }
}
