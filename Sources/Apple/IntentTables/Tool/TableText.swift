/// The declarations of a table as text.
///
/// A declaration begins at the margin; its parts are indented by two spaces, and a line that is
/// indented by four goes on with the one before. `///` documents what follows, `#` is a remark.
struct TableText {
    /// A line, with the lines that go on with it.
    struct Line {
        let number: Int
        let words: String
        let documentation: [String]
    }

    /// A line at the margin and the parts below it.
    struct Entry {
        let head: Line
        var parts: [Line] = []
    }

    private(set) var entries: [Entry] = []

    init(_ text: String, file: String) throws(TableError) {
        var documentation: [String] = []
        var lines: [(line: Line, isPart: Bool)] = []
        for (index, row) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let depth = row.prefix { $0 == " " }.count
            let words = String(row.dropFirst(depth))
            if words.isEmpty || words.hasPrefix("# ") { continue }
            if words.hasPrefix("///") {
                documentation.append(String(words.dropFirst(3).drop { $0 == " " }))
                continue
            }
            if depth == 4, documentation.isEmpty, let (line, isPart) = lines.popLast() {
                let whole = Line(
                    number: line.number, words: line.words + " " + words,
                    documentation: line.documentation)
                lines.append((whole, isPart))
                continue
            }
            guard depth == 0 || depth == 2 else {
                throw TableError(
                    file: file, line: index + 1,
                    message: "a part is indented by two spaces, and by four where it continues")
            }
            let line = Line(number: index + 1, words: words, documentation: documentation)
            lines.append((line, depth == 2))
            documentation = []
        }
        for (line, isPart) in lines {
            if !isPart {
                entries.append(Entry(head: line))
            } else if entries.isEmpty {
                throw TableError(file: file, line: line.number, message: "a part of nothing")
            } else {
                entries[entries.count - 1].parts.append(line)
            }
        }
    }
}
