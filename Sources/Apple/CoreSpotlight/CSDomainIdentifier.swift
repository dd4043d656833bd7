/// Makes domain identifiers whose levels cannot run into each other. Not in Apple's interface.
///
/// Deleting a domain deletes everything below it, and a period begins a level. A name that holds
/// periods itself, such as a host or a chat room, must therefore be escaped: else deleting
/// `example.org` deletes `example.org.uk` as well.
public enum CSDomainIdentifier {
    /// A domain of these levels, outermost first.
    ///
    /// - Precondition: There is at least one level and none is empty.
    public static func make(_ levels: String...) -> String {
        precondition(
            !levels.isEmpty && levels.allSatisfy { !$0.isEmpty }, "a level has a name")
        return levels.map(escape).joined(separator: ".")
    }

    /// A name that can be one level: periods and percent signs become `%2E` and `%25`.
    public static func escape(_ name: String) -> String {
        var escaped = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case ".": escaped += "%2E"
            case "%": escaped += "%25"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// The names of a domain's levels, as they were before escaping.
    public static func levels(of domain: String) -> [String] {
        domain.split(separator: ".", omittingEmptySubsequences: false).map { level in
            unescape(level)
        }
    }

    /// Whether a domain seems to hold a name whose periods were not meant as levels: an empty
    /// level, a period behind a character of addresses, or the form of a host name.
    public static func looksUnescaped(_ domain: String) -> Bool {
        let levels = domain.split(separator: ".", omittingEmptySubsequences: false)
        guard levels.count > 1 else { return false }
        if levels.contains(where: \.isEmpty) { return true }
        let outer = levels.dropLast().filter { !$0.contains("%") }
        if outer.contains(where: { $0.contains { "!:/@#?".contains($0) } }) { return true }
        guard let first = levels.first, let last = levels.last else { return false }
        return first.lowercased() == "www" || hostEndings.contains(last.lowercased())
    }

    private static let hostEndings: Set<String> = [
        "com", "org", "net", "edu", "gov", "io", "uk", "de", "fr", "jp", "eu", "info", "local",
    ]

    private static func unescape(_ level: Substring) -> String {
        var name = String.UnicodeScalarView()
        var rest = level.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "%", rest.starts(with: "2E".unicodeScalars) {
                name.append(".")
                rest = rest.dropFirst(2)
            } else if scalar == "%", rest.starts(with: "25".unicodeScalars) {
                name.append("%")
                rest = rest.dropFirst(2)
            } else {
                name.append(scalar)
            }
        }
        return String(name)
    }
}
