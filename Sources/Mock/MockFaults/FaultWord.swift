import Basics

/// A word of the text form, with its column. A word with spaces is in quotation marks, between which a backslash escapes
/// a mark, a backslash, `n`, `r` and `t`.
package struct FaultWord {
    let text: String
    /// In bytes, from 1.
    let column: Int
    /// Whether some of it was in quotation marks, so that it can only be a name or a value.
    var isQuoted = false

    private static let mark = UInt8(ascii: "\"")
    private static let escapes: [(written: UInt8, meant: UInt8)] = [
        (mark, mark), (UInt8(ascii: "\\"), UInt8(ascii: "\\")), (UInt8(ascii: "n"), 0x0A),
        (UInt8(ascii: "r"), 0x0D), (UInt8(ascii: "t"), 0x09),
    ]

    /// The words of a line, up to the `#` at the beginning of a word, which starts a comment.
    ///
    /// - Throws: ``FaultError`` where a quotation mark is not closed.
    static func split(_ line: String) throws(FaultError) -> [FaultWord] {
        let bytes = Array(line.utf8)
        var words: [FaultWord] = []
        var at = 0
        while at < bytes.count {
            if isSpace(bytes[at]) {
                at += 1
                continue
            }
            if bytes[at] == UInt8(ascii: "#") { break }
            words.append(try word(in: bytes, &at))
        }
        return words
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0D, 0x20].contains(byte) }

    private static func word(
        in bytes: [UInt8], _ at: inout Int
    ) throws(FaultError) -> FaultWord {
        let start = at
        var text: [UInt8] = []
        var opening: Int?
        var isQuoted = false
        while at < bytes.count, opening != nil || !isSpace(bytes[at]) {
            let byte = bytes[at]
            at += 1
            if byte == mark {
                opening = opening == nil ? at : nil
                isQuoted = true
            } else if opening != nil, byte == UInt8(ascii: "\\"), at < bytes.count,
                let escape = escapes.first(where: { $0.written == bytes[at] })
            {
                text.append(escape.meant)
                at += 1
            } else {
                text.append(byte)
            }
        }
        if let opening {
            throw FaultError("the quotation mark is not closed", column: opening)
        }
        return FaultWord(
            text: String(decoding: text, as: UTF8.self), column: start + 1, isQuoted: isQuoted)
    }

    /// A word in quotation marks, if it would be parsed as something else without them.
    package static func written(_ text: String) -> String {
        let isPlain =
            !text.isEmpty && text != "->" && !text.hasPrefix("#") && !text.hasSuffix(":")
            && text.utf8.allSatisfy { !isSpace($0) && $0 != mark }
            && !FaultPhrase.reserved.contains(text)
        guard !isPlain else { return text }
        var bytes = [mark]
        for byte in text.utf8 {
            if let escape = escapes.first(where: { $0.meant == byte }) {
                bytes += [UInt8(ascii: "\\"), escape.written]
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes + [mark], as: UTF8.self)
    }

    /// Whether it is this very word of the grammar.
    func isWord(_ word: some StringProtocol) -> Bool { !isQuoted && text == word }

    /// The word itself, or the ends of a range.
    func parts(of count: Int) -> [FaultWord] {
        guard count > 1 else { return [self] }
        var parts: [FaultWord] = []
        var column = column
        for part in text.split(separator: FaultParameter.range, omittingEmptySubsequences: false) {
            parts.append(FaultWord(text: String(part), column: column))
            column += part.utf8.count + FaultParameter.range.utf8.count
        }
        return parts
    }
}

/// A parameter and the word for its value.
struct FaultGift {
    let parameter: FaultParameter
    let word: FaultWord

    init(_ parameter: FaultParameter, _ word: FaultWord) {
        self.parameter = parameter
        self.word = word
    }
}
