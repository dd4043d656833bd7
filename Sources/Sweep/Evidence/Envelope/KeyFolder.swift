package import Basics
import FileSystem
import OpenSSL

/// Where the key lies that signs the evidence of a state folder: a private file that is its owner's
/// alone, and the public half beside it.
package struct KeyFolder: Sendable {
    private let folder: String
    private let files = Files(workingFolder: Files.currentFolder)

    /// - Parameter stateFolder: The folder whose runs are signed.
    package init(stateFolder: String) { folder = stateFolder + "/keys" }

    package var privatePath: String { folder + "/evidence.pem" }
    package var publicPath: String { folder + "/evidence.pub.pem" }

    /// The key; nil where none was made.
    ///
    /// - Throws: `unreadable` when others than its owner could use the file, or it is no key.
    package func key() throws(EvidenceError) -> SigningKey? { try key(at: privatePath) }

    private func key(at path: String) throws(EvidenceError) -> SigningKey? {
        try SigningKey.read(path, in: files)
    }

    /// Makes a key and its files, which appear whole or not at all.
    ///
    /// - Throws: `unreadable` when they cannot be written, or a key is there.
    package func make() throws(EvidenceError) -> SigningKey {
        do {
            let key = SigningKey(try Ed25519.PrivateKey.generate())
            try files.makeFolder(folder)
            try files.write(key.pem, to: privatePath, mode: 0o600, replacing: false)
            try publish(key)
            return key
        } catch {
            throw EvidenceError(.unreadable, "no key was created: \(error)")
        }
    }

    /// Puts a new key in the place of the one that is there, once the ledger says so. When it is cut off,
    /// the next call goes on with the same new key.
    ///
    /// - Throws: `unreadable` when there is no key, or files cannot be written; `ledger`.
    package func rotate(
        in ledger: Ledger, at moment: Timestamp
    ) throws(EvidenceError) -> SigningKey {
        guard let old = try key() else {
            throw EvidenceError(
                .unreadable,
                "there is no key in \(privatePath): \"cksweep evidence init\" creates one")
        }
        let nextPath = folder + "/evidence.next.pem"
        do {
            if files.facts(nextPath) == nil {
                let made = try Ed25519.PrivateKey.generate()
                try files.write(made.pem, to: nextPath, mode: 0o600, replacing: false)
            }
            try files.write(
                old.verifying.key.pem, to: "\(folder)/evidence-\(old.verifying.shortID).pub.pem",
                mode: 0o644, replacing: true)
        } catch {
            throw EvidenceError(.unreadable, "no new key was created: \(error)")
        }
        guard let new = try key(at: nextPath) else {
            throw EvidenceError(.unreadable, "the new key \(nextPath) is missing")
        }
        _ = try ledger.append(new) { (place) throws(EvidenceError) in
            do throws(OpenSSLError) {
                return try KeyChange.envelope(from: old, to: new, at: moment, in: place)
            } catch {
                throw EvidenceError(.signature, error.reason)
            }
        }
        do {
            try files.move(nextPath, to: privatePath)
            try publish(new)
        } catch {
            throw EvidenceError(.unreadable, "the new key could not be put in its place: \(error)")
        }
        return new
    }

    private func publish(_ key: SigningKey) throws(FileError) {
        try files.write(key.verifying.key.pem, to: publicPath, mode: 0o644, replacing: true)
    }
}
