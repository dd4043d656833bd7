import Basics
import FileSystem
package import OpenSSL

/// Keeps a certificate authority in a folder, `ca/ca.pem` for clients and `ca/ca.key`, and the
/// server's own key, `ca/server.key`; keys with mode 0600.
///
/// So a server that is started again shows the key that it had, and clients that have noted it go
/// on.
///
/// Making one is all or nothing: a whole folder is prepared under another name and then renamed,
/// so of two servers that start at once one makes the authority and both use it.
package struct CertificateFolder: Sendable {
    private let stateFolder: String
    private static let draftPrefix = ".ca-"
    /// How old an abandoned draft must be, in seconds: one in use gets its name at once.
    private static let draftSecondsMax: Int64 = 3600
    private let files = Files(workingFolder: ".")

    /// - Parameter stateFolder: Made when missing, readable by its owner only.
    package init(stateFolder: String) { self.stateFolder = stateFolder }

    private var folder: String { stateFolder + "/ca" }
    /// The certificate that clients must trust.
    package var certificateFile: String { folder + "/ca.pem" }
    private var keyFile: String { folder + "/ca.key" }
    private var serverKeyFile: String { folder + "/server.key" }

    /// The authority of this folder, made when there is none.
    ///
    /// - Parameters:
    ///   - names: What a new authority may certify besides this machine's own names.
    ///   - now: Seconds since 1970.
    package func authority(
        names: [String], now: Int64
    ) throws(MockServerError) -> CertificateAuthority {
        if files.facts(folder) == nil {
            try make(names: names, now: now)
        }
        guard let certificate = try? files.read(certificateFile),
            let key = try? files.read(keyFile)
        else {
            throw MockServerError(
                .certificate,
                "cannot read \(certificateFile) and its key; remove \(folder) to create new ones")
        }
        do {
            return try CertificateAuthority(certificatePEM: certificate, keyPEM: key)
        } catch {
            throw MockServerError(
                .certificate, "\(folder): \(error.reason); remove it to create a new authority")
        }
    }

    /// The key of the servers of this folder.
    ///
    /// - Precondition: ``authority(names:now:)`` was asked for, which makes one too.
    package func serverKey() throws(MockServerError) -> P256.PrivateKey {
        do throws(FileError) {
            if files.facts(serverKeyFile) == nil {
                // The folder is older than such keys.
                try writeServerKey(to: serverKeyFile)
            }
            let pem = try files.read(serverKeyFile)
            do throws(OpenSSLError) {
                return try P256.PrivateKey(pem: pem)
            } catch {
                throw FileError(serverKeyFile, "is not a key (\(error.reason)); remove it")
            }
        } catch {
            throw MockServerError(.certificate, error.description)
        }
    }

    private func writeServerKey(to file: String) throws(FileError) {
        let key: P256.PrivateKey
        do throws(OpenSSLError) {
            key = try P256.PrivateKey.generate()
        } catch {
            throw FileError(file, "cannot be created: \(error.reason)")
        }
        do {
            try files.write(key.pem, to: file, mode: 0o600, replacing: false)
        } catch {
            // Another server was faster; its key serves as well.
            guard files.facts(file) != nil else { throw error }
        }
    }

    /// Removes what a process left that was killed while it made an authority.
    private func removeAbandonedDrafts(now: Int64) {
        // A folder that cannot be read has none to offer either.
        for name in (try? files.names(in: stateFolder)) ?? [] where name.hasPrefix(Self.draftPrefix)
        {
            let draft = "\(stateFolder)/\(name)"
            guard let facts = files.facts(draft), facts.isFolder, facts.isOurs,
                facts.modified < now - Self.draftSecondsMax
            else { continue }
            files.removeFolder(draft)
        }
    }

    private func make(names: [String], now: Int64) throws(MockServerError) {
        let authority: CertificateAuthority
        do {
            authority = try CertificateAuthority.make(names: names, now: now)
        } catch {
            throw MockServerError(.certificate, error.reason)
        }
        removeAbandonedDrafts(now: now)
        let draft = stateFolder + "/" + Self.draftPrefix + Hexadecimal.encode(SecureRandom.bytes(8))
        do throws(FileError) {
            try files.makeFolder(draft)
            defer { files.removeFolder(draft) }
            try files.write(authority.key.pem, to: draft + "/ca.key", mode: 0o600, replacing: false)
            try files.write(authority.certificatePEM, to: draft + "/ca.pem", replacing: false)
            try writeServerKey(to: draft + "/server.key")
            do {
                try files.move(draft, to: folder)
            } catch {
                // Another server was faster; its authority serves as well.
                guard files.facts(certificateFile) != nil else { throw error }
            }
        } catch {
            throw MockServerError(.storage, error.description)
        }
    }
}
