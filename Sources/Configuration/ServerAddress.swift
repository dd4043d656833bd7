/// The address of a server that speaks CloudKit's web service.
package enum ServerAddress {
    /// Says what is wrong with an address; nil when nothing is.
    package static func problem(in text: String) -> String? {
        guard text.hasPrefix("https://") else { return "must begin with \"https://\"" }
        let rest = text.dropFirst(8)
        let host = rest.prefix { $0 != "/" }
        if host.isEmpty { return "names no host" }
        if host.contains("@") { return "must not hold a user or password" }
        if rest.contains("?") || rest.contains("#") { return "must not hold \"?\" or \"#\"" }
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        if !isPlain || text.utf8.count > 512 { return "is malformed or too long" }
        return nil
    }

    /// Without slashes at the end.
    package static func trimmed(_ text: String) -> String {
        var text = Substring(text)
        while text.hasSuffix("/") { text = text.dropLast() }
        return String(text)
    }
}
