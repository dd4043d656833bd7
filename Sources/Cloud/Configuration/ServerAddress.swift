import CloudModel

/// The address of a server that speaks CloudKit's web service: `https`, a host, maybe a port and a path.
///
/// Two spellings of one address are one address: whether a server is Apple's is decided by the canonical form,
/// and an address that may be Apple's in any other way is an error.
package enum ServerAddress {
    /// Says what is wrong with an address; nil when nothing is.
    package static func problem(in text: String) -> String? {
        guard text.prefix(8).lowercased() == "https://" else {
            return "must begin with \"https://\""
        }
        let rest = text.dropFirst(8)
        let authority = rest.prefix { $0 != "/" }
        if authority.isEmpty { return "names no host" }
        if authority.contains("@") { return "must not contain a user or password" }
        if rest.contains("?") || rest.contains("#") { return "must not contain \"?\" or \"#\"" }
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        if !isPlain || text.utf8.count > 512 { return "is malformed or too long" }
        let (host, port) = parts(of: authority)
        guard isHost(host) else { return "has a host that is not a name or an IP address" }
        if let port, UInt16(port) ?? 0 == 0 { return "has a port that is not from 1 to 65535" }
        if isOfApple(host), canonical(text) != ServerFacts.apple.url {
            return "is one of Apple's, but not \(ServerFacts.apple.url), the host of its service"
        }
        return nil
    }

    /// The form in which addresses are compared: scheme and host in lower case, no default port, no slash at
    /// the end, no dot after a host of Apple's.
    ///
    /// - Parameter text: An address in which ``problem(in:)`` finds nothing.
    package static func canonical(_ text: String) -> String {
        guard text.prefix(8).lowercased() == "https://" else { return trimmed(text) }
        let rest = text.dropFirst(8)
        let authority = rest.prefix { $0 != "/" }
        let path = trimmed(String(rest.dropFirst(authority.count)))
        var (host, port) = parts(of: authority)
        if isOfApple(host) { while host.hasSuffix(".") { host = String(host.dropLast()) } }
        let number = port.flatMap { UInt16($0) }
        port = number == 443 ? nil : number.map { "\($0)" } ?? port
        return "https://\(host)\(port.map { ":\($0)" } ?? "")\(path)"
    }

    /// Without slashes at the end.
    package static func trimmed(_ text: String) -> String {
        var text = Substring(text)
        while text.hasSuffix("/") { text = text.dropLast() }
        return String(text)
    }

    /// Whether a host, in lower case, is in the domain of Apple's service.
    private static func isOfApple(_ host: String) -> Bool {
        let domain = "apple-cloudkit.com"
        let host = host.split(separator: ".").joined(separator: ".")
        return host == domain || host.hasSuffix("." + domain)
    }

    /// The host in lower case and the port, without the colon between them.
    private static func parts(of authority: Substring) -> (host: String, port: String?) {
        let end = authority.lastIndex(of: "]") ?? authority.startIndex
        guard let colon = authority[end...].lastIndex(of: ":") else {
            return (authority.lowercased(), nil)
        }
        return (
            authority[..<colon].lowercased(), String(authority[authority.index(after: colon)...])
        )
    }

    /// Names and addresses in their plain form: what a client would decode first could be any host.
    private static func isHost(_ host: String) -> Bool {
        let digits = Set("0123456789abcdef")
        if host.hasPrefix("["), host.hasSuffix("]") {
            return host.count > 2
                && host.dropFirst().dropLast().allSatisfy {
                    digits.contains($0) || ":.".contains($0)
                }
        }
        return !host.isEmpty
            && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    }
}
