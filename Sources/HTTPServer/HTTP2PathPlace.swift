/// Where a header block has the request's path, in Huffman's code, found without decoding the block.
///
/// Only the kinds of fields and their lengths are read (RFC 7541 sections 5 and 6).
struct HTTP2PathPlace: Hashable {
    /// The value as it was sent: its length, and its code.
    let value: Range<Int>
    /// How many fields come before it.
    let number: Int

    /// `:path` in the table that everybody has: once with `/`, once with `/index.html`.
    private static let names = 4...5
    /// More bits than the lengths in one frame have.
    private static let shiftMax = 21

    /// Looks at the block in a range of `bytes`.
    ///
    /// Nil when the block breaks off or names its path in another way.
    init?(in bytes: Span<UInt8>, _ block: Range<Int>) {
        var reader = Reader(at: block.lowerBound, end: block.upperBound)
        var number = 0
        while reader.at < reader.end {
            let first = bytes[reader.at]
            if first & 0x80 != 0 {
                guard reader.integer(bytes, bits: 7) != nil else { return nil }
            } else if first & 0xE0 == 0x20 {
                // The size of the table, no field.
                guard reader.integer(bytes, bits: 5) != nil else { return nil }
                continue
            } else {
                guard let name = reader.integer(bytes, bits: first & 0x40 != 0 ? 6 : 4) else {
                    return nil
                }
                if name == 0, reader.text(bytes) == nil { return nil }
                let start = reader.at
                guard let isCoded = reader.text(bytes) else { return nil }
                if Self.names.contains(name) {
                    guard isCoded else { return nil }
                    value = start..<reader.at
                    self.number = number
                    return
                }
            }
            number += 1
        }
        return nil
    }

    private struct Reader {
        var at: Int
        let end: Int

        /// An integer whose first byte has `bits` of it (RFC 7541 section 5.1).
        mutating func integer(_ bytes: Span<UInt8>, bits: Int) -> Int? {
            guard at < end else { return nil }
            let full = 1 << bits - 1
            var value = Int(bytes[at]) & full
            at += 1
            guard value == full else { return value }
            var shift = 0
            while at < end, shift <= HTTP2PathPlace.shiftMax {
                let byte = Int(bytes[at])
                at += 1
                value += (byte & 0x7F) << shift
                if byte & 0x80 == 0 { return value }
                shift += 7
            }
            return nil
        }

        /// Passes a text (RFC 7541 section 5.2); says whether it is in Huffman's code.
        mutating func text(_ bytes: Span<UInt8>) -> Bool? {
            guard at < end else { return nil }
            let isCoded = bytes[at] & 0x80 != 0
            guard let count = integer(bytes, bits: 7), count <= end - at else { return nil }
            at += count
            return isCoded
        }
    }
}
