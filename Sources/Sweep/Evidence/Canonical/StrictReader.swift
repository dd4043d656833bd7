/// Reads the JSON of evidence, and refuses what two readers could take for two things: a key twice,
/// fractions and exponents, large numbers, `null`, halves of surrogate pairs, anything before or after
/// the one value.
///
/// The text may be in any form; ``canonical(_:bytesMax:)`` takes the canonical one only.
package struct StrictReader {
    /// Objects and lists inside one another.
    package static let depthMax = 16
    /// Bytes of one text: an envelope is a few KiB, a large one some hundred.
    package static let bytesMax = 8 << 20

    private let bytes: [UInt8]
    private var at = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The value that `bytes` stand for.
    ///
    /// - Throws: `tooLarge` or `malformed`, with the place.
    package static func read(
        _ bytes: [UInt8], bytesMax: Int = bytesMax
    ) throws(EvidenceError) -> CanonicalValue {
        guard bytes.count <= bytesMax else {
            throw EvidenceError(.tooLarge, "larger than \(bytesMax) bytes")
        }
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            throw EvidenceError(.malformed, "not UTF-8")
        }
        var reader = StrictReader(bytes)
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.at == bytes.count else { throw reader.error("trailing data after the value") }
        return value
    }

    /// The value, where `bytes` are its one canonical form.
    ///
    /// - Throws: `tooLarge` or `malformed`.
    package static func canonical(
        _ bytes: [UInt8], bytesMax: Int = bytesMax
    ) throws(EvidenceError) -> CanonicalValue {
        let value = try read(bytes, bytesMax: bytesMax)
        guard value.canonicalBytes == bytes else {
            throw EvidenceError(.malformed, "not in canonical form (RFC 8785)")
        }
        return value
    }

    private var current: UInt8? { at < bytes.count ? bytes[at] : nil }

    private func error(_ what: String) -> EvidenceError {
        EvidenceError(.malformed, "byte \(at): \(what)")
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            at += 1
        }
    }

    private mutating func expect(_ byte: UInt8) throws(EvidenceError) {
        guard current == byte else {
            throw error("\"\(Character(UnicodeScalar(byte)))\" is missing")
        }
        at += 1
    }

    private mutating func word(_ text: StaticString) throws(EvidenceError) {
        for byte in "\(text)".utf8 {
            guard current == byte else { throw error("not a value allowed in evidence") }
            at += 1
        }
    }

    private mutating func value(depth: Int) throws(EvidenceError) -> CanonicalValue {
        guard depth <= Self.depthMax else { throw error("nested more than \(Self.depthMax) deep") }
        skipSpace()
        switch current {
        case 0x7B: return .object(try members(depth: depth))
        case 0x5B: return .list(try elements(depth: depth))
        case 0x22: return .text(try string())
        case 0x74:
            try word("true")
            return .flag(true)
        case 0x66:
            try word("false")
            return .flag(false)
        default: return .number(try number())
        }
    }

    private mutating func members(
        depth: Int
    ) throws(EvidenceError) -> [(String, CanonicalValue)] {
        var members: [(String, CanonicalValue)] = []
        // As bytes: Swift takes composed and decomposed letters for one key. Keys in order, as they
        // nearly always are, cannot stand twice.
        var keys: Set<[UInt8]>?
        try expect(0x7B)
        skipSpace()
        guard current != 0x7D else {
            at += 1
            return members
        }
        while true {
            skipSpace()
            let key = try string()
            if let last = members.last?.0, keys != nil || !Self.isInOrder(last, key) {
                keys = keys ?? Set(members.map { Array($0.0.utf8) })
                guard keys?.insert(Array(key.utf8)).inserted == true else {
                    throw error("a key is repeated")
                }
            }
            skipSpace()
            try expect(0x3A)
            members.append((key, try value(depth: depth + 1)))
            skipSpace()
            guard current == 0x2C else { break }
            at += 1
        }
        try expect(0x7D)
        return members
    }

    private static func isInOrder(_ key: String, _ next: String) -> Bool {
        key.utf8.lexicographicallyPrecedes(next.utf8)
    }

    private mutating func elements(depth: Int) throws(EvidenceError) -> [CanonicalValue] {
        var elements: [CanonicalValue] = []
        try expect(0x5B)
        skipSpace()
        guard current != 0x5D else {
            at += 1
            return elements
        }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            guard current == 0x2C else { break }
            at += 1
        }
        try expect(0x5D)
        return elements
    }

    private mutating func number() throws(EvidenceError) -> Int64 {
        let start = at
        if current == 0x2D { at += 1 }
        let first = at
        while let byte = current, (0x30...0x39).contains(byte) { at += 1 }
        guard at > first else { throw error("not a value allowed in evidence") }
        if let byte = current, byte == 0x2E || byte == 0x65 || byte == 0x45 {
            throw error("a number that is not an integer")
        }
        let isPlain = bytes[first] != 0x30 || (at == first + 1 && first == start)
        guard isPlain, at - first <= 16,
            let value = Int64(String(decoding: bytes[start..<at], as: UTF8.self)),
            value.magnitude <= UInt64(CanonicalValue.integerMax)
        else { throw error("a number not allowed in evidence") }
        return value
    }

    private mutating func string() throws(EvidenceError) -> String {
        try expect(0x22)
        let start = at
        while let byte = current, byte != 0x22, byte != 0x5C, byte >= 0x20 { at += 1 }
        var text = bytes[start..<at]
        while let byte = current, byte != 0x22 {
            guard byte >= 0x20 else { throw error("a control character in a string") }
            at += 1
            if byte == 0x5C { text += try escape() } else { text.append(byte) }
        }
        try expect(0x22)
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func escape() throws(EvidenceError) -> [UInt8] {
        guard let byte = current else { throw error("the string is not terminated") }
        at += 1
        switch byte {
        case 0x22, 0x5C, 0x2F: return [byte]
        case 0x62: return [0x08]
        case 0x66: return [0x0C]
        case 0x6E: return [0x0A]
        case 0x72: return [0x0D]
        case 0x74: return [0x09]
        case 0x75: return Array(String(Character(try scalar())).utf8)
        default: throw error("an unknown escape")
        }
    }

    private mutating func scalar() throws(EvidenceError) -> Unicode.Scalar {
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(UInt32(first)) { return scalar }
        guard (0xD800...0xDBFF).contains(first) else { throw error("half of a surrogate pair") }
        try expect(0x5C)
        try expect(0x75)
        let second = try codeUnit()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(
                0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        else { throw error("half of a surrogate pair") }
        return scalar
    }

    private mutating func codeUnit() throws(EvidenceError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(UnicodeScalar(byte)).hexDigitValue
            else { throw error("an unknown escape") }
            value = value << 4 | UInt16(digit)
            at += 1
        }
        return value
    }
}
