package import OpenSSL

/// A key that signs evidence.
package struct SigningKey: Sendable {
    private let key: Ed25519.PrivateKey
    package let verifying: VerifyingKey

    package init(_ key: Ed25519.PrivateKey) {
        self.key = key
        verifying = VerifyingKey(key.publicKey)
    }

    /// The key in PEM. Secret.
    package var pem: [UInt8] { key.pem }

    /// Signs, and checks the signature before anybody relies on it.
    package func sign(_ message: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        let signature = try key.sign(message)
        guard verifying.verify(signature, of: message) else {
            throw OpenSSLError(.failed, "a signature does not verify")
        }
        return signature
    }
}
