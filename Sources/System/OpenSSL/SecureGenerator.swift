/// Random numbers fit for keys.
package struct SecureGenerator: RandomNumberGenerator, Sendable {
    package init() {}
    package mutating func next() -> UInt64 {
        SecureRandom.bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
