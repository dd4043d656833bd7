private import COpenSSL

/// ECDSA over the curve P-256 with SHA-256, the signatures of server-to-server keys.
package enum P256 {
    /// A key that signs. Freed with its last owner; OpenSSL counts its uses with atomics.
    @safe package final class PrivateKey: Sendable {
        nonisolated(unsafe) let handle: OpaquePointer

        init(owning handle: OpaquePointer) { unsafe self.handle = handle }

        deinit { unsafe EVP_PKEY_free(handle) }

        /// A new key.
        package static func generate() throws(OpenSSLError) -> PrivateKey {
            guard let key = unsafe cksweep_p256_generate() else {
                throw OpenSSLError.fromQueue(.failed, "cannot create a P-256 key")
            }
            return unsafe PrivateKey(owning: key)
        }

        /// Reads a key in PEM, in PKCS #8 (`PRIVATE KEY`) or SEC 1 (`EC PRIVATE KEY`) form.
        ///
        /// - Throws: `keyUnreadable`, also for passphrases; `keyNotP256` for other kinds.
        package convenience init(pem: [UInt8]) throws(OpenSSLError) {
            let key = unsafe try PEM.privateKey(pem)
            guard unsafe isP256(key) else {
                unsafe EVP_PKEY_free(key)
                throw OpenSSLError(.keyNotP256, "the private key is not an ECDSA P-256 key")
            }
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

        /// Signs `message` (which is hashed here) and returns an ASN.1 DER signature.
        package func sign(_ message: [UInt8]) throws(OpenSSLError) -> [UInt8] {
            let context = unsafe EVP_MD_CTX_new()
            defer { unsafe EVP_MD_CTX_free(context) }
            var signature = [UInt8](repeating: 0, count: 80)
            var length = signature.count
            guard
                unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, handle) == 1,
                unsafe EVP_DigestSign(context, &signature, &length, message, message.count) == 1
            else { throw OpenSSLError.fromQueue(.failed, "cannot sign") }
            return Array(signature.prefix(length))
        }
    }

    /// A key that verifies. Freed with its last owner; OpenSSL counts its uses with atomics.
    @safe package final class PublicKey: Sendable {
        private nonisolated(unsafe) let handle: OpaquePointer

        init(owning handle: OpaquePointer) { unsafe self.handle = handle }

        deinit { unsafe EVP_PKEY_free(handle) }

        /// Reads a key in PEM (`PUBLIC KEY`, a SubjectPublicKeyInfo).
        ///
        /// - Throws: `keyUnreadable`, or `keyNotP256` for other kinds.
        package convenience init(pem: [UInt8]) throws(OpenSSLError) {
            unsafe try self.init(checking: PEM.publicKey(pem))
        }

        /// Reads the base64 text between the PEM lines alone; white space is ignored.
        ///
        /// - Throws: `keyUnreadable`, or `keyNotP256` for other kinds.
        package convenience init(base64 text: String) throws(OpenSSLError) {
            let body = text.utf8.filter { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
            guard body.count <= 1024, body.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x2D })
            else {
                throw OpenSSLError(.keyUnreadable, "the public key is not base64")
            }
            var pem = Array("-----BEGIN PUBLIC KEY-----\n".utf8)
            for start in stride(from: 0, to: body.count, by: 64) {
                pem += body[start..<min(start + 64, body.count)]
                pem.append(0x0A)
            }
            pem += Array("-----END PUBLIC KEY-----\n".utf8)
            try self.init(pem: pem)
        }

        private convenience init(checking key: OpaquePointer) throws(OpenSSLError) {
            guard unsafe isP256(key) else {
                unsafe EVP_PKEY_free(key)
                throw OpenSSLError(.keyNotP256, "the public key is not an ECDSA P-256 key")
            }
            unsafe self.init(owning: key)
        }

        /// The key in PEM.
        package var pem: [UInt8] {
            unsafe PEM.written { unsafe PEM_write_bio_PUBKEY($0, handle) }
        }

        /// Whether `signature` (ASN.1 DER) was made over `message` by this key's private half.
        package func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
            let context = unsafe EVP_MD_CTX_new()
            defer {
                unsafe EVP_MD_CTX_free(context)
                ERR_clear_error()
            }
            guard unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, handle) == 1 else {
                return false
            }
            return unsafe EVP_DigestVerify(
                context, signature, signature.count, message, message.count) == 1
        }
    }

    private static func isP256(_ key: OpaquePointer) -> Bool {
        var name = [CChar](repeating: 0, count: 40)
        var length = 0
        let known = unsafe EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1
        ERR_clear_error()
        guard known, length < name.count else { return false }
        let text = name.prefix(length).map { UInt8(bitPattern: $0) }
        return text == Array("prime256v1".utf8)
    }
}
