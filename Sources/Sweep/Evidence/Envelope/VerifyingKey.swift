import Basics
package import OpenSSL

/// The public half of a key for evidence.
package struct VerifyingKey: Sendable {
    package let key: Ed25519.PublicKey
    /// 64 hexadecimal digits, as `securesystemslib` finds them: SHA-256 of
    /// `{"keytype":"ed25519","keyval":{"public":"HEX"},"scheme":"ed25519"}`.
    package let id: String

    package init(_ key: Ed25519.PublicKey) {
        self.key = key
        let description = CanonicalValue.object([
            ("keytype", .text("ed25519")),
            ("keyval", .object([("public", .text(Hexadecimal.encode(key.bytes)))])),
            ("scheme", .text("ed25519")),
        ])
        id = Hexadecimal.encode(SHA256.hash(description.canonicalBytes))
    }

    /// Reads a key in PEM.
    package init(pem: [UInt8]) throws(OpenSSLError) {
        self.init(try Ed25519.PublicKey(pem: pem))
    }

    /// SHA-256 of the public key as `openssl pkey -pubin -outform DER` writes it, in hexadecimal.
    package var publicKeyDigest: String {
        let prefix: [UInt8] = [
            0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
        ]
        return Hexadecimal.encode(SHA256.hash(prefix + key.bytes))
    }

    /// As people are shown it.
    package var shortID: String { String(id.prefix(16)) }

    package func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        key.verify(signature, of: message)
    }
}
