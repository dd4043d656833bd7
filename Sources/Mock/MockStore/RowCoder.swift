import Basics

/// Reads and writes values in the store's own row format. What a type consists of is said once, for both
/// ways: a function takes the value, and either writes it or replaces it by what it reads.
///
/// Never traps: after the first thing that does not fit, what is read means nothing and ``isIntact`` is
/// false.
package struct RowCoder {
    package private(set) var bytes: [UInt8]
    let isReading: Bool
    private var position = 0
    private(set) var isIntact = true

    /// Writes, with room for so many bytes set aside.
    package init(reserving capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
        isReading = false
    }

    package init(reading bytes: [UInt8]) {
        self.bytes = bytes
        isReading = true
    }

    /// Whether all has been read, and all of it fitted.
    package var isAtEnd: Bool { isIntact && position == bytes.count }

    /// Marks what is read as damaged.
    mutating func fail() { isIntact = false }

    // MARK: - Numbers

    mutating func byte(_ value: inout UInt8) {
        guard isReading else { return bytes.append(value) }
        guard position < bytes.count else { return fail() }
        value = bytes[position]
        position += 1
    }

    /// The number of a layout, which what is read must have.
    package mutating func version(_ number: UInt8) {
        var found = number
        byte(&found)
        if found != number { fail() }
    }

    mutating func flag(_ value: inout Bool) {
        var code: UInt8 = value ? 1 : 0
        byte(&code)
        value = code != 0
    }

    /// One of a few values, by its place among them.
    mutating func choice<Value: Equatable>(_ value: inout Value, of values: [Value]) {
        var code = UInt8(values.firstIndex(of: value) ?? 0)
        byte(&code)
        if Int(code) < values.count { value = values[Int(code)] } else { fail() }
    }

    /// A number in seven-bit groups, the lowest first.
    package mutating func varint(_ value: inout UInt64) {
        guard isReading else {
            var rest = value
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            return bytes.append(UInt8(rest))
        }
        value = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            var next: UInt8 = 0
            byte(&next)
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return }
        }
        fail()
    }

    /// A signed number, small ones of either sign short.
    mutating func signed(_ value: inout Int64) {
        var raw = UInt64(bitPattern: (value << 1) ^ (value >> 63))
        varint(&raw)
        value = Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1)
    }

    /// All bytes of a number, the highest first.
    mutating func fixed<Number: FixedWidthInteger & UnsignedInteger>(_ value: inout Number) {
        for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
            var part = UInt8(truncatingIfNeeded: value >> shift)
            byte(&part)
            value = value & ~(0xFF << shift) | Number(part) << shift
        }
    }

    mutating func double(_ value: inout Double) {
        var pattern = value.bitPattern
        fixed(&pattern)
        value = Double(bitPattern: pattern)
    }

    // MARK: - Texts and lists

    mutating func blob(_ value: inout [UInt8]) {
        let count = count(value.count)
        guard isReading else {
            bytes += value
            return
        }
        value = Array(next(count))
    }

    mutating func string(_ value: inout String) {
        let count = count(value.utf8.count)
        guard isReading else {
            bytes += value.utf8
            return
        }
        value = String(decoding: next(count), as: UTF8.self)
    }

    /// A name out of a fixed list.
    mutating func name<Name: RawRepresentable<String>>(_ value: inout Name) {
        var text = value.rawValue
        string(&text)
        guard isReading else { return }
        if let read = Name(rawValue: text) { value = read } else { fail() }
    }

    /// A value that may be absent.
    ///
    /// - Parameter empty: What is replaced by what is read.
    mutating func optional<Value>(
        _ value: inout Value?, _ empty: Value, _ code: (inout RowCoder, inout Value) -> Void
    ) {
        var isPresent = value != nil
        flag(&isPresent)
        guard isPresent else {
            value = nil
            return
        }
        var present = value ?? empty
        code(&self, &present)
        value = present
    }

    package mutating func optionalString(_ value: inout String?) {
        optional(&value, "") { $0.string(&$1) }
    }

    mutating func list<Value>(
        _ values: inout [Value], _ empty: Value, _ code: (inout RowCoder, inout Value) -> Void
    ) {
        let count = count(values.count)
        if isReading { values = Array(repeating: empty, count: count) }
        for index in values.indices where isIntact { code(&self, &values[index]) }
    }

    /// A part whose bytes `mask` hides, or shows again.
    mutating func masked(_ mask: ([UInt8]) -> [UInt8], _ code: (inout RowCoder) -> Void) {
        var part = RowCoder()
        if !isReading { code(&part) }
        var hidden = mask(part.bytes)
        blob(&hidden)
        guard isReading else { return }
        part = RowCoder(reading: mask(hidden))
        code(&part)
        if !part.isAtEnd { fail() }
    }

    /// How many bytes or elements follow; no more than there are bytes left.
    private mutating func count(_ value: Int) -> Int {
        var count = UInt64(value)
        varint(&count)
        guard isReading else { return value }
        guard isIntact, count <= UInt64(bytes.count - position) else {
            fail()
            return 0
        }
        return Int(count)
    }

    private mutating func next(_ count: Int) -> ArraySlice<UInt8> {
        defer { position += count }
        return bytes[position..<position + count]
    }
}
