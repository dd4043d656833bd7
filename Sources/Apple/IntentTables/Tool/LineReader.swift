/// Reads the words of one line.
struct LineReader {
    let line: TableText.Line
    let file: String
    private(set) var rest: Substring

    init(_ line: TableText.Line, file: String) {
        self.line = line
        self.file = file
        rest = line.words[...]
    }

    func wrong(_ message: String) -> TableError {
        TableError(file: file, line: line.number, message: message)
    }

    /// Takes `word` when the line goes on with it.
    mutating func takes(_ word: String) -> Bool {
        guard rest == word || rest.hasPrefix(word + " ") else { return false }
        rest = rest.dropFirst(word.count).drop { $0 == " " }
        return true
    }

    /// Takes what stands before `mark`, and the mark.
    mutating func take(before mark: String) -> String? {
        guard let range = rest.firstRange(of: mark) else { return nil }
        defer { rest = rest[range.upperBound...].drop { $0 == " " } }
        return String(rest[..<range.lowerBound])
    }

    /// Takes all that is left.
    mutating func takeAll() -> String {
        defer { rest = rest.suffix(0) }
        return String(rest)
    }

    /// Takes a name and what goes with it: `name: all that is left`.
    mutating func takeNamed() throws(TableError) -> (name: String, text: String) {
        guard let name = take(before: ": "), !rest.isEmpty
        else { throw wrong("wants NAME: and what goes with it, not “\(rest)”") }
        return (name, takeAll())
    }

    /// A property: `[var] [label] name: Type [= initially] [-> Result [or Older]]`.
    mutating func takeProperty(
        isSettable: Bool
    ) throws(TableError) -> (property: Property, resolution: Resolution?) {
        let isSettable = takes("var") || isSettable
        guard let names = take(before: ": ")?.split(separator: " "), (1...2).contains(names.count),
            let name = names.last.map(String.init)
        else { throw wrong("a property is written NAME: TYPE, not “\(line.words)”") }
        let typed = take(before: " -> ")
        let resolution = try typed.map { (_) throws(TableError) in try takeResults(of: name) }
        let parts = (typed ?? takeAll()).split(separator: " = ", maxSplits: 1)
        guard let type = parts.first.map(String.init) else { throw wrong("a type is missing") }
        let property = Property(
            documentation: line.documentation, name: name, type: type,
            label: names.count == 2 ? String(names[0]) : nil,
            initially: parts.count == 2 ? String(parts[1]) : nil, isSettable: isSettable)
        return (property, resolution)
    }

    /// What a handler's method answers with: `Result [or Older]`.
    mutating func takeResults(of parameter: String) throws(TableError) -> Resolution {
        let result = take(before: " or ")
        let last = takeAll()
        let classes = [result, last].compactMap { $0 }
        guard classes.allSatisfy({ $0.hasSuffix("ResolutionResult") || $0.hasSuffix("Result]") })
        else { throw wrong("a resolution is a …ResolutionResult, not “\(line.words)”") }
        return Resolution(
            parameter: parameter, result: classes[0], older: classes.count == 2 ? last : nil)
    }

    /// Parameters of an initialiser: `[label] name[: Type] [= initially], …`.
    mutating func takeParameters() throws(TableError) -> [Parameter] {
        var parameters: [Parameter] = []
        for text in takeAll().split(separator: ", ") {
            let parts = text.split(separator: " = ", maxSplits: 1)
            let typed = parts[0].split(separator: ": ", maxSplits: 1)
            let names = typed[0].split(separator: " ").map(String.init)
            guard (1...2).contains(names.count) else { throw wrong("what is “\(text)”?") }
            parameters.append(
                Parameter(
                    label: names.count == 2 ? names[0] : nil, property: names[names.count - 1],
                    type: typed.count == 2 ? String(typed[1]) : nil,
                    initially: parts.count == 2 ? String(parts[1]) : nil))
        }
        return parameters
    }
}
