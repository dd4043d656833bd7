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

    /// The same of all bytes from `start` on.
    static func lowercase(_ text: inout [UInt8], from start: Int) {
        var bytes = text.mutableSpan
        for index in start..<bytes.count {
            unsafe bytes[unchecked: index] = lowercased(bytes[unchecked: index])
        }
    }

    /// RFC 9110 section 5.6.2: what methods and field names are made of.
    static func isToken(_ byte: UInt8) -> Bool {
        // One bit for each of !#$%&'*+-. digits, then of letters ^_`|~
        let (low, high): (UInt64, UInt64) = (0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE)
        guard byte < 0x80 else { return false }
        return (byte < 0x40 ? low : high) >> UInt64(byte & 0x3F) & 1 == 1
    }

    /// RFC 9110 section 5.5: visible characters, space, tab and the upper half.
    static func isFieldValue(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == tab
    }

    /// Whether a range holds nothing else; see ``isFieldValue(_:)``.
    static func isFieldValue(_ text: [UInt8], _ range: Range<Int>) -> Bool {
        // Without an early way out, so that the compiler takes many bytes at once.
        let value = text.span.extracting(range)
        var bad: UInt8 = 0
        for index in value.indices {
            let byte = unsafe value[unchecked: index]
            bad |= (byte < 0x20 ? 1 : 0) & (byte == tab ? 0 : 1) | (byte == 0x7F ? 1 : 0)
        }
        return bad == 0
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

    static func append(_ first: UInt8, _ second: UInt8, to text: inout [UInt8]) {
        text.append(first)
        text.append(second)
    }

    /// Turns CR, LF and NUL into spaces, from `start` on.
    static func replaceLineEnds(in text: inout [UInt8], from start: Int) {
        guard holdsLineEnd(text, from: start) else { return }
        for index in start..<text.count
        where text[index] == carriageReturn || text[index] == lineFeed || text[index] == 0 {
            text[index] = space
        }
    }

    /// Whether there is a control character up to CR, the last of the three.
    private static func holdsLineEnd(_ text: [UInt8], from start: Int) -> Bool {
        countAboveReturn(text.span, from: start) < text.count - start
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
        isTarget(text.span.extracting(range))
    }

    /// The same of a whole text.
    static func isTarget(_ target: Span<UInt8>) -> Bool {
        // Without an early way out, so that the compiler takes many bytes at once.
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
