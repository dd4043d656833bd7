import OpenSSL

/// Random numbers fit for keys.
struct SecureGenerator: RandomNumberGenerator, Sendable {
    mutating func next() -> UInt64 {
        SecureRandom.bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
