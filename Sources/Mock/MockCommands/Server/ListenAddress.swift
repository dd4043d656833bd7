import MockHost

/// An IP address that a mock server listens on.
struct ListenAddress: Sendable, Hashable {
    let text: String
    /// Whether only this machine reaches it. Another spelling of `::1` counts as reachable, which asks for more.
    let isLoopback: Bool
    /// Whether it stands for all addresses of this machine, so no client can use it as the server's name.
    let isWildcard: Bool

    /// Reads an address of version 4 or 6; nil for a host name or anything else. The system has the last say on
    /// version 6.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.allSatisfy(\.isASCII) ? UInt8($0) : nil }
        let isVersion4 = parts.count == 4 && numbers.map(String.init) == parts.map(String.init)
        let isVersion6 =
            text.contains(":")
            && text.allSatisfy { $0.isASCII && ($0.isHexDigit || ":.".contains($0)) }
        guard isVersion4 || isVersion6 else { return nil }
        self.text = text
        isLoopback = isVersion4 ? numbers[0] == 127 : text == "::1"
        isWildcard = text == "0.0.0.0" || text == "::"
    }

    /// Has a server listen here alone, with a certificate for this address.
    ///
    /// - Parameter isNamed: Whether the operator chose names; clients then use the first of those.
    func apply(to configuration: inout MockServerConfiguration, isNamed: Bool) {
        configuration.addresses = [text]
        guard !isWildcard, !configuration.names.contains(text) else { return }
        configuration.names = isNamed ? configuration.names + [text] : [text] + configuration.names
    }
}
