import HTTPServer

/// The name of a namespace: one label of a host name, in lower case.
package struct NamespaceName: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// What the server itself is called among namespaces.
    package static let home = "localhost"
    package static let pattern = "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"
    private static let rule =
        "a namespace's name has 1 to 63 of a-z, 0-9 and -, and neither begins nor ends with -"

    package init(_ text: String) throws(MockError) {
        let bytes = Array(text.utf8)
        let isPlain = bytes.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
        }
        guard (1...63).contains(bytes.count), isPlain, bytes.first != 0x2D, bytes.last != 0x2D
        else { throw MockError("\"\(text.prefix(80))\": \(Self.rule)") }
        guard text != Self.home else {
            throw MockError("\"\(text)\" is the server's own name, and not valid for a namespace")
        }
        description = text
    }

    /// What a host name is called by that stands below `localhost`; nil for any other.
    package static func label(ofHost host: String) -> String? {
        guard host.hasSuffix(".localhost") else { return nil }
        return String(host.dropLast(".localhost".count))
    }

    /// The host that a request came to, in lower case and without its port.
    static func host(of request: HTTPRequest) -> String? {
        guard var host = request["host"]?.lowercased() else { return nil }
        if !host.hasPrefix("["), let colon = host.firstIndex(of: ":") {
            host = String(host[..<colon])
        }
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }
}
