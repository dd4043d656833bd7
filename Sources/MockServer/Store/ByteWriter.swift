/// Appends values to bytes in the store's own row format.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    /// Sets room aside for so many bytes.
    init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

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
        fixed32(UInt32(truncatingIfNeeded: value >> 32))
        fixed32(UInt32(truncatingIfNeeded: value))
    }

    mutating func fixed32(_ value: UInt32) {
        bytes.append(UInt8(truncatingIfNeeded: value >> 24))
        bytes.append(UInt8(truncatingIfNeeded: value >> 16))
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
        bytes.append(UInt8(truncatingIfNeeded: value))
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
