import JSON

/// Reads the containers that a project generator's file declares, by line.
///
/// The tool itself knows more forms than are read here: what could declare a container and has
/// another form is a problem, so that it is never left out in silence.
struct GeneratedProject {
    /// How a file is written.
    enum Form: Sendable, Hashable {
        /// XcodeGen's `project.yml` and the files it includes.
        case yaml
        /// Expo's `app.json`.
        case json
        /// Text in some language, of which identifiers that are written out are read.
        case program
    }

    /// A text that a key declares as a container.
    struct Declared: Hashable {
        let text: String
        let line: Int
    }

    private(set) var declared: [Declared] = []
    /// What could declare a container and is not understood.
    private(set) var problems: [(line: Int, reason: String)] = []

    /// Expo's key for an app with a container named after it.
    static let storageKey = "usesIcloudStorage"

    init(_ bytes: [UInt8], _ form: Form) {
        let bytes = SourceText.withoutMark(bytes)
        switch form {
        case .json: readJSON(bytes)
        case .yaml: readYAML(SourceText(bytes).lines.map { Self.withoutComment($0) })
        case .program: readProgram(SourceText(bytes).lines)
        }
    }

    private mutating func problem(_ key: String, at line: Int, _ cause: String) {
        problems.append((line, "\"\(key)\" \(cause)"))
    }

    // MARK: JSON

    private mutating func readJSON(_ bytes: [UInt8]) {
        do throws(JSONError) {
            read(try JSONDocument.parse(bytes).root)
        } catch {
            problems.append((error.line, "is not readable JSON: \(error.reason)"))
        }
    }

    private mutating func read(_ value: JSONValue) {
        for element in value.kind == .array ? Array(value.elements) : [] { read(element) }
        guard value.kind == .object else { return }
        for member in value.members {
            let line = member.keyLocation.line
            switch member.key {
            case Self.storageKey: readStorage(member.value, in: value, line)
            case DeclaringFile.infoKey:
                if member.value.kind == .object {
                    for container in member.value.members { add(container.key, line) }
                } else {
                    problem(member.key, at: line, "is not an object")
                }
            case let key where DeclaringFile.keys.contains(key):
                readList(member.value, of: key, line)
            default: read(member.value)
            }
        }
    }

    private mutating func readList(_ value: JSONValue, of key: String, _ line: Int) {
        if let text = value.string { return add(text, value.location.line) }
        guard value.kind == .array else {
            return problem(key, at: line, "is not a list of container identifiers")
        }
        for element in value.elements {
            if let text = element.string {
                add(text, element.location.line)
            } else {
                problem(key, at: element.location.line, "has an element that is not a string")
            }
        }
    }

    /// Expo gives such an app the container that is called like the app.
    private mutating func readStorage(_ value: JSONValue, in object: JSONValue, _ line: Int) {
        guard let isUsed = value.bool else {
            return problem(Self.storageKey, at: line, "is neither true nor false")
        }
        guard isUsed else { return }
        guard let name = object["bundleIdentifier"]?.string else {
            return problem(
                Self.storageKey, at: line, "is true without a bundleIdentifier")
        }
        add("iCloud.\(name)", line)
    }

    private mutating func add(_ text: String, _ line: Int) {
        declared.append(Declared(text: text, line: line))
    }

    // MARK: YAML

    private mutating func readYAML(_ lines: [String]) {
        for (index, line) in lines.enumerated() {
            for key in DeclaringFile.keys {
                guard let range = line.firstRange(of: key) else { continue }
                var rest = line[range.upperBound...]
                while let first = rest.first, first == "\"" || first == "'" || first.isWhitespace {
                    rest = rest.dropFirst()
                }
                guard rest.first == ":", line[range.upperBound...].firstRange(of: key) == nil else {
                    problem(key, at: index + 1, "is not at a key of a mapping")
                    continue
                }
                let value = rest.dropFirst().trimmed
                if key == DeclaringFile.infoKey {
                    readMapping(value, of: key, at: index, lines)
                } else {
                    readValue(value, of: key, at: index, lines)
                }
            }
        }
    }

    private mutating func readValue(
        _ value: String, of key: String, at index: Int, _ lines: [String]
    ) {
        switch value.first {
        case "[": readFlow(value, of: key, at: index, lines)
        case nil:
            let items = Self.block(below: index, lines, isList: true)
            for item in items where item.text.hasPrefix("-") {
                add(Self.unquoted(item.text.dropFirst()), item.index + 1)
            }
            if items.isEmpty || items.contains(where: { !$0.text.hasPrefix("-") }) {
                problem(key, at: index + 1, "is not a list of container identifiers")
            }
        case "{", "*", "&", "|", ">", "!":
            problem(key, at: index + 1, "is not a list of container identifiers")
        default: add(Self.unquoted(value[...]), index + 1)
        }
    }

    /// `[a, b]`, which may go over several lines.
    private mutating func readFlow(
        _ value: String, of key: String, at index: Int, _ lines: [String]
    ) {
        var rest = value.dropFirst()
        for number in index..<lines.count {
            if number > index { rest = lines[number][...] }
            let end = rest.firstIndex(of: "]")
            for item in rest[..<(end ?? rest.endIndex)].split(separator: ",") {
                let text = Self.unquoted(item)
                if !text.isEmpty { add(text, number + 1) }
            }
            if end != nil { return }
        }
        problem(key, at: index + 1, "is an unterminated list")
    }

    /// The keys of a mapping that are one level below.
    private mutating func readMapping(
        _ value: String, of key: String, at index: Int, _ lines: [String]
    ) {
        let items = Self.block(below: index, lines, isList: false)
        guard value.isEmpty, let first = items.first else {
            return problem(key, at: index + 1, "is not a mapping with one container per line")
        }
        for item in items where item.indent <= first.indent {
            let name = item.text.prefix { $0 != ":" }
            guard name.endIndex < item.text.endIndex else {
                problem(key, at: item.index + 1, "has a line that cannot be interpreted")
                continue
            }
            add(Self.unquoted(name), item.index + 1)
        }
    }

    /// The lines that belong to a key; those of a list may be indented as far as the key.
    private static func block(
        below index: Int, _ lines: [String], isList: Bool
    ) -> [(index: Int, indent: Int, text: String)] {
        func indent(_ line: String) -> Int { line.prefix { $0 == " " }.count }
        var items: [(index: Int, indent: Int, text: String)] = []
        for number in (index + 1)..<max(lines.count, index + 1) {
            let text = lines[number].trimmed
            if text.isEmpty { continue }
            let isBeside = indent(lines[number]) == indent(lines[index])
            let belongs =
                indent(lines[number]) > indent(lines[index])
                || (isList && isBeside && text.hasPrefix("-"))
            guard belongs else { break }
            items.append((number, indent(lines[number]), text))
        }
        return items
    }

    private static func unquoted(_ text: Substring) -> String {
        let text = text.trimmed
        for quote in ["\"", "'"] where text.count > 1 && text.hasPrefix(quote) {
            if text.hasSuffix(quote) { return String(text.dropFirst().dropLast()) }
        }
        return text
    }

    /// A line up to `#`, which begins a comment after a blank and outside quotes.
    private static func withoutComment(_ line: String) -> String {
        var quote: Character?
        var before: Character = " "
        for index in line.indices {
            let character = line[index]
            defer { before = character }
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "#", before.isWhitespace {
                return String(line[..<index])
            } else if character == "\"" || character == "'", !before.isLetter {
                quote = character
            }
        }
        return line
    }

    // MARK: programs

    /// Takes the identifiers that are written out in quotes where a key is mentioned.
    private mutating func readProgram(_ lines: [String]) {
        for (index, line) in lines.enumerated() {
            for key in DeclaringFile.keys + [Self.storageKey] {
                guard let range = line.firstRange(of: key) else { continue }
                let start = line[range.upperBound...]
                if key == Self.storageKey, start.trimmed.hasPrefix(": false") { continue }
                readLiterals(start, of: key, at: index, then: lines.dropFirst(index + 1))
            }
        }
    }

    /// Reads up to the end of a list, which is on the same line unless one opens there.
    private mutating func readLiterals(
        _ start: Substring, of key: String, at index: Int, then lines: ArraySlice<String>
    ) {
        // The key's own quote is not the beginning of a text.
        var rest = Self.quotes.contains(start.first ?? " ") ? start.dropFirst() : start
        let isOpen = rest.contains("[") && !rest.contains("]")
        var (hasFound, isUnderstood) = (false, true)
        for number in index..<index + 1 + (isOpen ? lines.count : 0) {
            if number > index { rest = lines[number][...] }
            let end = rest.firstIndex(of: "]") ?? rest.endIndex
            let parts = rest[..<end].split(omittingEmptySubsequences: false) {
                Self.quotes.contains($0)
            }
            // What stands outside and inside quotes takes turns.
            for (position, part) in parts.enumerated() {
                if position.isMultiple(of: 2) {
                    let words = part.split { !$0.isLetter }
                    isUnderstood = isUnderstood && words.allSatisfy { Self.words.contains($0) }
                } else if part.hasPrefix("iCloud.") {
                    add(String(part), number + 1)
                    hasFound = true
                }
            }
            if end < rest.endIndex { break }
        }
        if !hasFound || !isUnderstood {
            problem(key, at: index + 1, "is not followed by literal identifiers")
        }
    }

    private static let quotes: Set<Character> = ["\"", "'", "`"]
    /// Words that may stand around identifiers.
    private static let words: Set<Substring> = ["array", "string", "Type", "Value"]
}
