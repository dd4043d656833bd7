import Basics

/// Holds a service's `fileChecksum` against the bytes that came.
package enum AssetChecksum {
    /// What can be said.
    package enum Verdict: Sendable, Hashable {
        case same
        case other
        /// The checksum has a form that is the service's own secret.
        case unknownForm
    }

    /// The mock server's form: a version byte, and the first 20 bytes of the SHA-256.
    private static let version: UInt8 = 1
    private static let byteCount = 20

    /// What the checksum says of bytes.
    ///
    /// - Parameter isApple: Whether the checksum is Apple's, whose form looks the same and is not
    ///   documented: there only that both are equal says anything.
    package static func verdict(
        on checksum: String, sha256: String, isApple: Bool
    ) -> Verdict {
        guard let bytes = Base64.decode(checksum), bytes.count == byteCount + 1,
            bytes[0] == version
        else { return .unknownForm }
        if Hexadecimal.encode(Array(bytes.dropFirst())) == sha256.prefix(2 * byteCount) {
            return .same
        }
        return isApple ? .unknownForm : .other
    }
}
