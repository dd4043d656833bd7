import HTTPServer

/// Where a web page comes from, as a browser says it: `https://app.example:3000`.
package struct WebOrigin: Hashable, CustomStringConvertible {
    package let description: String
    private static let bytesMax = 300
    /// The name or address without the port, an address of IPv6 without its brackets.
    var host: Substring {
        let place = description.drop { $0 != "/" }.dropFirst(2)
        guard place.first == "[" else { return place.prefix { $0 != ":" } }
        return place.dropFirst().prefix { $0 != "]" }
    }

    /// nil for everything else, also for the `null` of pages that have no origin.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.bytesMax, parts.count == 3, parts[0].utf8.count > 1,
            parts[0].last == ":", parts[1].isEmpty, !parts[2].isEmpty,
            Self.isPlain(parts[0].dropLast(), besides: "+-."),
            Self.isPlain(parts[2], besides: "-._:[]")
        else { return nil }
        description = text.lowercased()
    }

    /// The origin of the page at an address, as `Referer` names it.
    init?(ofAddress address: String) {
        let parts = address.split(
            separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count > 2 else { return nil }
        self.init("\(parts[0])/\(parts[1])/\(parts[2].prefix { $0 != "?" && $0 != "#" })")
    }

    private static func isPlain(_ text: Substring, besides others: String) -> Bool {
        text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
                || others.utf8.contains($0)
        }
    }
}

extension HTTPRequest {
    /// Whether a browser says that a page of another origin sends this.
    package var isOfOtherOrigin: Bool {
        self["sec-fetch-site"].map { $0 != "same-origin" && $0 != "none" } ?? false
    }
}
