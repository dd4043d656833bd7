/// The parameters of a URL's query or of a form.
package struct QueryParameters: Sendable {
    private var values: [(name: String, value: String)] = []
    private static let countMax = 100

    /// Reads `a=b&c=d`; what cannot be decoded is left as it is, beyond 100 the rest is ignored.
    ///
    /// - Parameter plusIsSpace: As in forms. In our URLs a bare `+` is itself.
    package init(_ text: String?, plusIsSpace: Bool = false) {
        guard let text, !text.isEmpty else { return }
        for pair in text.utf8.split(separator: UInt8(ascii: "&")).prefix(Self.countMax) {
            let cut = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let value = cut == pair.endIndex ? pair[cut...] : pair[pair.index(after: cut)...]
            values.append(
                (Self.decode(pair[..<cut], plusIsSpace), Self.decode(value, plusIsSpace)))
        }
    }

    /// The first value of a name.
    package subscript(_ name: String) -> String? {
        values.first { $0.name == name }?.value
    }

    private static func decode(_ text: Substring.UTF8View, _ plusIsSpace: Bool) -> String {
        guard text.contains(UInt8(ascii: "%")) || plusIsSpace else { return String(text) ?? "" }
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(digit),
                let low = rest.dropFirst().first.flatMap(digit)
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") && plusIsSpace ? 0x20 : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    /// A value as it must stand in a query: all but unreserved characters escaped.
    package static func escape(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
            default: bytes += Array("%\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
