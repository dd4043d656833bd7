private import Glibc

/// Small questions about bytes of ASCII text.
enum Bytes {
    static let carriageReturn: UInt8 = 0x0D
    static let lineFeed: UInt8 = 0x0A
    static let space: UInt8 = 0x20
    static let tab: UInt8 = 0x09
    static let colon: UInt8 = 0x3A
    static let comma: UInt8 = 0x2C

    /// `A`-`Z` become `a`-`z`.
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }

    /// RFC 9110 section 5.6.2: what methods and field names are made of.
    static func isToken(_ byte: UInt8) -> Bool { tokens[Int(byte)] }

    private static let tokens: [Bool] = (0...255).map { code in
        let byte = UInt8(code)
        return switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// RFC 9110 section 5.5: visible characters, space, tab and the upper half.
    static func isFieldValue(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == tab
    }

    /// Where `byte` is first in a range; the range's end when it is not.
    static func first(_ byte: UInt8, in text: [UInt8], _ range: Range<Int>) -> Int {
        precondition(range.lowerBound >= 0 && range.upperBound <= text.count)
        return unsafe text.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress,
                let found = unsafe memchr(base + range.lowerBound, Int32(byte), range.count)
            else { return range.upperBound }
            return unsafe UnsafeRawPointer(found) - base
        }
    }

    /// How many bytes from `start` on lie above CR, the last control character of lines.
    static func countAboveReturn(_ input: Span<UInt8>, from start: Int) -> Int {
        unsafe input.withUnsafeBytes { bytes in
            var index = start
            // Eight at a time: a byte below 0x0E borrows from its top bit.
            while index + 8 <= bytes.count {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                let low = (word &- 0x0E0E_0E0E_0E0E_0E0E) & ~word & 0x8080_8080_8080_8080
                if low != 0 { return index + low.trailingZeroBitCount / 8 - start }
                index += 8
            }
            while index < bytes.count, unsafe bytes[index] > carriageReturn { index += 1 }
            return index - start
        }
    }

    /// Whether a request target holds visible ASCII only, and no fragment.
    static func isTarget(_ text: [UInt8], _ range: Range<Int>) -> Bool {
        // Without an early way out, so that the compiler takes many bytes at once.
        let target = text.span.extracting(range)
        var bad: UInt8 = 0
        for index in target.indices {
            let byte = unsafe target[unchecked: index]
            bad |= (byte &- 0x21 > 0x5D ? 1 : 0) | (byte == 0x23 ? 1 : 0)
        }
        return bad == 0
    }

    /// The value of a hexadecimal digit, or nil.
    static func hexadecimal(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte - 0x30)
        case 0x41...0x46: Int(byte - 0x41 + 10)
        case 0x61...0x66: Int(byte - 0x61 + 10)
        default: nil
        }
    }

    /// Whether `text[range]` is `word`, which is in lower case, whatever the text's case.
    static func isWord(_ text: [UInt8], _ range: Range<Int>, _ word: StaticString) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { expected in
            for index in 0..<range.count
            where unsafe lowercased(text[range.lowerBound + index]) != expected[index] {
                return false
            }
            return true
        }
    }

    /// Without spaces and tabs at both ends.
    static func trimmed(_ text: [UInt8], _ range: Range<Int>) -> Range<Int> {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high, text[low] == space || text[low] == tab { low += 1 }
        while low < high, text[high - 1] == space || text[high - 1] == tab { high -= 1 }
        return low..<high
    }

    /// The members of a comma-separated list, trimmed, empty ones included.
    static func listMembers(_ text: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
        var members: [Range<Int>] = []
        var start = range.lowerBound
        for index in range where text[index] == comma {
            members.append(trimmed(text, start..<index))
            start = index + 1
        }
        members.append(trimmed(text, start..<range.upperBound))
        return members
    }
}
