/// Reads the old text form of property lists, which Xcode's project files are written in:
/// `{ key = value; }`, `( a, b )`, `"quoted"`, `bare`, `<data>`, with both kinds of comment.
package struct OpenStepReader {
    private let bytes: [UInt8]
    private var position = 0
    private static let depthMax = 128

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The one value the text holds; nil when it is malformed or something follows it.
    package mutating func readDocument() -> PropertyList? {
        skipBlank()
        guard let value = readValue(depth: 0) else { return nil }
        skipBlank()
        return position == bytes.count ? value : nil
    }

    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Character) -> Bool {
        guard byte == character.asciiValue else { return false }
        position += 1
        return true
    }

    private mutating func readValue(depth: Int) -> PropertyList? {
        guard depth < Self.depthMax, let byte else { return nil }
        return switch byte {
        case UInt8(ascii: "{"): readDictionary(depth: depth)
        case UInt8(ascii: "("): readList(depth: depth)
        case UInt8(ascii: "<"): readData()
        default: readText().map { .text($0) }
        }
    }

    private mutating func readDictionary(depth: Int) -> PropertyList? {
        position += 1
        var dictionary: [String: PropertyList] = [:]
        while true {
            skipBlank()
            if take("}") { return .dictionary(dictionary) }
            guard let key = readText() else { return nil }
            skipBlank()
            guard take("=") else { return nil }
            skipBlank()
            guard let value = readValue(depth: depth + 1) else { return nil }
            dictionary[key] = value
            skipBlank()
            guard take(";") else { return nil }
        }
    }

    private mutating func readList(depth: Int) -> PropertyList? {
        position += 1
        var list: [PropertyList] = []
        while true {
            skipBlank()
            if take(")") { return .list(list) }
            guard let value = readValue(depth: depth + 1) else { return nil }
            list.append(value)
            skipBlank()
            if take(",") { continue }
            guard byte == UInt8(ascii: ")") else { return nil }
        }
    }

    private mutating func readData() -> PropertyList? {
        while let byte {
            position += 1
            if byte == UInt8(ascii: ">") { return .other }
        }
        return nil
    }

    private mutating func readText() -> String? {
        guard let quote = byte else { return nil }
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") { return readQuoted(quote) }
        let start = position
        while let byte, Self.isBare(byte) {
            if startsComment { break }
            position += 1
        }
        return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
    }

    private var startsComment: Bool {
        guard byte == UInt8(ascii: "/"), position + 1 < bytes.count else { return false }
        return bytes[position + 1] == UInt8(ascii: "*") || bytes[position + 1] == UInt8(ascii: "/")
    }

    private mutating func readQuoted(_ quote: UInt8) -> String? {
        position += 1
        var text: [UInt8] = []
        while let byte {
            position += 1
            if byte == quote { return String(decoding: text, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard let escaped = self.byte else { return nil }
            position += 1
            switch escaped {
            case UInt8(ascii: "n"): text.append(10)
            case UInt8(ascii: "t"): text.append(9)
            case UInt8(ascii: "r"): text.append(13)
            default: text.append(escaped)
            }
        }
        return nil
    }

    /// Characters that need no quotes; wider than Xcode writes, as readers are.
    private static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "-"),
            UInt8(ascii: "$"), UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: "@"):
            true
        default: byte >= 0x80
        }
    }

    private mutating func skipBlank() {
        while let byte {
            if byte == 0x20 || (0x09...0x0D).contains(byte) {
                position += 1
            } else if startsComment {
                skipComment()
            } else if position == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
                position = 3
            } else {
                return
            }
        }
    }

    private mutating func skipComment() {
        let isLine = bytes[position + 1] == UInt8(ascii: "/")
        position += 2
        while let byte {
            position += 1
            if isLine {
                if byte == 0x0A { return }
            } else if byte == UInt8(ascii: "*"), self.byte == UInt8(ascii: "/") {
                position += 1
                return
            }
        }
    }
}
