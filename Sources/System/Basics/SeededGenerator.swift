/// Random numbers that are the same for the same seed (SplitMix64).
///
/// - SeeAlso: <https://prng.di.unimi.it/splitmix64.c>
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64
    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// A number in 0..<1.
    package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// `count` lower-case hexadecimal digits.
    package mutating func hexadecimal(_ count: Int) -> String {
        var text = ""
        while text.utf8.count < count {
            let digits = String(next(), radix: 16)
            text += String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }
        return String(text.prefix(count))
    }

    /// A random (version 4) UUID in upper case, as record names are made.
    package mutating func uuid() -> String {
        var hex = Array(hexadecimal(32).uppercased())
        hex[12] = "4"
        hex[16] = ["8", "9", "A", "B"][Int(next() % 4)]
        let parts = [hex[0..<8], hex[8..<12], hex[12..<16], hex[16..<20], hex[20..<32]]
        return parts.map { String($0) }.joined(separator: "-")
    }
}
