import Basics
import CloudModel
import OpenSSL

/// What an asset is known by: the first 20 bytes of the SHA-256 of its bytes. Equal bytes are one file,
/// whoever uploaded them.
package struct AssetDigest: Sendable, Hashable {
    /// In hexadecimal digits, as files and rows are named.
    package let name: String

    private static let byteCount = 20
    /// The first byte of a checksum, as the service's have it.
    private static let version: UInt8 = 1

    package init(sha256: [UInt8]) {
        name = Hexadecimal.encode(Array(sha256.prefix(Self.byteCount)))
    }

    /// Reads a file's name; nil when it is not one of an asset.
    init?(name: String) {
        guard Hexadecimal.decode(name)?.count == Self.byteCount else { return nil }
        self.name = name
    }

    /// Reads a `fileChecksum`; nil when it was not made here.
    init?(checksum: String) {
        guard let bytes = Base64.decode(checksum), bytes.count == Self.byteCount + 1,
            bytes[0] == Self.version
        else { return nil }
        name = Hexadecimal.encode(Array(bytes.dropFirst()))
    }

    /// The `fileChecksum`.
    package var checksum: String {
        Base64.encode([Self.version] + (Hexadecimal.decode(name) ?? []))
    }

    /// The value that records keep.
    func asset(size: Int64) -> Asset { Asset(fileChecksum: checksum, size: size) }

    /// The value that is answered to whoever may attach it, with the keys that some clients insist on.
    func asset(size: Int64, receipt: String) -> Asset {
        var asset = asset(size: size)
        asset.receipt = receipt
        let derived = { (purpose: String) in SHA256.hash(Array((purpose + name).utf8)) }
        asset.referenceChecksum = Base64.encode(
            [Self.version] + derived("reference ").prefix(Self.byteCount))
        asset.wrappingKey = Base64.encode(Array(derived("wrapping ").prefix(16)))
        return asset
    }
}
