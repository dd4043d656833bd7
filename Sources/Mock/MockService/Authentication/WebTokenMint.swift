package import Basics
import OpenSSL

/// Makes and reads web tokens.
///
/// A token carries its user, its time and a number under a keyed digest, so a restarted server
/// knows the tokens it gave out before, and tokens cost no memory. It is text of hexadecimal
/// digits, at least 100.
package struct WebTokenMint: Sendable {
    /// What a token says.
    package struct Content: Sendable, Hashable {
        package let user: String
        /// Milliseconds since 1970.
        package let issued: Int64
        /// Larger than that of any token made before.
        package let number: Int64
    }

    private let key: [UInt8]
    /// That of the last token.
    private(set) var number: Int64
    private static let version: UInt8 = 1
    private static let tagBytes = 32

    /// Tokens made with one key are worth nothing to a server with another.
    ///
    /// - Parameter start: Larger than of any other mint with this key.
    package init(_ key: CredentialKey, start: Int64) {
        self.key = key.derived(for: "web tokens")
        number = (start & 0x7F_FFFF) << 40
    }

    /// A number that no token has had.
    package mutating func nextNumber() -> Int64 {
        number += 1
        return number
    }

    /// A new token for a user.
    package mutating func issue(user: String, now: Timestamp) -> String {
        let number = nextNumber()
        var payload = [Self.version]
        for value in [now.milliseconds, number] {
            for shift in stride(from: 56 as Int64, through: 0, by: -8) {
                payload.append(UInt8(truncatingIfNeeded: value >> shift))
            }
        }
        payload += Array(user.utf8)
        while payload.count + Self.tagBytes < 50 { payload.append(0) }
        return Hexadecimal.encode(payload + HMACSHA256.authenticate(payload, key: key))
    }

    /// The contents of a token; nil: another mint made it.
    package func read(_ token: String) -> Content? {
        guard token.utf8.count <= 1024, let bytes = Hexadecimal.decode(token), bytes.count >= 50,
            bytes[0] == Self.version
        else { return nil }
        let payload = Array(bytes.dropLast(Self.tagBytes))
        let tag = Array(bytes.suffix(Self.tagBytes))
        guard equalInConstantTime(tag, HMACSHA256.authenticate(payload, key: key)) else {
            return nil
        }
        func number(at start: Int) -> Int64 {
            payload[start..<start + 8].reduce(0) { $0 << 8 | Int64($1) }
        }
        let name = payload[17...].prefix { $0 != 0 }
        return Content(
            user: String(decoding: name, as: UTF8.self), issued: number(at: 1),
            number: number(at: 9))
    }
}
