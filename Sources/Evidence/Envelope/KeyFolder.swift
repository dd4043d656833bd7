import FileSystem
import OpenSSL

/// Where the key lies that signs the evidence of a state folder: a private file that is its owner's
/// alone, and the public half beside it.
package struct KeyFolder: Sendable {
    private let folder: String
    private let files = Files(workingFolder: Files.currentFolder)
    /// Bytes of a key file: 119 for the private half.
    private static let bytesMax = 4096

    /// - Parameter stateFolder: The folder whose runs are signed.
    package init(stateFolder: String) { folder = stateFolder + "/keys" }

    package var privatePath: String { folder + "/evidence.pem" }
    package var publicPath: String { folder + "/evidence.pub.pem" }

    /// The key; nil where none was made.
    ///
    /// - Throws: `unreadable` when others than its owner could use the file, or it is no key.
    package func key() throws(EvidenceError) -> SigningKey? {
        guard let facts = files.facts(privatePath) else { return nil }
        guard !files.isLink(privatePath), facts.isFile, facts.isOurs, facts.mode & 0o077 == 0
        else {
            throw EvidenceError(
                .unreadable,
                "the key \(privatePath) must be a file that only its owner can use (mode 0600)")
        }
        do {
            return SigningKey(
                try Ed25519.PrivateKey(
                    pem: files.read(privatePath, bytesMax: Self.bytesMax)))
        } catch {
            throw EvidenceError(.unreadable, "the key \(privatePath) cannot be used: \(error)")
        }
    }

    /// Makes a key and its files, which appear whole or not at all.
    ///
    /// - Parameter replacing: Whether a key that is there gives way.
    /// - Throws: `unreadable` when they cannot be written, or a key is there.
    package func make(replacing: Bool = false) throws(EvidenceError) -> SigningKey {
        do {
            let key = SigningKey(try Ed25519.PrivateKey.generate())
            try files.makeFolder(folder)
            try files.write(key.pem, to: privatePath, mode: 0o600, replacing: replacing)
            try files.write(key.verifying.key.pem, to: publicPath, mode: 0o644, replacing: true)
            return key
        } catch {
            throw EvidenceError(.unreadable, "no key was made: \(error)")
        }
    }
}
