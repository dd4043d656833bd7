import CloudModel

/// UUIDs for answers, the same for the same seed. Made of bytes, as every answer has one:
/// `SeededGenerator.uuid()` works on characters.
final class RequestIdentifiers {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed ^ 0x7575_6964) }

    /// A random (version 4) UUID in lower case.
    func next() -> String {
        var bytes: [UInt8] = []
        for word in [generator.next(), generator.next()] {
            for shift in stride(from: 56 as UInt64, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array(Hexadecimal.encode(bytes).utf8)
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { digits[$0] }
        return String(decoding: Array(parts.joined(separator: [UInt8(ascii: "-")])), as: UTF8.self)
    }
}
