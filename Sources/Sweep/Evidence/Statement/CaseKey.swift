import Basics
import OpenSSL

/// The key of one case's pseudonyms: with it, and with nothing else, what evidence says of a person
/// can be held to a name. When it is destroyed, evidence stays good and says no more about whom.
package struct CaseKey: Sendable {
    package static let byteCount = 32
    private let key: [UInt8]

    /// - Precondition: 32 bytes.
    package init(_ key: [UInt8]) {
        precondition(key.count == Self.byteCount, "a key of another size")
        self.key = key
    }

    /// What evidence says of the key itself.
    package var digest: String { Hexadecimal.encode(SHA256.hash(key)) }

    /// What a name is of.
    package enum Kind: String, Sendable {
        case user
        case zone
    }

    /// The pseudonym of a name: 16 bytes of HMAC-SHA256 in hexadecimal. Each part stands behind its
    /// length, so that no two names have the same bytes.
    package func pseudonym(
        of name: String, _ kind: Kind, in container: String, _ environment: String
    ) -> String {
        var message = Array("cksweep/pseudonym/v1".utf8)
        for part in [kind.rawValue, environment, container, name] {
            let bytes = Array(part.utf8)
            for shift in stride(from: 56, through: 0, by: -8) {
                message.append(UInt8(truncatingIfNeeded: UInt64(bytes.count) >> UInt64(shift)))
            }
            message += bytes
        }
        return digest(of: message)
    }

    /// The same for any bytes, such as a plan's line.
    package func digest(of bytes: [UInt8]) -> String {
        Hexadecimal.encode(Array(HMACSHA256.authenticate(bytes, key: key).prefix(16)))
    }
}
