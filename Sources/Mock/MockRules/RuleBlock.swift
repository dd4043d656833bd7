/// One block of a text of rules or sources: fields by name, each with the line where it begins.
///
/// A field that was read is removed, so that what remains at the end is a problem.
struct RuleBlock {
    private struct Field {
        let name: String
        var value: String
        let line: Int
    }

    private let file: String
    private let line: Int
    private var fields: [Field] = []
    private(set) var problems: [String] = []

    /// The blocks of a text, which empty lines separate.
    ///
    /// - Parameter problems: Receives the lines that are neither a field nor the continuation of one.
    static func blocks(
        of text: String, named file: String, _ problems: inout [String]
    ) -> [RuleBlock] {
        var blocks: [RuleBlock] = []
        var isOpen = false
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.hasPrefix("#") {
            if line.isEmpty {
                isOpen = false
            } else if line.hasPrefix(" ") {
                guard isOpen, let last = blocks.last?.fields.indices.last else {
                    problems.append("\(file):\(index + 1): a continuation of no field")
                    continue
                }
                blocks[blocks.count - 1].fields[last].value +=
                    " " + line.drop { $0 == " " }
            } else {
                if !isOpen { blocks.append(RuleBlock(file: file, line: index + 1)) }
                isOpen = true
                guard let colon = line.firstRange(of: ": ") else {
                    problems.append("\(file):\(index + 1): not \"Field: value\"")
                    continue
                }
                blocks[blocks.count - 1].fields.append(
                    Field(
                        name: String(line[..<colon.lowerBound]),
                        value: String(line[colon.upperBound...]), line: index + 1))
            }
        }
        return blocks
    }

    private init(file: String, line: Int) {
        self.file = file
        self.line = line
    }

    // MARK: - What a block says

    /// The source; nil if the block has problems.
    ///
    /// - Parameter known: The sources before it.
    mutating func source(after known: [RuleSource]) -> RuleSource? {
        let identifier = one("Source")
        if let identifier, known.contains(where: { $0.identifier == identifier }) {
            problem("the source \(identifier) is there twice", at: line)
        }
        let (name, place, date) = (one("Name"), one("Where"), one("Date"))
        end()
        guard problems.isEmpty, let identifier, let name, let place, let date else { return nil }
        return RuleSource(identifier: identifier, name: name, place: place, date: date)
    }

    /// The rule; nil if the block has problems.
    ///
    /// - Parameter sources: Those that it may cite.
    mutating func rule(_ sources: [String: RuleSource]) -> BehaviorRule? {
        let name = one("Rule")
        let area: BehaviorRule.Area? = choice("Area")
        let status: BehaviorRule.Status? = choice("Status")
        let (request, response) = (one("Request"), one("Response"))
        let citations = all("Source").compactMap { citation($0, sources) }
        let chosen = optional("Chosen")
        let setting = optional("Setting")
        let tests = all("Test").map(\.value)
        let untested = optional("Untested")
        let date = chosen ?? citations.map(\.source.date).max()
        if date == nil { problem("has neither Source nor Chosen", at: line) }
        if tests.isEmpty != (untested != nil) {
            problem("needs Test or Untested, and not both", at: line)
        }
        end()
        guard problems.isEmpty, let name, let area, let status, let request, let response, let date
        else { return nil }
        return BehaviorRule(
            name: name, area: area, status: status, request: request, response: response,
            citations: citations, date: date, setting: setting, tests: tests, untested: untested)
    }

    /// `archive (UploadAssets)`
    private mutating func citation(
        _ field: Field, _ sources: [String: RuleSource]
    ) -> BehaviorRule.Citation? {
        let words = field.value.split(separator: " ", maxSplits: 1)
        let part = words.count == 2 ? words[1] : "()"
        guard let source = sources[String(words.first ?? "")] else {
            problem("there is no source \(words.first ?? "")", at: field.line)
            return nil
        }
        guard part.hasPrefix("("), part.hasSuffix(")") else {
            problem("put the part of a source in parentheses", at: field.line)
            return nil
        }
        return BehaviorRule.Citation(source: source, part: String(part.dropFirst().dropLast()))
    }

    // MARK: - Fields

    private mutating func all(_ name: String) -> [Field] {
        let found = fields.filter { $0.name == name }
        fields.removeAll { $0.name == name }
        return found
    }

    private mutating func optional(_ name: String) -> String? {
        let found = all(name)
        if found.count > 1 { problem("\(name) is there twice", at: found[1].line) }
        return found.first?.value
    }

    private mutating func one(_ name: String) -> String? {
        let value = optional(name)
        if value == nil { problem("has no \(name)", at: line) }
        return value
    }

    private mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String
    ) -> Choice? {
        let place = fields.first { $0.name == name }?.line ?? line
        guard let text = one(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            problem("\(name) must be one of \(names)", at: place)
            return nil
        }
        return choice
    }

    /// Reports the fields that were not read.
    private mutating func end() {
        for field in fields { problem("unknown field \(field.name)", at: field.line) }
        fields = []
    }

    private mutating func problem(_ words: String, at line: Int) {
        problems.append("\(file):\(line): \(words)")
    }
}
