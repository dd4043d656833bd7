import Basics

/// UUIDs for answers, the same for the same seed. Made of bytes, as every answer has one:
/// `SeededGenerator.uuid()` works on characters.
final class RequestIdentifiers {
    private var generator: SeededGenerator
    /// The one given last.
    private(set) var latest: String?
    /// The first since ``begin()``: in the answer to a request that failed as a whole its own, before those
    /// of its items.
    private(set) var first: String?

    init(seed: UInt64) { generator = SeededGenerator(seed: seed ^ 0x7575_6964) }

    /// Begins another answer.
    func begin() { first = nil }

    /// A random (version 4) UUID in lower case.
    func next() -> String {
        let high = generator.next() & ~0xF000 | 0x4000
        let low = generator.next() & ~(3 << 62) | 1 << 63
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for place in 0..<32 as Range<UInt64> {
            if place >= 8, place <= 20, place % 4 == 0 { text.append(UInt8(ascii: "-")) }
            let word = place < 16 ? high : low
            let digit = UInt8(word >> (60 - 4 * (place & 15)) & 15)
            text.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
        }
        let identifier = String(decoding: text, as: UTF8.self)
        latest = identifier
        first = first ?? identifier
        return identifier
    }
}
