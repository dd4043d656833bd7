/// Standard base64 with padding (RFC 4648 section 4).
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        encode(Array(bytes).span)
    }

    /// The same, not generic: callers in other modules get no specialised copy of the above.
    package static func encode(_ bytes: [UInt8]) -> String { encode(bytes.span) }

    package static func encode(_ bytes: Span<UInt8>) -> String {
        let alphabet = alphabet
        // Filled with padding.
        var text = [UInt8](repeating: 0x3D, count: (bytes.count + 2) / 3 * 4)
        var end = 0
        for start in stride(from: 0, to: bytes.count - 2, by: 3) {
            let group = Int(bytes[start]) << 16 | Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
            text[end] = alphabet[group >> 18]
            text[end + 1] = alphabet[group >> 12 & 63]
            text[end + 2] = alphabet[group >> 6 & 63]
            text[end + 3] = alphabet[group & 63]
            end += 4
        }
        let left = bytes.count % 3
        if left > 0 {
            let last = Int(bytes[bytes.count - left]) << 8
            let group = left == 1 ? last : last | Int(bytes[bytes.count - 1])
            text[end] = alphabet[group >> 10]
            text[end + 1] = alphabet[group >> 4 & 63]
            if left == 2 { text[end + 2] = alphabet[group << 2 & 63] }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes, or nil when `text` is not padded standard base64.
    package static func decode(_ text: String) -> [UInt8]? {
        let input = Array(text.utf8)
        guard input.count % 4 == 0 else { return nil }
        let padding = input.suffix(2).reversed().prefix { $0 == 0x3D }.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(input.count / 4 * 3)
        var group: UInt32 = 0
        var held = 0
        for character in input[..<(input.count - padding)] {
            let value: UInt8
            switch character {
            case 0x41...0x5A: value = character - 0x41
            case 0x61...0x7A: value = character - 0x61 + 26
            case 0x30...0x39: value = character - 0x30 + 52
            case 0x2B: value = 62
            case 0x2F: value = 63
            default: return nil
            }
            group = group << 6 | UInt32(value)
            held += 1
            if held == 4 {
                bytes.append(UInt8(group >> 16))
                bytes.append(UInt8(group >> 8 & 255))
                bytes.append(UInt8(group & 255))
                group = 0
                held = 0
            }
        }
        switch held {
        case 0: return bytes
        case 2: return bytes + [UInt8(group >> 4)]
        case 3: return bytes + [UInt8(group >> 10), UInt8(group >> 2 & 255)]
        default: return nil
        }
    }
}
