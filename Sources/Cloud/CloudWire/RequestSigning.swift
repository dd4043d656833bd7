/// The bytes that server-to-server keys sign. Hashing and signing are the caller's.
///
/// - SeeAlso: <https://developer.apple.com/library/archive/documentation/DataManagement/Conceptual/CloudKitWebServicesReference/SettingUpWebServices.html>
package enum RequestSigning {
    /// The header that names the key.
    package static let keyIDHeader = "X-Apple-CloudKit-Request-KeyID"
    /// The header with the date that was signed.
    package static let dateHeader = "X-Apple-CloudKit-Request-ISO8601Date"
    /// The header with the base64 of the DER signature.
    package static let signatureHeader = "X-Apple-CloudKit-Request-SignatureV1"
    /// The header that brings the next web auth token.
    package static let webAuthTokenHeader = "X-Apple-CloudKit-Web-Auth-Token"
    /// The base64 SHA-256 of no bytes.
    package static let emptyBodyHash = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    /// The string to sign: date, body hash and path, with colons between.
    ///
    /// - Parameters:
    ///   - date: `2026-01-15T08:30:00Z`.
    ///   - bodyHash: The base64 SHA-256 of the body's bytes; empty for a request without a body.
    ///   - path: Without the query, beginning with `/database/1/`.
    package static func message(date: String, bodyHash: String, path: String) -> String {
        "\(date):\(bodyHash):\(path)"
    }

    /// Every string a client in use may have signed for one request, the likeliest first: with and
    /// without the query, and with the hash of nothing or no hash for an empty body.
    package static func acceptedMessages(
        date: String, bodyHash: String, path: String, query: String
    ) -> [String] {
        let hashes =
            bodyHash == emptyBodyHash || bodyHash.isEmpty ? ["", emptyBodyHash] : [bodyHash]
        let paths = query.isEmpty ? [path] : [path, path + "?" + query]
        return paths.flatMap { path in
            hashes.map { message(date: date, bodyHash: $0, path: path) }
        }
    }
}
