/// The Castagnoli checksum (reflected polynomial 0x82F63B78).
///
/// - SeeAlso: <https://www.rfc-editor.org/rfc/rfc3720#appendix-B.4>
enum CRC32C {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1
        }
    }

    static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
        let table = table
        var value = ~UInt32(0)
        for index in bytes.indices {
            value = table[Int(UInt8(truncatingIfNeeded: value) ^ bytes[index])] ^ value >> 8
        }
        return ~value
    }
}
