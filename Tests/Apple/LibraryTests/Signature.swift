/// A declaration taken apart, so that two of them can be compared by what an app sees of them.
struct Signature {
    struct Parameter {
        let label: String
        let type: String
        let initially: String?
    }

    /// `init`, `init?`, the name of a method or of a property.
    let name: String
    let parameters: [Parameter]
    /// The type of a property, or what a method gives; empty: nothing.
    let result: String
    /// Whether a property may be set.
    let isSettable: Bool
    /// Whether it is called, and no property.
    let isCall: Bool

    /// Its name with the labels, as in a list of symbols.
    var key: String {
        let bare = name == "init?" ? "init" : name
        return bare + "(" + parameters.map { $0.label + ":" }.joined() + ")"
    }

    /// Reads `convenience init?(a: Int, with b: [String]? = nil)`, `func f() async -> Int` and
    /// `var name: String? { get }`, with or without the words before them.
    init(_ declaration: String) {
        let words = Self.plain(declaration)
        if let property = words.wholeMatch(of: #/.*?\b(?:var|let) `?(\w+)`?: (.+?)( \{.*\})?/#) {
            name = String(property.1)
            parameters = []
            result = String(property.2)
            let accessors = property.3.map(String.init)
            isCall = false
            isSettable = words.contains("var ") && accessors?.contains("set") ?? true
            return
        }
        let start = words.firstIndex(of: "(") ?? words.endIndex
        let end = Self.end(of: words, from: start)
        name = words[..<start].split(separator: " ").last.map(String.init) ?? ""
        parameters = Self.parts(words[start...].dropFirst().prefix(upTo: max(end, start)))
            .map(Self.parameter)
        let rest = end < words.endIndex ? words[words.index(after: end)...] : ""
        result = rest.trimming(" ")
        isSettable = false
        isCall = true
    }

    /// Whether `other` can be used as this one is: the same names and types, and each default that
    /// this one has.
    func isMet(by other: Signature) -> Bool {
        name == other.name && result == other.result && parameters.count == other.parameters.count
            && zip(parameters, other.parameters).allSatisfy { mine, theirs in
                mine.label == theirs.label && mine.type == theirs.type
                    && (mine.initially == nil || mine.initially == theirs.initially)
            }
            && (!isSettable || other.isSettable)
    }

    private static func plain(_ declaration: String) -> String {
        declaration.replacing(#/@\w+ /#, with: "")
    }

    private static func parameter(_ text: Substring) -> Parameter {
        let parts = text.split(separator: " = ", maxSplits: 1)
        let typed = parts[0].split(separator: ": ", maxSplits: 1)
        return Parameter(
            label: String(typed[0].split(separator: " ")[0]),
            type: typed.count == 2 ? String(typed[1]) : "",
            initially: parts.count == 2 ? String(parts[1]) : nil)
    }

    /// Where the parenthesis at `start` closes.
    private static func end(of text: String, from start: String.Index) -> String.Index {
        var depth = 0
        for index in text.indices[start...] {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0 { return index }
        }
        return text.endIndex
    }

    /// What stands between the commas that are in no brackets.
    private static func parts(_ text: Substring) -> [Substring] {
        var parts: [Substring] = []
        var depth = 0
        var start = text.startIndex
        for index in text.indices {
            switch text[index] {
            case "(", "[", "<": depth += 1
            case ")", "]": depth -= 1
            case ">" where !text[..<index].hasSuffix("-"): depth -= 1
            case "," where depth == 0:
                parts.append(text[start..<index].trimmed)
                start = text.index(after: index)
            default: break
            }
        }
        parts.append(text[start...].trimmed)
        return parts.filter { !$0.isEmpty }
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        drop { $0 == " " }
    }
    fileprivate func trimming(_ character: Character) -> String {
        String(drop { $0 == character })
    }
}
