private import COpenSSL

/// AES-256 in Galois/Counter Mode: keeps bytes secret, and shows when they were changed.
///
/// - SeeAlso: NIST SP 800-38D.
package enum SealedBox {
    package static let keyByteCount = 32
    private static let nonceByteCount = 12
    private static let tagByteCount = 16

    /// `plain` sealed under a new random nonce: nonce, ciphertext, tag.
    ///
    /// - Parameters:
    ///   - key: 32 bytes, for at most 2³² boxes.
    ///   - context: What the box is for; it opens with the same only.
    package static func seal(_ plain: [UInt8], key: [UInt8], context: [UInt8]) -> [UInt8] {
        precondition(key.count == keyByteCount, "invalid input for sealing")
        let nonce = SecureRandom.bytes(nonceByteCount)
        let cipher = unsafe EVP_CIPHER_CTX_new()
        defer { unsafe EVP_CIPHER_CTX_free(cipher) }
        var (sealed, tag) = (plain, [UInt8](repeating: 0, count: tagByteCount))
        var length: Int32 = 0
        guard unsafe EVP_EncryptInit_ex(cipher, EVP_aes_256_gcm(), nil, key, nonce) == 1,
            unsafe EVP_EncryptUpdate(cipher, nil, &length, context, Int32(context.count)) == 1,
            // OpenSSL takes no bytes for the end.
            plain.isEmpty
                || (unsafe EVP_EncryptUpdate(cipher, &sealed, &length, plain, Int32(plain.count)))
                    == 1,
            unsafe EVP_EncryptFinal_ex(cipher, nil, &length) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(
                cipher, EVP_CTRL_AEAD_GET_TAG, Int32(tagByteCount), &tag) == 1
        else { preconditionFailure("AES-256-GCM could not seal: probably out of memory") }
        return nonce + sealed + tag
    }

    /// What was sealed.
    ///
    /// - Returns: nil when it was changed, or sealed with another key or for something else.
    package static func open(_ box: [UInt8], key: [UInt8], context: [UInt8]) -> [UInt8]? {
        guard key.count == keyByteCount, box.count >= nonceByteCount + tagByteCount else {
            return nil
        }
        let nonce = Array(box.prefix(nonceByteCount))
        var tag = Array(box.suffix(tagByteCount))
        let sealed = Array(box.dropFirst(nonceByteCount).dropLast(tagByteCount))
        let cipher = unsafe EVP_CIPHER_CTX_new()
        defer {
            unsafe EVP_CIPHER_CTX_free(cipher)
            ERR_clear_error()
        }
        var plain = sealed
        var length: Int32 = 0
        guard unsafe EVP_DecryptInit_ex(cipher, EVP_aes_256_gcm(), nil, key, nonce) == 1,
            unsafe EVP_DecryptUpdate(cipher, nil, &length, context, Int32(context.count)) == 1,
            sealed.isEmpty
                || (unsafe EVP_DecryptUpdate(cipher, &plain, &length, sealed, Int32(sealed.count)))
                    == 1,
            unsafe EVP_CIPHER_CTX_ctrl(
                cipher, EVP_CTRL_AEAD_SET_TAG, Int32(tagByteCount), &tag) == 1,
            unsafe EVP_DecryptFinal_ex(cipher, nil, &length) == 1
        else { return nil }
        return plain
    }
}
