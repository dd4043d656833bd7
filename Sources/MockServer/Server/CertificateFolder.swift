import CloudModel
import FoundationEssentials
package import OpenSSL

/// Keeps a certificate authority in a folder: `ca/ca.pem` for clients, `ca/ca.key` mode 0600.
///
/// Making one is all or nothing: a whole folder is prepared under another name and then renamed,
/// so of two servers that start at once one makes the authority and both use it.
package struct CertificateFolder: Sendable {
    private let stateFolder: String

    /// - Parameter stateFolder: Made when missing, readable by its owner only.
    package init(stateFolder: String) { self.stateFolder = stateFolder }

    private var folder: String { stateFolder + "/ca" }
    /// The certificate that clients must trust.
    package var certificateFile: String { folder + "/ca.pem" }
    private var keyFile: String { folder + "/ca.key" }

    /// The authority of this folder, made when there is none.
    ///
    /// - Parameters:
    ///   - names: What a new authority may certify besides this machine's own names.
    ///   - now: Seconds since 1970.
    package func authority(
        names: [String], now: Int64
    ) throws(MockServerError) -> CertificateAuthority {
        if !FileManager.default.fileExists(atPath: folder) {
            try make(names: names, now: now)
        }
        guard let certificate = FileManager.default.contents(atPath: certificateFile),
            let key = FileManager.default.contents(atPath: keyFile)
        else {
            throw MockServerError(
                .certificate,
                "cannot read \(certificateFile) and its key; remove \(folder) to make new ones")
        }
        do {
            return try CertificateAuthority(
                certificatePEM: Array(certificate), keyPEM: Array(key))
        } catch {
            throw MockServerError(
                .certificate, "\(folder): \(error.reason); remove it to make a new authority")
        }
    }

    private func make(names: [String], now: Int64) throws(MockServerError) {
        let authority: CertificateAuthority
        do {
            authority = try CertificateAuthority.make(names: names, now: now)
        } catch {
            throw MockServerError(.certificate, error.reason)
        }
        try StateFolder.make(stateFolder)
        let files = FileManager.default
        let draft = stateFolder + "/.ca-" + Hexadecimal.encode(SecureRandom.bytes(8))
        do {
            try files.createDirectory(
                atPath: draft, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
            defer { try? files.removeItem(atPath: draft) }
            let written =
                files.createFile(
                    atPath: draft + "/ca.key", contents: Data(authority.key.pem),
                    attributes: [.posixPermissions: 0o600])
                && files.createFile(
                    atPath: draft + "/ca.pem", contents: Data(authority.certificatePEM),
                    attributes: [.posixPermissions: 0o644])
            guard written else { throw CocoaError(.fileWriteUnknown) }
            do {
                try files.moveItem(atPath: draft, toPath: folder)
            } catch {
                // Another server was faster; its authority serves as well.
                guard files.fileExists(atPath: certificateFile) else { throw error }
            }
        } catch {
            throw MockServerError(
                .storage, "cannot write to \(stateFolder): \(StateFolder.reason(error))")
        }
    }
}

/// Folders that hold what is nobody else's business.
enum StateFolder {
    /// Makes a folder that only its owner can read, where it is missing.
    static func make(_ path: String) throws(MockServerError) {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw MockServerError(
                .storage, "cannot make the folder \(path): \(reason(error))")
        }
    }

    /// Why a file could not be written, for people.
    static func reason(_ error: any Error) -> String {
        switch (error as? CocoaError)?.code {
        case .fileWriteNoPermission?, .fileReadNoPermission?: "permission denied"
        case .fileWriteOutOfSpace?: "no space left"
        case .fileNoSuchFile?, .fileReadNoSuchFile?: "no such file or folder"
        case .fileWriteFileExists?: "there is a file of that name"
        case .fileWriteVolumeReadOnly?: "the file system is read-only"
        default: "the system refused"
        }
    }
}
