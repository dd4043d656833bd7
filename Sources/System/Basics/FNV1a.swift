/// The 64-bit FNV-1a hash: the same for the same bytes in every run and on every machine, so that
/// names, tokens and random streams can be derived from it. Keeps nothing secret.
///
/// - SeeAlso: <https://datatracker.ietf.org/doc/html/draft-eastlake-fnv-17>
package struct FNV1a: Sendable {
    /// The hash of the bytes so far.
    package private(set) var value: UInt64

    /// Begins with nothing hashed, or goes on from another hash.
    package init(from value: UInt64 = 0xCBF2_9CE4_8422_2325) { self.value = value }

    package mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
    }

    package mutating func add(_ bytes: [UInt8]) {
        for byte in bytes { add(byte) }
    }

    package mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
    }

    /// Adds one text of several, and its end.
    package mutating func add(part: String) {
        add(part)
        // In no UTF-8.
        add(0xFF)
    }

    /// The hash of one text.
    package static func hash(_ text: String) -> UInt64 {
        var hash = FNV1a()
        hash.add(text)
        return hash.value
    }
}
