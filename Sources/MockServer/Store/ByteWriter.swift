/// Appends values to bytes in the store's own row format.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    /// A number in seven-bit groups, the lowest first.
    mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// A signed number, small ones of either sign short.
    mutating func signed(_ value: Int64) {
        varint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }

    mutating func fixed64(_ value: UInt64) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    mutating func double(_ value: Double) { fixed64(value.bitPattern) }

    mutating func blob(_ value: [UInt8]) {
        varint(UInt64(value.count))
        bytes += value
    }

    mutating func string(_ value: String) {
        varint(UInt64(value.utf8.count))
        bytes += value.utf8
    }

    /// A value that may be absent.
    mutating func optional<Value>(
        _ value: Value?, _ write: (inout ByteWriter, Value) -> Void
    ) {
        guard let value else { return byte(0) }
        byte(1)
        write(&self, value)
    }

    mutating func list<Value>(_ values: [Value], _ write: (inout ByteWriter, Value) -> Void) {
        varint(UInt64(values.count))
        for value in values { write(&self, value) }
    }
}
