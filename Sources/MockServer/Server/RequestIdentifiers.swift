import CloudModel

/// UUIDs for answers, from a seed, without the cost of `SeededGenerator.uuid()`.
final class RequestIdentifiers {
    private var generator: SeededGenerator
    private static let digits = Array("0123456789abcdef".utf8)

    init(seed: UInt64) { generator = SeededGenerator(seed: seed ^ 0x7575_6964) }

    /// A random (version 4) UUID in lower case.
    func next() -> String {
        var high = generator.next()
        var low = generator.next()
        high = high & ~0xF000 | 0x4000
        low = low & ~(0xC000 << 48) | 0x8000 << 48
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 { text.append(0x2D) }
            let word = index < 16 ? high : low
            text.append(Self.digits[Int(word >> (60 - UInt64(index % 16) * 4) & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
