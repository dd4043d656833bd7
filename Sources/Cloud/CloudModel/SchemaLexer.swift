/// Cuts a `.ckdb` file into words, names in quotes and marks.
struct SchemaLexer {
    struct Token: Hashable {
        enum Kind: Hashable {
            case word
            case quoted
            case mark
            case end
        }
        let kind: Kind
        let text: String
        let line: Int
        let column: Int

        /// How an error names it.
        var description: String {
            switch kind {
            case .word, .mark: "Encountered \"\(text)\""
            case .quoted: "Encountered \"\"\(text)\"\""
            case .end: "Encountered the end of the file"
            }
        }
    }

    private static let nameBytesMax = 255

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var lineStart = 0

    /// - Parameter text: What a file holds; a byte order mark before it is no part of the schema.
    init(_ text: String) {
        let all = Array(text.utf8)
        bytes = all.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(all.dropFirst(3)) : all
    }

    private var column: Int { position - lineStart + 1 }

    private func error(_ found: String, _ expected: [String] = []) -> SchemaError {
        SchemaError(line: line, column: column, found: found, expected: expected)
    }

    /// The next word, name or mark; `.end` when there is none.
    mutating func next() throws(SchemaError) -> Token {
        try skipBlanks()
        guard position < bytes.count else {
            return Token(kind: .end, text: "", line: line, column: column)
        }
        let (line, column) = (line, column)
        let byte = bytes[position]
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "<"), UInt8(ascii: ">"):
            position += 1
            let text = String(decoding: [byte], as: UTF8.self)
            return Token(kind: .mark, text: text, line: line, column: column)
        case UInt8(ascii: "\""):
            return Token(kind: .quoted, text: try quoted(), line: line, column: column)
        case _ where Self.isLetter(byte):
            let start = position
            while position < bytes.count, Self.isPart(bytes[position]) { position += 1 }
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
            guard text.utf8.count <= Self.nameBytesMax else {
                position = start
                throw error("A name longer than \(Self.nameBytesMax) characters")
            }
            return Token(kind: .word, text: text, line: line, column: column)
        default:
            throw error("Encountered a character that begins nothing", ["a name", "a mark"])
        }
    }

    private mutating func quoted() throws(SchemaError) -> String {
        let start = position + 1
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            guard bytes[end] >= 0x20 else { break }
            end += 1
        }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else {
            throw error("A name in quotes that does not end", ["\""])
        }
        guard end > start, end - start <= Self.nameBytesMax else {
            throw error("A name in quotes that is empty or too long")
        }
        position = end + 1
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    private mutating func skipBlanks() throws(SchemaError) {
        while position < bytes.count {
            let byte = bytes[position]
            let second = position + 1 < bytes.count ? bytes[position + 1] : 0
            switch (byte, second) {
            case (0x0A, _):
                position += 1
                line += 1
                lineStart = position
            case (0x20, _), (0x09, _), (0x0D, _): position += 1
            case (UInt8(ascii: "/"), UInt8(ascii: "/")), (UInt8(ascii: "-"), UInt8(ascii: "-")):
                while position < bytes.count, !Self.endsLine(bytes[position]) { position += 1 }
            case (UInt8(ascii: "/"), UInt8(ascii: "*")): try skipComment()
            default: return
            }
        }
    }

    private mutating func skipComment() throws(SchemaError) {
        let unended = error("A comment that does not end", ["*/"])
        position += 2
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "*"), position + 1 < bytes.count,
                bytes[position + 1] == UInt8(ascii: "/")
            {
                position += 2
                return
            }
            if bytes[position] == 0x0A {
                line += 1
                lineStart = position + 1
            }
            position += 1
        }
        throw unended
    }

    private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func isPart(_ byte: UInt8) -> Bool {
        isLetter(byte) || (0x30...0x39).contains(byte) || byte == 0x5F
    }
}
