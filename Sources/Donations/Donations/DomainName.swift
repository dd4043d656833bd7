/// Names of domains: levels with a period between them.
package enum DomainName {
    /// A text as one level of a domain, so that a period in it makes no level of its own (M6).
    ///
    /// "%" becomes "%25" and "." becomes "%2E".
    package static func level(_ text: String) -> String {
        var level = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": level += "%25"
            case ".": level += "%2E"
            default: level.unicodeScalars.append(scalar)
            }
        }
        return level
    }

    /// These domains without those that lie inside another one, and without empty ones.
    package static func outermost(_ domains: [String]) -> [String] {
        let all = Set(domains.filter { !$0.isEmpty }.map { Array($0.utf8) })
        return domains.filter { domain in
            let bytes = Array(domain.utf8)
            return !bytes.isEmpty
                && !bytes.indices.contains {
                    bytes[$0] == 0x2E && all.contains(Array(bytes[..<$0]))
                }
        }
    }
}
