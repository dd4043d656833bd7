private import Glibc

/// A server's certificate chain and key, both PEM.
package struct ServerIdentity: Sendable {
    /// The server's certificate first, then the ones that vouch for it.
    package let chainPEM: [UInt8]
    /// The key of the first certificate. Secret.
    package let keyPEM: [UInt8]

    package init(chainPEM: [UInt8], keyPEM: [UInt8]) {
        self.chainPEM = chainPEM
        self.keyPEM = keyPEM
    }

    /// What clients see of the key: SHA-256 over the `SubjectPublicKeyInfo` of the first
    /// certificate.
    ///
    /// - Throws: `certificateUnreadable`.
    package func keyDigest() throws(OpenSSLError) -> [UInt8] {
        guard let digest = try X509Certificate(pem: chainPEM).keyDigest else {
            throw OpenSSLError(.certificateUnreadable, "the certificate has no key")
        }
        return digest
    }

    /// Reads both from files of at most 1 MiB.
    ///
    /// - Throws: `fileUnreadable` with the path.
    package init(chainFile: String, keyFile: String) throws(OpenSSLError) {
        chainPEM = try Self.read(chainFile)
        keyPEM = try Self.read(keyFile)
    }

    private static func read(_ path: String) throws(OpenSSLError) -> [UInt8] {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            let reason = unsafe String(cString: strerror(errno))
            throw OpenSSLError(.fileUnreadable, "cannot read \(path): \(reason)")
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count <= PEM.bytesMax {
            let count = unsafe Glibc.read(file, &chunk, chunk.count)
            if count == 0 { return bytes }
            guard count > 0 else {
                let reason = unsafe String(cString: strerror(errno))
                throw OpenSSLError(.fileUnreadable, "cannot read \(path): \(reason)")
            }
            bytes += chunk.prefix(count)
        }
        throw OpenSSLError(.fileUnreadable, "\(path) is longer than \(PEM.bytesMax) bytes")
    }
}
