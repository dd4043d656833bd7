private import Glibc

/// A name that a certificate can bear: a DNS name, perhaps with `*` as its first label, or a
/// numeric address.
enum CertificateName: Hashable, Sendable {
    case dns(String)
    case ipv4(String)
    case ipv6(String)

    /// - Throws: `nameInvalid`. What passes here is safe inside OpenSSL's extension texts.
    init(_ text: String) throws(OpenSSLError) {
        var bytes = (UInt64(0), UInt64(0))
        if unsafe inet_pton(AF_INET, text, &bytes) == 1 {
            self = .ipv4(text)
        } else if unsafe inet_pton(AF_INET6, text, &bytes) == 1 {
            self = .ipv6(text)
        } else if Self.isDNSName(text) {
            self = .dns(text.lowercased())
        } else {
            throw OpenSSLError(
                .nameInvalid, "“\(text.prefix(80))” is neither a DNS name nor an IP address")
        }
    }

    private static func isDNSName(_ text: String) -> Bool {
        var labels = text.split(separator: ".", omittingEmptySubsequences: false)
        if labels.first == "*" { labels.removeFirst() }
        guard !labels.isEmpty, text.utf8.count <= 253 else { return false }
        let isNumeric = labels.last?.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ?? true
        return !isNumeric
            && labels.allSatisfy { label in
                !label.isEmpty && label.utf8.count <= 63 && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy {
                        ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39)
                            || $0 == 0x2D || $0 == 0x5F
                    }
            }
    }

    /// As it stands in a subjectAltName extension's text.
    var alternativeName: String {
        switch self {
        case .dns(let name): "DNS:" + name
        case .ipv4(let address), .ipv6(let address): "IP:" + address
        }
    }

    /// The name constraint that permits this name and what lies below it; nil for an address.
    ///
    /// BoringSSL knows no constraints of addresses, and refuses every certificate with an address below
    /// an authority that has one.
    var constraint: String? {
        switch self {
        case .dns(let name):
            "permitted;DNS:" + (name.hasPrefix("*.") ? name.dropFirst(2) : name[...])
        case .ipv4, .ipv6: nil
        }
    }
}
