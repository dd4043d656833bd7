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

    /// Reads both from files.
    ///
    /// - Throws: `fileUnreadable` with the path.
    package init(chainFile: String, keyFile: String) throws(OpenSSLError) {
        preconditionFailure("not yet")
    }
}
