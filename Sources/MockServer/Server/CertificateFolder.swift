import CloudModel
import FileSystem
package import OpenSSL

/// Keeps a certificate authority in a folder: `ca/ca.pem` for clients, `ca/ca.key` mode 0600.
///
/// Making one is all or nothing: a whole folder is prepared under another name and then renamed,
/// so of two servers that start at once one makes the authority and both use it.
package struct CertificateFolder: Sendable {
    private let stateFolder: String
    private let files = Files(workingFolder: ".")

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
        if files.facts(folder) == nil {
            try make(names: names, now: now)
        }
        guard let certificate = try? files.read(certificateFile),
            let key = try? files.read(keyFile)
        else {
            throw MockServerError(
                .certificate,
                "cannot read \(certificateFile) and its key; remove \(folder) to make new ones")
        }
        do {
            return try CertificateAuthority(certificatePEM: certificate, keyPEM: key)
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
        let draft = stateFolder + "/.ca-" + Hexadecimal.encode(SecureRandom.bytes(8))
        do throws(FileError) {
            try files.makeFolder(draft)
            defer { files.removeFolder(draft) }
            try files.write(authority.key.pem, to: draft + "/ca.key", mode: 0o600, replacing: false)
            try files.write(authority.certificatePEM, to: draft + "/ca.pem", replacing: false)
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
