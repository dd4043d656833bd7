/// The build settings of one target in one configuration, with what it inherits.
package struct BuildSettings: Sendable, Hashable {
    /// The target and configuration, for people: `App (Release)`.
    package let name: String
    private var values: [String: String]

    package init(name: String, _ values: [String: String]) {
        self.name = name
        self.values = values
    }

    package subscript(_ key: String) -> String? { values[key].map { resolve($0) } }

    /// Replaces `$(NAME)`, `${NAME}` and `$(NAME:modifier)` by settings, also within settings.
    ///
    /// What is not known stays as it is.
    package func resolve(_ text: String) -> String { resolve(text, depthLeft: 16) }

    /// Whether a variable is left in a text.
    package static func isUnresolved(_ text: String) -> Bool {
        text.contains("$(") || text.contains("${")
    }

    private func resolve(_ text: String, depthLeft: Int) -> String {
        guard depthLeft > 0, text.utf8.count <= 4096 else { return text }
        var result = ""
        var rest = Substring(text)
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            rest = rest[dollar...]
            let open = rest.dropFirst().first
            guard open == "(" || open == "{",
                let end = rest.firstIndex(of: open == "(" ? ")" : "}")
            else {
                result += rest.prefix(1)
                rest = rest.dropFirst()
                continue
            }
            let inside = rest[rest.index(rest.startIndex, offsetBy: 2)..<end]
            let parts = inside.split(separator: ":").map { String($0) }
            if let value = parts.first.flatMap({ value(of: $0) }) {
                let resolved = resolve(value, depthLeft: depthLeft - 1)
                result += parts.dropFirst().reduce(resolved) { Self.modify($0, by: $1) }
            } else {
                result += rest[...end]
            }
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    /// `CFBundleIdentifier` is Info.plist's name for the setting.
    private func value(of name: String) -> String? {
        values[name] ?? (name == "CFBundleIdentifier" ? values["PRODUCT_BUNDLE_IDENTIFIER"] : nil)
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
