package import FileSystem
import OpenSSL

/// What a server's API tokens are derived from, and what its web tokens are authenticated with.
///
/// Unless it is made of a seed, nothing that the server shows (UUIDs, record names) reveals anything
/// of it.
package struct CredentialKey: Sendable {
    private let bytes: [UInt8]
    private static let byteCount = 32
    private static let fileName = "credentials.key"

    /// A new random key.
    package init() { bytes = SecureRandom.bytes(Self.byteCount) }

    /// The same key for the same seed: for tests that want to know the tokens beforehand.
    package init(seed: UInt64) { bytes = SHA256.hash(Array("credentials of seed \(seed)".utf8)) }

    /// The key kept in a store's folder, made when it is not there, so that tokens outlive a restart.
    package init(keptIn folder: String, _ files: Files) throws(FileError) {
        let path = folder + "/" + Self.fileName
        if files.facts(path) == nil {
            try files.write(
                SecureRandom.bytes(Self.byteCount), to: path, mode: 0o600, replacing: false)
        }
        bytes = try files.read(path, bytesMax: Self.byteCount)
        guard bytes.count == Self.byteCount else {
            throw FileError(
                path, "is not a key of \(Self.byteCount) bytes; remove it to create a new one")
        }
    }

    /// The key of a namespace of the server that has this one.
    package func derived(forNamespace name: String) -> CredentialKey {
        CredentialKey(bytes: derived(for: "namespace \(name)"))
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// A key of 32 bytes for one purpose. It reveals nothing about the others.
    package func derived(for purpose: String) -> [UInt8] {
        HMACSHA256.authenticate(Array(purpose.utf8), key: bytes)
    }
}
