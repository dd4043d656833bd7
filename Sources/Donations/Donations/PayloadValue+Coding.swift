extension PayloadValue {
    /// Why bytes are no payload.
    package enum DecodingFailure: Error, Hashable, Sendable {
        /// They end too early.
        case truncated
        /// Something follows the value.
        case trailingBytes
        /// A kind of value that is not known.
        case unknownTag(UInt8)
        /// A text is not UTF-8.
        case notText
        /// More levels than ``depthMax``.
        case tooDeep
        /// The order or the form is not the canonical one.
        case notCanonical
    }

    /// What kind of value follows.
    private enum Tag: UInt8 {
        case null, no, yes, integer, double, string, data, date, url, uuid, array, set, dictionary
    }

    /// The canonical bytes: the same value gives the same bytes, everywhere and always.
    ///
    /// A tag, then a length or count where one is needed, then the content. Numbers of variable
    /// size have seven bits a byte, low bits first; doubles have eight bytes, high byte first,
    /// and all that are not numbers are written alike.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    /// How many bytes the canonical encoding has.
    package var encodedSize: Int { encoded.count }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(Tag.null.rawValue)
        case .bool(let value): bytes.append((value ? Tag.yes : .no).rawValue)
        case .integer(let value):
            bytes.append(Tag.integer.rawValue)
            Self.write(UInt64(bitPattern: (value << 1) ^ (value >> 63)), to: &bytes)
        case .double(let value): Self.write(value, .double, to: &bytes)
        case .date(let value): Self.write(value, .date, to: &bytes)
        case .string(let text): Self.write(text.utf8, .string, to: &bytes)
        case .url(let text): Self.write(text.utf8, .url, to: &bytes)
        case .data(let data): Self.write(data, .data, to: &bytes)
        case .uuid(let uuid):
            bytes.append(Tag.uuid.rawValue)
            bytes += uuid.prefix(16) + [UInt8](repeating: 0, count: max(0, 16 - uuid.count))
        case .array(let values):
            bytes.append(Tag.array.rawValue)
            Self.write(UInt64(values.count), to: &bytes)
            for value in values { value.write(to: &bytes) }
        case .set(let values):
            let elements = Set(values.map(\.encoded)).sorted { $0.lexicographicallyPrecedes($1) }
            bytes.append(Tag.set.rawValue)
            Self.write(UInt64(elements.count), to: &bytes)
            for element in elements { bytes += element }
        case .dictionary(let pairs):
            let known = Dictionary(
                pairs.map { ($0.key.encoded, $0.value) }, uniquingKeysWith: { $1 })
            bytes.append(Tag.dictionary.rawValue)
            Self.write(UInt64(known.count), to: &bytes)
            for (key, value) in known.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                bytes += key
                value.write(to: &bytes)
            }
        }
    }

    private static func write(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private static func write(_ number: Double, _ tag: Tag, to bytes: inout [UInt8]) {
        bytes.append(tag.rawValue)
        let bits = number.isNaN ? Double.nan.bitPattern : number.bitPattern
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
        }
    }

    private static func write(
        _ content: some Collection<UInt8>, _ tag: Tag, to bytes: inout [UInt8]
    ) {
        bytes.append(tag.rawValue)
        write(UInt64(content.count), to: &bytes)
        bytes.append(contentsOf: content)
    }

    /// Reads canonical bytes.
    package init(decoding bytes: [UInt8]) throws(DecodingFailure) {
        var rest = bytes[...]
        self = try Self.read(from: &rest, depth: 0)
        guard rest.isEmpty else { throw .trailingBytes }
    }

    private static func read(
        from bytes: inout ArraySlice<UInt8>, depth: Int
    ) throws(DecodingFailure) -> PayloadValue {
        guard depth <= depthMax else { throw .tooDeep }
        guard let first = bytes.popFirst() else { throw .truncated }
        guard let tag = Tag(rawValue: first) else { throw .unknownTag(first) }
        switch tag {
        case .null: return .null
        case .no: return .bool(false)
        case .yes: return .bool(true)
        case .integer:
            let folded = try number(from: &bytes)
            return .integer(Int64(folded >> 1) ^ -Int64(folded & 1))
        case .double: return .double(try double(from: &bytes))
        case .date: return .date(try double(from: &bytes))
        case .string: return .string(try text(from: &bytes))
        case .url: return .url(try text(from: &bytes))
        case .data: return .data(Array(try content(from: &bytes)))
        case .uuid:
            guard bytes.count >= 16 else { throw .truncated }
            defer { bytes.removeFirst(16) }
            return .uuid(Array(bytes.prefix(16)))
        case .array:
            var values: [PayloadValue] = []
            for _ in 0..<(try count(from: &bytes)) {
                values.append(try read(from: &bytes, depth: depth + 1))
            }
            return .array(values)
        case .set: return try readSet(from: &bytes, depth: depth)
        case .dictionary: return try readDictionary(from: &bytes, depth: depth)
        }
    }

    private static func readSet(
        from bytes: inout ArraySlice<UInt8>, depth: Int
    ) throws(DecodingFailure) -> PayloadValue {
        var values: [PayloadValue] = []
        var before: ArraySlice<UInt8>?
        for _ in 0..<(try count(from: &bytes)) {
            let start = bytes
            values.append(try read(from: &bytes, depth: depth + 1))
            let element = start[start.startIndex..<bytes.startIndex]
            if let before, !before.lexicographicallyPrecedes(element) { throw .notCanonical }
            before = element
        }
        return .set(values)
    }

    private static func readDictionary(
        from bytes: inout ArraySlice<UInt8>, depth: Int
    ) throws(DecodingFailure) -> PayloadValue {
        var pairs: [(key: PayloadValue, value: PayloadValue)] = []
        var before: ArraySlice<UInt8>?
        for _ in 0..<(try count(from: &bytes)) {
            let start = bytes
            let key = try read(from: &bytes, depth: depth + 1)
            let element = start[start.startIndex..<bytes.startIndex]
            if let before, !before.lexicographicallyPrecedes(element) { throw .notCanonical }
            before = element
            pairs.append((key: key, value: try read(from: &bytes, depth: depth + 1)))
        }
        return .dictionary(pairs)
    }

    private static func number(
        from bytes: inout ArraySlice<UInt8>
    ) throws(DecodingFailure) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            guard let byte = bytes.popFirst() else { throw .truncated }
            let bits = UInt64(byte & 0x7F)
            guard shift < 63 || bits <= 1 else { throw .notCanonical }
            number |= bits << shift
            guard byte & 0x80 == 0 else { continue }
            guard byte != 0 || shift == 0 else { throw .notCanonical }
            return number
        }
        throw .notCanonical
    }

    /// A count of things that have at least one byte each.
    private static func count(
        from bytes: inout ArraySlice<UInt8>
    ) throws(DecodingFailure) -> Int {
        let count = try number(from: &bytes)
        guard count <= UInt64(bytes.count) else { throw .truncated }
        return Int(count)
    }

    private static func content(
        from bytes: inout ArraySlice<UInt8>
    ) throws(DecodingFailure) -> ArraySlice<UInt8> {
        let length = try count(from: &bytes)
        defer { bytes.removeFirst(length) }
        return bytes.prefix(length)
    }

    private static func text(
        from bytes: inout ArraySlice<UInt8>
    ) throws(DecodingFailure) -> String {
        guard let text = String(validating: try content(from: &bytes), as: UTF8.self) else {
            throw .notText
        }
        return text
    }

    private static func double(
        from bytes: inout ArraySlice<UInt8>
    ) throws(DecodingFailure) -> Double {
        guard bytes.count >= 8 else { throw .truncated }
        let bits = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        bytes.removeFirst(8)
        let number = Double(bitPattern: bits)
        guard !number.isNaN || bits == Double.nan.bitPattern else { throw .notCanonical }
        return number
    }
}
