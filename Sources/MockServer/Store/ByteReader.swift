/// Reads what ``ByteWriter`` wrote.
///
/// Never traps: after the first thing that does not fit, every read gives nothing and
/// ``isIntact`` is false.
struct ByteReader {
    private let bytes: [UInt8]
    private var position = 0
    private(set) var isIntact = true

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether all has been read, and all of it fitted.
    var isAtEnd: Bool { isIntact && position == bytes.count }

    mutating func byte() -> UInt8 {
        guard position < bytes.count else {
            isIntact = false
            return 0
        }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func varint() -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 64 {
            let next = byte()
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return value }
            shift += 7
        }
        isIntact = false
        return 0
    }

    mutating func signed() -> Int64 {
        let raw = varint()
        return Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1)
    }

    mutating func fixed64() -> UInt64 {
        var value: UInt64 = 0
        for _ in 0..<8 { value = value << 8 | UInt64(byte()) }
        return value
    }

    mutating func double() -> Double { Double(bitPattern: fixed64()) }

    mutating func blob() -> [UInt8] { Array(slice()) }

    mutating func string() -> String { String(decoding: slice(), as: UTF8.self) }

    mutating func optional<Value>(_ read: (inout ByteReader) -> Value) -> Value? {
        byte() == 0 ? nil : read(&self)
    }

    mutating func list<Value>(_ read: (inout ByteReader) -> Value) -> [Value] {
        let count = varint()
        var values: [Value] = []
        var index: UInt64 = 0
        while index < count, isIntact {
            values.append(read(&self))
            index += 1
        }
        return values
    }

    /// Marks what is read as damaged.
    mutating func failed() -> Bool {
        isIntact = false
        return false
    }

    private mutating func slice() -> ArraySlice<UInt8> {
        let count = varint()
        guard isIntact, count <= UInt64(bytes.count - position) else {
            isIntact = false
            return []
        }
        defer { position += Int(count) }
        return bytes[position..<position + Int(count)]
    }
}
