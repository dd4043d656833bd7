/// The build settings of one target in one configuration, with what it inherits.
package struct BuildSettings: Sendable, Hashable {
    /// The target and configuration, for people: `App (Release)`.
    package let target: String
    /// The condition that its conditional settings have, such as `sdk=macosx*`; nil: none of them apply.
    package let condition: String?
    private let values: [String: String]
    /// The settings that no unread file can change.
    private let certain: Set<String>
    private let doubts: [String]

    private static let depthMax = 16
    private static let textBytesMax = 4096

    package init(name: String, _ values: [String: String]) {
        self.init(target: name, layers: [SettingsLayer(values)], condition: nil)
    }

    /// - Parameter layers: What the settings come from; each overrides those before it.
    package init(target: String, layers: [SettingsLayer], condition: String?) {
        self.target = target
        self.condition = condition
        var values: [String: String] = [:]
        for layer in layers {
            for (name, value) in layer.settings(under: condition) {
                values[name] = Self.inherit(values[name] ?? "", in: value)
            }
        }
        self.values = values
        var certain: Set<String> = []
        for layer in layers.reversed() {
            guard layer.doubts.isEmpty else { break }
            certain.formUnion(
                layer.settings(under: condition).filter { !Self.inherits($0.value) }.map(\.key))
        }
        self.certain = certain
        doubts = layers.flatMap(\.doubts)
    }

    /// The target, configuration and condition, for people.
    package var name: String { condition.map { "\(target.dropLast()), \($0))" } ?? target }

    package subscript(_ key: String) -> String? { values[key].map { resolve($0) } }

    /// The absolute paths that a setting may name: without what is unknown too, which Xcode takes for empty.
    package func paths(_ key: String) -> [String] {
        guard let value = self[key], let root = self["SRCROOT"] else { return [] }
        return Set([value, Self.withoutVariables(value)]).sorted().compactMap { path in
            var path = Substring(path.trimmed)
            if path.count > 1, path.hasPrefix("\""), path.hasSuffix("\"") {
                path = path.dropFirst().dropLast()
            }
            if path.isEmpty { return nil }
            return FilePath.normal(path.hasPrefix("/") ? String(path) : "\(root)/\(path)")
        }
    }

    /// Replaces `$(NAME)`, `${NAME}` and `$(NAME:modifier)` by settings, also within settings.
    ///
    /// What is not known stays as it is.
    package func resolve(_ text: String) -> String {
        var used: Set<String> = []
        return expand(text, depthLeft: Self.depthMax, &used)
    }

    /// What could not be read and may change how a text is resolved.
    package func doubts(about text: String) -> [String] {
        guard !doubts.isEmpty else { return [] }
        var used: Set<String> = []
        _ = expand(text, depthLeft: Self.depthMax, &used)
        return used.isSubset(of: certain) ? [] : doubts
    }

    /// Whether a value, not yet resolved, has a text in it.
    package func mentions(_ text: String) -> Bool { values.values.contains { $0.contains(text) } }

    /// Whether a variable is left in a text.
    package static func isUnresolved(_ text: String) -> Bool {
        text.contains("$(") || text.contains("${")
    }

    /// A text whose unknown variables are empty, as Xcode has them.
    package static func withoutVariables(_ text: String) -> String {
        var result = ""
        var rest = Substring(text)
        while let variable = Self.variable(in: rest) {
            result += rest[..<variable.whole.lowerBound]
            rest = rest[variable.whole.upperBound...]
        }
        return result + rest
    }

    private static func inherits(_ value: String) -> Bool {
        value.contains("$(inherited)") || value.contains("${inherited}")
    }

    private static func inherit(_ below: String, in value: String) -> String {
        value.replacing("$(inherited)", with: below).replacing("${inherited}", with: below)
    }

    /// The first variable of a text, which may have others in its name.
    private static func variable(
        in text: Substring
    ) -> (whole: Range<Substring.Index>, inside: Substring)? {
        var start = text.startIndex
        while let dollar = text[start...].firstIndex(of: "$") {
            let open = text.index(after: dollar)
            start = open
            guard open < text.endIndex, text[open] == "(" || text[open] == "{" else { continue }
            var depth = 0
            for index in text[open...].indices {
                switch text[index] {
                case "(", "{": depth += 1
                case ")", "}": depth -= 1
                default: continue
                }
                if depth == 0 {
                    return (dollar..<text.index(after: index), text[open..<index].dropFirst())
                }
            }
        }
        return nil
    }

    private func expand(_ text: String, depthLeft: Int, _ used: inout Set<String>) -> String {
        guard depthLeft > 0, text.utf8.count <= Self.textBytesMax else { return text }
        var result = ""
        var rest = Substring(text)
        while let variable = Self.variable(in: rest) {
            result += rest[..<variable.whole.lowerBound]
            let inside = expand(String(variable.inside), depthLeft: depthLeft - 1, &used)
            let parts = inside.split(separator: ":", omittingEmptySubsequences: false)
                .map { String($0) }
            let known = value(of: parts[0], &used).map {
                expand($0, depthLeft: depthLeft - 1, &used)
            }
            if let value = known ?? Self.standardValue(parts) {
                result += parts.dropFirst().reduce(value) { Self.modify($0, by: $1) }
            } else {
                result += rest[variable.whole]
            }
            rest = rest[variable.whole.upperBound...]
        }
        return result + rest
    }

    /// `CFBundleIdentifier` is Info.plist's name for the setting.
    private func value(of name: String, _ used: inout Set<String>) -> String? {
        let isAlias = name == "CFBundleIdentifier" && values[name] == nil
        let name = isAlias ? "PRODUCT_BUNDLE_IDENTIFIER" : name
        if !name.isEmpty { used.insert(name) }
        return values[name]
    }

    /// What an unknown setting is: `$()` is nothing, and `:default=` gives a value.
    private static func standardValue(_ parts: [String]) -> String? {
        if parts == [""] { return "" }
        return parts.dropFirst().first { $0.hasPrefix("default=") }
            .map { String($0.dropFirst("default=".count)) }
    }

    /// The modifiers Xcode applies to identifiers.
    private static func modify(_ text: String, by modifier: String) -> String {
        switch modifier {
        case "rfc1034identifier", "c99extidentifier", "identifier":
            let filler: Character = modifier == "rfc1034identifier" ? "-" : "_"
            return String(
                text.map { character in
                    let keeps = character.isASCII && (character.isLetter || character.isNumber)
                    let isDot = character == "." && modifier == "rfc1034identifier"
                    return keeps || character == "-" || isDot ? character : filler
                })
        case "lower": return text.lowercased()
        case "upper": return text.uppercased()
        default: return text
        }
    }
}
