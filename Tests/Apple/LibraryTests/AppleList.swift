import Foundation

/// What a file of facts says of Apple's framework, as what ours must have.
struct AppleList {
    /// A declaration that must be there: of a type, with what an app sees of it.
    struct Member {
        let type: String
        let signature: Signature
    }

    private(set) var types: Set<String> = []
    /// The classes that archives take.
    private(set) var coded: Set<String> = []
    private(set) var members: [Member] = []
    /// The cases of enumerations, with the number of the first.
    private(set) var cases: [String: (first: Int, names: [String])] = [:]
    /// The names in sets of bits and in structures of text.
    private(set) var constants: [String: [String]] = [:]
    private var renamed: [String: String] = [:]
    private var open: (name: String, isIntent: Bool) = ("", false)

    init(_ text: String) {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            var words = line.split(separator: " ").map(String.init)
            let first = words.removeFirst()
            if line.hasPrefix("  ") {
                take(first, words, line.drop { $0 == " " })
            } else {
                begin(first, words)
            }
        }
    }

    private mutating func begin(_ kind: String, _ words: [String]) {
        let name = words[0].replacing(":", with: "")
        switch kind {
        case "renamed":
            for pair in words.map({ $0.split(separator: "=").map(String.init) }) {
                renamed[pair[0]] = pair[1]
            }
        case "intent":
            open = (name, true)
            types.formUnion([name, name + "Response", name + "Handling"])
            coded.formUnion([name, name + "Response"])
            for method in ["handle", "confirm"] {
                addMethod(method, "intent", "completion", name + "Response")
            }
        case "class":
            open = (name, false)
            types.insert(name)
            if words.contains("coded") { coded.insert(name) }
        case "enum": cases[name] = (Int(words[1]) ?? -1, Array(words.dropFirst(2)))
        case "options", "strings": constants[name] = Array(words.dropFirst())
        default: for word in words { addResult(kind, word) }
        }
    }

    private mutating func take(_ kind: String, _ words: [String], _ line: Substring) {
        let rest = words.joined(separator: " ")
        switch kind {
        case "get": add(open.name, "var \(rest) { get }")
        case "set": add(open.name, "var \(rest)")
        case "func": add(open.name, rest)
        case "resolve":
            let name = words[0].dropLast()
            let method = "resolve" + name.prefix(1).uppercased() + name.dropFirst()
            addMethod(method, "for", "with", words[1])
        case "response":
            take(
                words[0], Array(words.dropFirst()), line.dropFirst("response ".count),
                of: "Response")
        case "codes":
            let isNamed = words.count > 1 && words[1] == "="
            cases[isNamed ? words[0] : open.name + "ResponseCode"] =
                (0, isNamed ? Array(words.dropFirst(2)) : words)
        default:
            add(open.name, String(line))
            guard open.isIntent else { return }
            for parameter in Signature(String(line)).parameters {
                let name = renamed[parameter.label] ?? parameter.label
                let isOwn = name == parameter.label || line.contains(" " + name)
                let names = isOwn ? [name] : [parameter.label, name]
                either.append((open.name, names, parameter.type))
            }
        }
    }

    /// Properties of which one must be there: initialisers leave out what the type says anyway.
    private(set) var either: [(type: String, names: [String], of: String)] = []

    private mutating func take(
        _ kind: String, _ words: [String], _ line: Substring, of suffix: String
    ) {
        let intent = open
        open = (intent.name + suffix, false)
        take(kind, words, line)
        open = intent
    }

    private mutating func add(_ type: String, _ declaration: String) {
        members.append(Member(type: type, signature: Signature(declaration)))
    }

    /// Both forms of a handler's method.
    private mutating func addMethod(
        _ name: String, _ label: String, _ completion: String, _ answer: String
    ) {
        let intent = "\(label): \(open.name)"
        add(open.name + "Handling", "\(name)(\(intent)) async -> \(answer)")
        add(open.name + "Handling", "\(name)(\(intent), \(completion): (\(answer)) -> Void)")
    }

    private mutating func addResult(_ kind: String, _ word: String) {
        let parts = word.split(separator: "=").map(String.init)
        let type = "IN\(parts[0])ResolutionResult"
        types.insert(type)
        guard kind != "reasons" else {
            return add(type, "unsupported(forReason: IN\(parts[0])UnsupportedReason) -> Self")
        }
        let subject = parts.count == 2 ? parts[1] : "IN" + parts[0]
        add(type, "success(with: \(subject)) -> Self")
        add(type, "confirmationRequired(with: \(subject)\(kind == "cases" ? "" : "?")) -> Self")
        if kind == "choices" { add(type, "disambiguation(with: [\(subject)]) -> Self") }
    }
}
