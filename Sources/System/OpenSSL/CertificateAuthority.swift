private import COpenSSL

/// A private authority that may certify this machine's own names only.
///
/// It certifies servers and nothing else. Its name constraints limit it to `localhost`, names below it
/// and the names asked for at its making, so trusting it puts no other site's name at risk. Addresses
/// it may certify all: BoringSSL, and with it Chromium and every Swift program on AsyncHTTPClient,
/// refuses an authority whose constraints speak of addresses. What an authority of ours certifies
/// lies in ``issue(for:days:now:key:)``'s hands.
package final class CertificateAuthority: Sendable {
    /// The authority's certificate in PEM: what clients trust.
    package let certificatePEM: [UInt8]
    /// The authority's key.
    package let key: P256.PrivateKey

    private static let secondsPerDay: Int64 = 86_400
    /// Ten years.
    private static let authorityDays: Int64 = 3_653
    /// The most names in one certificate.
    private static let namesMax = 100
    /// What every authority may certify.
    private static let ownConstraint = "permitted;DNS:localhost"

    private init(certificatePEM: [UInt8], key: P256.PrivateKey) {
        self.certificatePEM = certificatePEM
        self.key = key
    }

    /// A new authority, valid for ten years from `now`.
    ///
    /// - Parameters:
    ///   - names: DNS names, with what lies below them; addresses need not be named.
    ///   - now: Seconds since 1970.
    /// - Throws: `nameInvalid`.
    package static func make(
        commonName: String = "cloudkit-mock authority", names: [String] = [], now: Int64
    ) throws(OpenSSLError) -> CertificateAuthority {
        let key = try P256.PrivateKey.generate()
        let certificate = try X509Certificate(
            commonName: commonName, key: key, notBefore: now - secondsPerDay,
            notAfter: now + authorityDays * secondsPerDay)
        var constraints = [ownConstraint]
        for name in try parsed(names) {
            guard let constraint = name.constraint, !constraints.contains(constraint) else {
                continue
            }
            constraints.append(constraint)
        }
        try unsafe certificate.complete(
            issuer: certificate.handle, key: key,
            extensions: [
                (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
                (NID_key_usage, "critical,keyCertSign,cRLSign"),
                (NID_ext_key_usage, "serverAuth"),
                (NID_subject_key_identifier, "hash"),
                (NID_name_constraints, "critical," + constraints.joined(separator: ",")),
            ])
        return CertificateAuthority(certificatePEM: certificate.pem, key: key)
    }

    /// Reads an authority back.
    ///
    /// - Throws: `certificateUnreadable`, `keyUnreadable`, `keyNotP256`, `keyMismatch`.
    package convenience init(certificatePEM: [UInt8], keyPEM: [UInt8]) throws(OpenSSLError) {
        let certificate = try X509Certificate(pem: certificatePEM)
        let key = try P256.PrivateKey(pem: keyPEM)
        guard certificate.belongs(to: key) else {
            throw OpenSSLError(
                .keyMismatch, "the authority's certificate and key do not belong together")
        }
        self.init(certificatePEM: certificatePEM, key: key)
    }

    /// When the certificate ends, in seconds since 1970.
    ///
    /// - Throws: `certificateUnreadable`.
    package func notAfter() throws(OpenSSLError) -> Int64 {
        try X509Certificate(pem: certificatePEM).notAfter
    }

    /// A certificate for a server, valid from an hour ago for `days`.
    ///
    /// - Parameters:
    ///   - names: DNS names and IP addresses. OpenSSL's clients (curl, say) hold `*.localhost` too
    ///     wide and do not accept it: name each such host.
    ///   - now: Seconds since 1970.
    ///   - key: The server's; a fresh one when nil.
    /// - Throws: `nameInvalid`; `nameNotPermitted` when the authority's constraints forbid one;
    ///   `failed` when the authority has expired.
    package func issue(
        for names: [String] = ["localhost", "127.0.0.1", "::1"], days: Int = 30,
        now: Int64, key known: P256.PrivateKey? = nil
    ) throws(OpenSSLError) -> ServerIdentity {
        precondition(days > 0 && days <= 825, "a server certificate lives for 1 to 825 days")
        let authority = try X509Certificate(pem: certificatePEM)
        let serverKey = if let known { known } else { try P256.PrivateKey.generate() }
        let certificate = try X509Certificate(
            commonName: "cloudkit-mock", key: serverKey, notBefore: now - 3600,
            notAfter: now + Int64(days) * Self.secondsPerDay)
        let alternativeNames = try Self.parsed(names).map(\.alternativeName)
        guard !alternativeNames.isEmpty else {
            throw OpenSSLError(.nameInvalid, "a server certificate needs at least one name")
        }
        try unsafe certificate.complete(
            issuer: authority.handle, key: key,
            extensions: [
                (NID_basic_constraints, "critical,CA:FALSE"),
                (NID_key_usage, "critical,digitalSignature"),
                (NID_ext_key_usage, "serverAuth"),
                (NID_subject_key_identifier, "hash"),
                (NID_authority_key_identifier, "keyid:always"),
                (NID_subject_alt_name, alternativeNames.joined(separator: ",")),
            ])
        try certificate.verify(under: authority, now: now)
        return ServerIdentity(chainPEM: certificate.pem, keyPEM: serverKey.pem)
    }

    /// Whether its constraints speak of addresses, as earlier versions made them: BoringSSL's clients
    /// refuse it.
    package func constrainsAddresses(now: Int64) -> Bool {
        do throws(OpenSSLError) {
            // An address of nobody's, for documents.
            _ = try issue(for: ["192.0.2.1"], now: now, key: key)
            return false
        } catch {
            return error.code == .nameNotPermitted
        }
    }

    private static func parsed(_ names: [String]) throws(OpenSSLError) -> [CertificateName] {
        guard names.count <= namesMax else {
            throw OpenSSLError(.nameInvalid, "more than \(namesMax) names")
        }
        var result: [CertificateName] = []
        for text in names {
            let name = try CertificateName(text)
            if !result.contains(name) { result.append(name) }
        }
        return result
    }
}
