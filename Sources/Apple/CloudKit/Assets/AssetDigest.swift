import Basics
import CloudModel
import OpenSSL

/// Counts and digests the bytes of an asset as they pass.
struct AssetDigest: ~Copyable {
    private var digest = SHA256()
    private(set) var count = 0

    mutating func update(_ bytes: [UInt8]) {
        digest.update(bytes)
        count += bytes.count
    }

    /// - Returns: whether these are the bytes of `asset`, as far as what is said of it tells.
    consuming func isDigest(of asset: Asset, isApple: Bool) -> Bool {
        guard count == asset.size else { return false }
        let verdict = AssetChecksum.verdict(
            on: asset.fileChecksum, sha256: Hexadecimal.encode(digest.finish()), isApple: isApple)
        return verdict != .other
    }
}
