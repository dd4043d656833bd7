import CloudModel

/// UUIDs for answers, from a seed, without the cost of `SeededGenerator.uuid()`.
final class RequestIdentifiers {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed ^ 0x7575_6964) }

    /// A random (version 4) UUID in lower case.
    func next() -> String {
        let text = nextText()
        return String(decoding: text.indices.map { text[$0] }, as: UTF8.self)
    }

    /// The same as ASCII, which costs no memory.
    func nextText() -> InlineArray<36, UInt8> {
        // Moved out and back: what is called while a property is changed costs a check.
        var generator = generator
        var high = generator.next()
        var low = generator.next()
        self.generator = generator
        high = high & ~0xF000 | 0x4000
        low = low & ~(0xC000 << 48) | 0x8000 << 48
        let words = (
            Self.digits(high >> 32), Self.digits(high & 0xFFFF_FFFF), Self.digits(low >> 32),
            Self.digits(low & 0xFFFF_FFFF)
        )
        var text = InlineArray<36, UInt8>(repeating: 0x2D)
        for index in 0..<8 {
            let shift = UInt64(56 - 8 * index)
            let middle = index < 4 ? 9 + index : 10 + index
            text[index] = UInt8(truncatingIfNeeded: words.0 >> shift)
            text[middle] = UInt8(truncatingIfNeeded: words.1 >> shift)
            text[middle + 10] = UInt8(truncatingIfNeeded: words.2 >> shift)
            text[28 + index] = UInt8(truncatingIfNeeded: words.3 >> shift)
        }
        return text
    }

    /// Eight hexadecimal digits of a word of 32 bits, the first in the highest byte.
    private static func digits(_ word: UInt64) -> UInt64 {
        var bytes = (word | word << 16) & 0x0000_FFFF_0000_FFFF
        bytes = (bytes | bytes << 8) & 0x00FF_00FF_00FF_00FF
        bytes = (bytes | bytes << 4) & 0x0F0F_0F0F_0F0F_0F0F
        // Letters begin 0x27 behind the digits.
        let letters = (bytes &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return bytes &+ 0x3030_3030_3030_3030 &+ letters &* 0x27
    }
}
