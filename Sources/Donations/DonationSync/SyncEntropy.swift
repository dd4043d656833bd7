import Basics

/// Where random numbers come from: jitter, device names, keys and nonces.
///
/// A value: copied with the machine that holds it, it gives the same numbers again.
package struct SyncEntropy: Sendable {
    private var generator: any RandomNumberGenerator & Sendable

    /// Numbers of a generator: the system's at the edge, a seeded one in tests.
    package init(_ generator: any RandomNumberGenerator & Sendable) { self.generator = generator }

    /// 64 random bits.
    package mutating func next() -> UInt64 { generator.next() }

    /// A number in 0..<1.
    package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// `count` random bytes.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 7)
        while bytes.count < count {
            let bits = next()
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
            }
        }
        return Array(bytes.prefix(count))
    }

    /// `count` random lower-case hexadecimal digits.
    package mutating func hexadecimal(_ count: Int) -> String {
        String(Hexadecimal.encode(bytes((count + 1) / 2)).prefix(count))
    }
}
