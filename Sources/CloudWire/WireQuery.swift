/// The query string of a request, parameter by parameter in order.
package struct WireQuery: Sendable, Hashable {
    /// One parameter.
    package struct Item: Sendable, Hashable {
        /// Percent-decoded.
        package let name: String
        /// As it was sent.
        package let rawValue: String
        /// Percent-decoded; a `+` stays a `+`.
        package var value: String { WireQuery.decoded(rawValue) }
    }

    /// What follows the `?`, as it was sent.
    package let text: String

    /// - Parameter text: What follows the `?`, without it.
    package init(_ text: String) { self.text = text }

    /// Every parameter, in order.
    package var items: [Item] {
        text.utf8.split(separator: 0x26).map { part in
            let (name, value) = Self.halves(part)
            return Item(name: Self.decoded(String(name)), rawValue: String(value))
        }
    }

    /// The first value under `name`, percent-decoded.
    ///
    /// Reads the text anew, but makes no strings besides the answer.
    package subscript(name: String) -> String? {
        var rest = text.utf8[...]
        while !rest.isEmpty {
            let part = rest.prefix { $0 != 0x26 }
            rest = rest[part.endIndex...].dropFirst()
            let (key, value) = Self.halves(part)
            let isEscaped = key.utf8.contains(0x25)
            if isEscaped ? Self.decoded(String(key)) == name : key.utf8.elementsEqual(name.utf8) {
                return Self.decoded(String(value))
            }
        }
        return nil
    }

    private static func halves(_ part: Substring.UTF8View) -> (Substring, Substring) {
        let name = part.prefix { $0 != 0x3D }
        return (Substring(name), Substring(part[name.endIndex...].dropFirst()))
    }

    /// `ckAPIToken`, percent-decoded.
    package var apiToken: String? { self["ckAPIToken"] }
    /// `ckWebAuthToken`, or `ckSession`; a raw `+` and a space are both read as `+`.
    package var webAuthToken: String? {
        (self["ckWebAuthToken"] ?? self["ckSession"]).map { token in
            token.utf8.contains(0x20) ? String(token.map { $0 == " " ? "+" : $0 }) : token
        }
    }
    /// Whether queries and lookups are to answer with the zone's sync token.
    package var wantsCurrentSyncToken: Bool {
        self["getCurrentSyncToken"]?.lowercased() == "true"
    }

    /// `text` with its percent escapes resolved; malformed ones stay as they are.
    package static func decoded(_ text: String) -> String {
        guard text.utf8.contains(0x25) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            if bytes[at] == 0x25, at + 2 < bytes.count,
                let high = digit(bytes[at + 1]), let low = digit(bytes[at + 2])
            {
                result.append(high << 4 | low)
                at += 3
            } else {
                result.append(bytes[at])
                at += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// `text` with everything but letters, digits, `-`, `.`, `_` and `~` escaped.
    package static func encoded(_ text: String) -> String {
        let hex = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                result.append(byte)
            default: result += [0x25, hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
