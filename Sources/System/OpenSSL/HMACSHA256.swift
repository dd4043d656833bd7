private import COpenSSL

/// HMAC with SHA-256 (RFC 2104).
package enum HMACSHA256 {
    /// The tag of `message` under `key`, 32 bytes.
    package static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            var length: UInt32 = 0
            // An empty array has no address, and OpenSSL takes a null key as "same as before".
            let keyBytes = key.isEmpty ? [0] : key
            let tag = unsafe HMAC(
                EVP_sha256(), keyBytes, Int32(key.count), message, message.count,
                buffer.baseAddress, &length)
            precondition(unsafe tag != nil && length == 32, "HMAC-SHA256 gave no tag")
            count = 32
        }
    }
}

/// Compares secrets in a time that depends on their length alone.
package func equalInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return unsafe CRYPTO_memcmp(left, right, left.count) == 0
}
