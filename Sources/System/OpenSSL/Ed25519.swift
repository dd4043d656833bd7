private import COpenSSL

/// Ed25519 (RFC 8032), the signatures of evidence: deterministic, 64 bytes, over the whole message
/// at once.
///
/// OpenSSL signs with it in one call only, and names no digest; its streaming calls fail.
package enum Ed25519 {
    /// Bytes of a private key's seed, and of a public key.
    package static let keyByteCount = 32
    package static let signatureByteCount = 64

    /// A key that signs. Freed with its last owner; OpenSSL counts its uses with atomics.
    @safe package final class PrivateKey: Sendable {
        private nonisolated(unsafe) let handle: OpaquePointer

        private init(owning handle: OpaquePointer) { unsafe self.handle = handle }

        deinit { unsafe EVP_PKEY_free(handle) }

        /// A new key.
        package static func generate() throws(OpenSSLError) -> PrivateKey {
            try PrivateKey(seed: SecureRandom.bytes(keyByteCount))
        }

        /// The key that a seed of 32 bytes stands for.
        package convenience init(seed: [UInt8]) throws(OpenSSLError) {
            guard seed.count == keyByteCount,
                let key = unsafe EVP_PKEY_new_raw_private_key(
                    EVP_PKEY_ED25519, nil, seed, seed.count)
            else { throw OpenSSLError.fromQueue(.keyUnreadable, "not an Ed25519 seed of 32 bytes") }
            unsafe self.init(owning: key)
        }

        /// Reads a key in PEM, PKCS #8 form.
        ///
        /// - Throws: `keyUnreadable`, also for passphrases; `keyNotEd25519` for other kinds.
        package convenience init(pem: [UInt8]) throws(OpenSSLError) {
            let key = unsafe try checked(PEM.privateKey(pem), "private")
            unsafe self.init(owning: key)
        }

        /// The key in PEM, PKCS #8 form. Secret.
        package var pem: [UInt8] {
            unsafe PEM.written {
                unsafe PEM_write_bio_PrivateKey($0, handle, nil, nil, 0, nil, nil)
            }
        }

        /// The half that verifies.
        package var publicKey: PublicKey {
            unsafe EVP_PKEY_up_ref(handle)
            return unsafe PublicKey(owning: handle)
        }

        /// The signature of `message`, 64 bytes; the same key and message give the same.
        package func sign(_ message: [UInt8]) throws(OpenSSLError) -> [UInt8] {
            let context = unsafe EVP_MD_CTX_new()
            defer { unsafe EVP_MD_CTX_free(context) }
            var signature = [UInt8](repeating: 0, count: signatureByteCount)
            var length = signature.count
            guard unsafe EVP_DigestSignInit(context, nil, nil, nil, handle) == 1,
                unsafe EVP_DigestSign(context, &signature, &length, message, message.count) == 1,
                length == signatureByteCount
            else { throw OpenSSLError.fromQueue(.failed, "cannot sign") }
            return signature
        }
    }

    /// A key that verifies. Freed with its last owner; OpenSSL counts its uses with atomics.
    @safe package final class PublicKey: Sendable {
        private nonisolated(unsafe) let handle: OpaquePointer

        fileprivate init(owning handle: OpaquePointer) { unsafe self.handle = handle }

        deinit { unsafe EVP_PKEY_free(handle) }

        /// Reads a key in PEM (`PUBLIC KEY`, a SubjectPublicKeyInfo).
        ///
        /// - Throws: `keyUnreadable`, or `keyNotEd25519` for other kinds.
        package convenience init(pem: [UInt8]) throws(OpenSSLError) {
            let key = unsafe try checked(PEM.publicKey(pem), "public")
            unsafe self.init(owning: key)
        }

        /// The key of these 32 bytes.
        package convenience init(bytes: [UInt8]) throws(OpenSSLError) {
            guard bytes.count == keyByteCount,
                let key = unsafe EVP_PKEY_new_raw_public_key(
                    EVP_PKEY_ED25519, nil, bytes, bytes.count)
            else { throw OpenSSLError.fromQueue(.keyUnreadable, "not an Ed25519 key of 32 bytes") }
            unsafe self.init(owning: key)
        }

        /// The key in PEM.
        package var pem: [UInt8] {
            unsafe PEM.written { unsafe PEM_write_bio_PUBKEY($0, handle) }
        }

        /// The key itself, 32 bytes.
        package var bytes: [UInt8] {
            var bytes = [UInt8](repeating: 0, count: keyByteCount)
            var length = bytes.count
            let done = unsafe EVP_PKEY_get_raw_public_key(handle, &bytes, &length)
            precondition(done == 1 && length == keyByteCount, "an Ed25519 key has 32 bytes")
            return bytes
        }

        /// Whether `signature` was made over `message` by this key's private half.
        package func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
            guard signature.count == signatureByteCount else { return false }
            let context = unsafe EVP_MD_CTX_new()
            defer {
                unsafe EVP_MD_CTX_free(context)
                ERR_clear_error()
            }
            guard unsafe EVP_DigestVerifyInit(context, nil, nil, nil, handle) == 1 else {
                return false
            }
            return unsafe EVP_DigestVerify(
                context, signature, signature.count, message, message.count) == 1
        }
    }

    /// The same key, when it is one of this kind; else it is freed.
    private static func checked(
        _ key: OpaquePointer, _ half: String
    ) throws(OpenSSLError) -> OpaquePointer {
        guard unsafe EVP_PKEY_is_a(key, "ED25519") == 1 else {
            unsafe EVP_PKEY_free(key)
            throw OpenSSLError(.keyNotEd25519, "the \(half) key is not an Ed25519 key")
        }
        return unsafe key
    }
}
