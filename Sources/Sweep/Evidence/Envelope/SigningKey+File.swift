package import FileSystem
import OpenSSL

extension SigningKey {
    /// Bytes of a key file: 119 for a private half in PEM.
    private static let bytesMax = 4096

    /// The key in a file; nil where there is none.
    ///
    /// - Throws: `unreadable` when others than its owner could use the file, or it is no key.
    package static func read(_ path: String, in files: Files) throws(EvidenceError) -> SigningKey? {
        guard files.facts(path) != nil else { return nil }
        guard files.isPrivate(path) else {
            throw EvidenceError(
                .unreadable,
                "the key \(path) must be a file that only its owner can use (mode 0600)")
        }
        do {
            return SigningKey(
                try Ed25519.PrivateKey(pem: files.read(path, bytesMax: bytesMax)))
        } catch {
            throw EvidenceError(.unreadable, "cannot use the key \(path): \(error)")
        }
    }
}
