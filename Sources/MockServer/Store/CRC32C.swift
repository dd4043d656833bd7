/// The Castagnoli checksum (reflected polynomial 0x82F63B78).
///
/// - SeeAlso: <https://www.rfc-editor.org/rfc/rfc3720#appendix-B.4>
package enum CRC32C {
    /// Eight tables of 256: what a byte comes to that has 0 to 7 others after it.
    private static let tables: [UInt32] = {
        var tables: [UInt32] = []
        for index in 0..<256 {
            var value = UInt32(index)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1 }
            tables.append(value)
        }
        for index in 256..<2048 {
            let before = tables[index - 256]
            tables.append(tables[Int(before & 0xFF)] ^ before >> 8)
        }
        return tables
    }()

    package static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
        let tables = tables
        var value = ~UInt32(0)
        var index = 0
        // Eight bytes at a time, whose tables are read side by side.
        while index + 8 <= bytes.count {
            var next: UInt32 = 0
            for place in 0..<8 {
                var byte = bytes[index + place]
                if place < 4 { byte ^= UInt8(truncatingIfNeeded: value >> UInt32(8 * place)) }
                next ^= tables[(7 - place) << 8 | Int(byte)]
            }
            value = next
            index += 8
        }
        for rest in index..<bytes.count {
            value = tables[Int(UInt8(truncatingIfNeeded: value) ^ bytes[rest])] ^ value >> 8
        }
        return ~value
    }
}
