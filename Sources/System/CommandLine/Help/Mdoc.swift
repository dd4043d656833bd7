/// A text in mdoc, the language of manual pages, piece by piece.
///
/// Escapes what would be a request, a macro or something typographic, so that whatever a table holds is shown as
/// it stands there.
/// - SeeAlso: <https://mandoc.bsd.lv/man/mdoc.7.html>
struct Mdoc {
    private(set) var text = ""
    /// Whether a paragraph that comes next has to be parted from what stands before it.
    private var isInText = false

    private static let widthMax = 78
    /// Names of macros have two or three letters; longer arguments cannot be taken for one.
    private static let macroLettersMax = 3

    /// A macro line: `.Xr cksweep-donations 1`.
    ///
    /// - Parameter rest: What follows the arguments as it is: macros on the same line.
    mutating func macro(_ name: String, _ arguments: String..., rest: String = "") {
        let words =
            [".\(name)"] + arguments.map { Self.argument($0) } + (rest.isEmpty ? [] : [rest])
        text += words.joined(separator: " ") + "\n"
    }

    mutating func section(_ title: String) {
        macro("Sh", title)
        isInText = false
    }

    mutating func subsection(_ title: String) {
        macro("Ss", title)
        isInText = false
    }

    /// A paragraph; each sentence begins on a line of its own, as the language wants it.
    mutating func paragraph(_ prose: String) {
        if isInText { text += ".Pp\n" }
        sentences(prose)
        isInText = true
    }

    /// A line that is shown as it is.
    mutating func literal(_ line: String) {
        let words = line.split(separator: " ").map { Self.argument(String($0), isLiteral: true) }
        text += ".Dl \(words.joined(separator: " "))\n"
        isInText = true
    }

    /// Lines that are shown as they are.
    mutating func literals(_ lines: [String]) {
        text += ".Bd -literal -offset indent\n"
        for line in lines { text += Self.begun(Self.escaped(line, isLiteral: true)) + "\n" }
        text += ".Ed\n"
        isInText = true
    }

    /// Rows of a tag and what it is.
    ///
    /// - Parameter rows: The tag as arguments of `.It`, and a paragraph.
    mutating func list(_ rows: [(tag: String, about: String)]) {
        guard !rows.isEmpty else { return }
        text += ".Bl -tag -width Ds\n"
        for row in rows {
            text += ".It \(row.tag)\n"
            sentences(row.about)
        }
        text += ".El\n"
        isInText = true
    }

    private mutating func sentences(_ prose: String) {
        for sentence in Self.split(prose) {
            for line in HelpText.wrap(sentence, width: Self.widthMax) {
                text += Self.begun(Self.escaped(line)) + "\n"
            }
        }
    }

    /// Cuts behind each full stop that a capital letter or a quotation follows.
    private static func split(_ prose: String) -> [String] {
        var sentences: [[Substring]] = [[]]
        for word in prose.split(separator: " ") {
            if let last = sentences[sentences.count - 1].last, endsSentence(last),
                let first = word.first(where: { $0 != "\"" && $0 != "(" }),
                first.isUppercase || first == "-"
            {
                sentences.append([])
            }
            sentences[sentences.count - 1].append(word)
        }
        return sentences.map { $0.joined(separator: " ") }
    }

    private static func endsSentence(_ word: Substring) -> Bool {
        let bare = word.reversed().drop { $0 == "\"" || $0 == ")" }
        return bare.first.map { ".!?".contains($0) } ?? false
    }

    // MARK: Escapes

    /// An argument of a macro.
    static func argument(_ text: String, isLiteral: Bool = false) -> String {
        var escaped = escaped(text, isLiteral: isLiteral)
            .split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\(dq")
        if text.count <= macroLettersMax || text.allSatisfy({ $0.isPunctuation || $0 == "|" }) {
            escaped = "\\&" + escaped
        }
        return escaped.contains(" ") || escaped.isEmpty ? "\"\(escaped)\"" : escaped
    }

    /// Text in which nothing has a meaning any more.
    ///
    /// - Parameter isLiteral: Whether it is for copying: every dash and quotation mark is the one on the keyboard.
    static func escaped(_ text: String, isLiteral: Bool = false) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false)
            .map { word(String($0), isLiteral: isLiteral || isOption($0)) }.joined(separator: " ")
    }

    private static func isOption(_ word: Substring) -> Bool {
        word.drop { "\"(".contains($0) }.hasPrefix("-") || word.contains("--")
    }

    private static func word(_ word: String, isLiteral: Bool) -> String {
        var result = ""
        for scalar in word.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            case "-" where isLiteral: result += "\\-"
            case "'" where isLiteral: result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
                result += "\\[u\(zeros)\(digits)]"
            }
        }
        return result
    }

    /// A line of text that is not taken for a request.
    private static func begun(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }
}
