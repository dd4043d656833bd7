/// Reads JSON that our own mock server wrote or our own client sent, or a lie: few words.
struct ValueParser {
    /// More is never asked or answered honestly.
    private static let depthMax = 100

    private let bytes: [UInt8]
    private var place = 0
    private var depth = 0

    /// What `bytes` say; nil when they are no JSON.
    static func parse(_ bytes: [UInt8]) -> Value? {
        var parser = ValueParser(bytes: bytes)
        guard let value = parser.value() else { return nil }
        parser.skipBlanks()
        return parser.place == bytes.count ? value : nil
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipBlanks() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { place += 1 }
    }

    private mutating func take(_ character: Character) -> Bool {
        skipBlanks()
        guard next == character.asciiValue else { return false }
        place += 1
        return true
    }

    private mutating func take(word: String) -> Bool {
        guard bytes[place...].starts(with: word.utf8) else { return false }
        place += word.utf8.count
        return true
    }

    private mutating func value() -> Value? {
        skipBlanks()
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthMax else { return nil }
        switch next {
        case UInt8(ascii: "{"): return object()
        case UInt8(ascii: "["): return array()
        case UInt8(ascii: "\""): return string().map(Value.string)
        case UInt8(ascii: "t"): return take(word: "true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return take(word: "false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return take(word: "null") ? .null : nil
        default: return number()
        }
    }

    private mutating func number() -> Value? {
        let digits = bytes[place...].prefix { "+-.0123456789eE".utf8.contains($0) }
        place += digits.count
        return digits.isEmpty ? nil : .number(String(decoding: digits, as: UTF8.self))
    }

    private mutating func array() -> Value? {
        guard take("[") else { return nil }
        var elements: [Value] = []
        if take("]") { return .array([]) }
        repeat {
            guard let element = value() else { return nil }
            elements.append(element)
        } while take(",")
        return take("]") ? .array(elements) : nil
    }

    private mutating func object() -> Value? {
        guard take("{") else { return nil }
        var members: [Value.Member] = []
        if take("}") { return .object([]) }
        repeat {
            skipBlanks()
            guard let name = string(), take(":"), let value = value() else { return nil }
            members.append(Value.Member(name: name, value: value))
        } while take(",")
        return take("}") ? .object(members) : nil
    }

    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        var text: [UInt8] = []
        while let byte = next {
            place += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let character = escaped() else { return nil }
                text += String(character).utf8
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func escaped() -> Character? {
        guard let byte = next else { return nil }
        place += 1
        switch byte {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "u"):
            guard let first = unit() else { return nil }
            guard (0xD800..<0xDC00).contains(first) else {
                return Unicode.Scalar(first).map(Character.init)
            }
            guard take(word: "\\u"), let second = unit(), (0xDC00..<0xE000).contains(second)
            else { return nil }
            return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
                .map(Character.init)
        default: return Character(Unicode.Scalar(byte))
        }
    }

    private mutating func unit() -> UInt32? {
        guard place + 4 <= bytes.count else { return nil }
        defer { place += 4 }
        return UInt32(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
    }
}
