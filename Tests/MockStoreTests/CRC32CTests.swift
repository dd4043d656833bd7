import MockServer
import Testing

/// The checksum in change tokens, against values of RFC 3720 and against its definition.
@Suite struct CRC32CTests {
    @Test func `the checksum of tokens is Castagnoli's`() {
        func checksum(_ bytes: [UInt8]) -> UInt32 { CRC32C.checksum(bytes.span) }
        #expect(checksum(Array("123456789".utf8)) == 0xE306_9283)
        #expect(checksum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
        #expect(checksum([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
        for count in 0..<40 {
            let bytes = (0..<count).map { UInt8($0 * 37 & 0xFF) }
            var value = ~UInt32(0)
            for byte in bytes {
                value ^= UInt32(byte)
                for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1 }
            }
            #expect(checksum(bytes) == ~value)
        }
    }
}
