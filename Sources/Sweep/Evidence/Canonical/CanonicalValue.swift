/// A value of evidence: what canonical JSON (RFC 8785) has, without fractions and without `null`.
///
/// Numbers are integers up to ``integerMax`` either way: beyond it, readers that take numbers for
/// doubles see another one.
///
/// - SeeAlso: <https://www.rfc-editor.org/rfc/rfc8785>
package indirect enum CanonicalValue: Sendable {
    case text(String)
    case number(Int64)
    case flag(Bool)
    case list([CanonicalValue])
    /// Members in any order; they are written in the canonical one.
    case object([(String, CanonicalValue)])
    /// Left out, with its key.
    case absent

    /// 2^53 − 1
    package static let integerMax: Int64 = 9_007_199_254_740_991

    package static func optional(_ text: String?) -> CanonicalValue {
        text.map { .text($0) } ?? .absent
    }
    package static func optional(_ number: Int64?) -> CanonicalValue {
        number.map { .number($0) } ?? .absent
    }

    /// The one sequence of bytes that stands for this value, without a line feed at the end.
    ///
    /// - Precondition: No number is beyond ``integerMax``, and no object has a key twice.
    package var canonicalBytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .text(let text): Self.quote(text, to: &bytes)
        case .number(let number):
            precondition(
                number.magnitude <= UInt64(Self.integerMax),
                "not a number allowed in evidence")
            bytes += Array(String(number).utf8)
        case .flag(let flag): bytes += Array((flag ? "true" : "false").utf8)
        case .list(let values):
            Self.write(values, "[", "]", to: &bytes) { value, bytes in value.write(to: &bytes) }
        case .object(let members):
            Self.write(Self.sorted(members), "{", "}", to: &bytes) { member, bytes in
                Self.quote(member.0, to: &bytes)
                bytes.append(0x3A)
                member.1.write(to: &bytes)
            }
        case .absent: preconditionFailure("an omitted value has no bytes")
        }
    }

    private static func write<Element>(
        _ elements: [Element], _ opening: Character, _ closing: Character,
        to bytes: inout [UInt8], _ body: (Element, inout [UInt8]) -> Void
    ) {
        bytes += Array(opening.utf8)
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(0x2C) }
            body(element, &bytes)
        }
        bytes += Array(closing.utf8)
    }

    /// The members that are not left out, by the UTF-16 code units of their keys. Swift's own order
    /// is another one: it compares normalised text.
    private static func sorted(
        _ members: [(String, CanonicalValue)]
    ) -> [(String, CanonicalValue)] {
        let present = members.filter { if case .absent = $0.1 { false } else { true } }
            .sorted { $0.0.utf16.lexicographicallyPrecedes($1.0.utf16) }
        for (left, right) in zip(present, present.dropFirst()) {
            precondition(!left.0.utf8.elementsEqual(right.0.utf8), "a key is repeated")
        }
        return present
    }

    private static func quote(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(0x22)
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C: bytes += [0x5C, byte]
            case 0x08: bytes += Array("\\b".utf8)
            case 0x09: bytes += Array("\\t".utf8)
            case 0x0A: bytes += Array("\\n".utf8)
            case 0x0C: bytes += Array("\\f".utf8)
            case 0x0D: bytes += Array("\\r".utf8)
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }
}
