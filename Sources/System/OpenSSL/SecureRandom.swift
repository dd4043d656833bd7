private import COpenSSL

/// Random bytes fit for keys and tokens.
package enum SecureRandom {
    /// `count` bytes from OpenSSL's generator.
    package static func bytes(_ count: Int) -> [UInt8] {
        precondition(count >= 0 && count <= 1 << 20, "unreasonable number of random bytes")
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            guard count > 0 else { return }
            let done = unsafe RAND_bytes(buffer.baseAddress, Int32(count))
            precondition(done == 1, "OpenSSL gave no random bytes")
            initialized = count
        }
    }
}
