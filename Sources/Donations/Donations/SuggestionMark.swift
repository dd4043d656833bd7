/// A short stand-in for a pattern in an index: 64 bits that tell nothing to who has not the key.
///
/// SipHash-2-4, so that nobody who chooses donations can choose two with the same mark.
///
/// - SeeAlso: <https://www.aumasson.jp/siphash/siphash.pdf>
package struct SuggestionMark: Sendable, Hashable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The mark of `pattern` under a store's own key.
    package init(_ pattern: SuggestionPattern, key: (UInt64, UInt64)) {
        self.init(pattern.canonicalBytes, key: key)
    }

    /// The mark of any bytes.
    package init(_ bytes: [UInt8], key: (UInt64, UInt64)) {
        var state = SipState(key)
        var index = 0
        while index + 8 <= bytes.count {
            state.absorb(Self.word(bytes[index..<index + 8]))
            index += 8
        }
        state.absorb(Self.word(bytes[index...]) | UInt64(bytes.count & 0xFF) << 56)
        rawValue = state.finish()
    }

    /// The mark of a text: that of its bytes.
    package init(_ text: String, key: (UInt64, UInt64)) {
        var state = SipState(key)
        var word: UInt64 = 0
        var count: UInt64 = 0
        for byte in text.utf8 {
            word |= UInt64(byte) << (8 * (count & 7))
            count += 1
            if count & 7 == 0 {
                state.absorb(word)
                word = 0
            }
        }
        state.absorb(word | (count & 0xFF) << 56)
        rawValue = state.finish()
    }

    /// Up to eight bytes as a number, the first the lowest.
    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// The four words that SipHash stirs.
private struct SipState {
    private var a: UInt64
    private var b: UInt64
    private var c: UInt64
    private var d: UInt64

    init(_ key: (UInt64, UInt64)) {
        a = key.0 ^ 0x736f_6d65_7073_6575
        b = key.1 ^ 0x646f_7261_6e64_6f6d
        c = key.0 ^ 0x6c79_6765_6e65_7261
        d = key.1 ^ 0x7465_6462_7974_6573
    }

    mutating func absorb(_ word: UInt64) {
        d ^= word
        stir()
        stir()
        a ^= word
    }

    mutating func finish() -> UInt64 {
        c ^= 0xFF
        for _ in 0..<4 { stir() }
        return a ^ b ^ c ^ d
    }

    private mutating func stir() {
        func turned(_ word: UInt64, _ bits: UInt64) -> UInt64 {
            word << bits | word >> (64 - bits)
        }
        a &+= b
        b = turned(b, 13) ^ a
        a = turned(a, 32)
        c &+= d
        d = turned(d, 16) ^ c
        a &+= d
        d = turned(d, 21) ^ a
        c &+= b
        b = turned(b, 17) ^ c
        c = turned(c, 32)
    }
}
