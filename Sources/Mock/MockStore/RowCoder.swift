import Basics
import JSON

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
    /// Where the parts go or come from in an archive, which has JSON in place of bytes.
    private let tree: RowTree?

    /// Writes, with room for so many bytes set aside.
    package init(reserving capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
        isReading = false
        tree = nil
    }

    package init(reading bytes: [UInt8]) {
        self.bytes = bytes
        isReading = true
        tree = nil
    }

    /// Writes an archive's form of a row.
    init(writing tree: RowTree) {
        bytes = []
        isReading = false
        self.tree = tree
    }

    /// Reads an archive's form of a row.
    init(reading tree: RowTree) {
        bytes = []
        isReading = true
        self.tree = tree
    }

    /// Whether all has been read, and all of it fitted.
    package var isAtEnd: Bool { isIntact && position == bytes.count && tree?.isAtEnd ?? true }

    /// Marks what is read as damaged.
    mutating func fail() { isIntact = false }

    // MARK: - Numbers

    mutating func byte(_ value: inout UInt8) {
        if let tree { return number(&value, in: tree) }
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
        if let tree {
            guard isReading else { return tree.write { [value] in $0.bool(value) } }
            guard let read = tree.next()?.bool else { return fail() }
            value = read
            return
        }
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
        if let tree { return number(&value, in: tree) }
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
        if let tree { return double(&value, in: tree) }
        var pattern = value.bitPattern
        fixed(&pattern)
        value = Double(bitPattern: pattern)
    }

    private mutating func number<Number: FixedWidthInteger>(
        _ value: inout Number, in tree: RowTree
    ) {
        guard isReading else {
            return tree.write { [value] in $0.int64(Int64(truncatingIfNeeded: value)) }
        }
        guard let number = tree.next()?.int64.flatMap({ Number(exactly: $0) }) else {
            return fail()
        }
        value = number
    }

    /// JSON has no text for what is not finite: that is told by its bits, in hexadecimal digits.
    private mutating func double(_ value: inout Double, in tree: RowTree) {
        guard isReading else {
            return tree.write { [value] in
                if value.isFinite {
                    $0.double(value)
                } else {
                    $0.string(String(value.bitPattern, radix: 16))
                }
            }
        }
        let next = tree.next()
        if let bits = next?.string.flatMap({ UInt64($0, radix: 16) }) {
            value = Double(bitPattern: bits)
        } else if let number = next?.double {
            value = number
        } else {
            fail()
        }
    }

    /// A code that archives tell by its label.
    mutating func code(_ value: inout UInt8, labels: [UInt8: String]) {
        guard let tree else { return byte(&value) }
        guard isReading else {
            return tree.write { [value] in $0.string(labels[value] ?? "") }
        }
        let text = tree.next()?.string
        guard let label = labels.first(where: { $0.value == text }) else { return fail() }
        value = label.key
    }

    // MARK: - Texts and lists

    mutating func blob(_ value: inout [UInt8]) {
        if let tree {
            guard isReading else {
                return tree.write { [value] in $0.string(Base64.encode(value)) }
            }
            guard let read = tree.next()?.string.flatMap({ Base64.decode($0) }) else {
                return fail()
            }
            value = read
            return
        }
        let count = count(value.count)
        guard isReading else {
            bytes += value
            return
        }
        value = Array(next(count))
    }

    mutating func string(_ value: inout String) {
        if let tree {
            guard isReading else { return tree.write { [value] in $0.string(value) } }
            guard let read = tree.next()?.string else { return fail() }
            value = read
            return
        }
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
        if let tree { return optional(&value, empty, in: tree, code) }
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
        if let tree, value == nil || isReading {
            guard isReading else { return tree.write { $0.null() } }
            guard let next = tree.next(), next.isNull || next.string != nil else { return fail() }
            value = next.string
            return
        }
        if tree != nil, var text = value { return string(&text) }
        optional(&value, "") { $0.string(&$1) }
    }

    mutating func list<Value>(
        _ values: inout [Value], _ empty: Value, _ code: (inout RowCoder, inout Value) -> Void
    ) {
        if let tree { return list(&values, empty, in: tree, code) }
        let count = count(values.count)
        if isReading { values = Array(repeating: empty, count: count) }
        for index in values.indices where isIntact { code(&self, &values[index]) }
    }

    /// Nothing but null where it is absent.
    private mutating func optional<Value>(
        _ value: inout Value?, _ empty: Value, in tree: RowTree,
        _ code: (inout RowCoder, inout Value) -> Void
    ) {
        guard isReading else {
            guard var present = value else { return tree.write { $0.null() } }
            tree.write { $0.beginArray() }
            code(&self, &present)
            return tree.write { $0.endArray() }
        }
        if tree.isNullNext {
            _ = tree.next()
            value = nil
            return
        }
        var present = value ?? empty
        guard tree.open() != nil else { return fail() }
        code(&self, &present)
        if !tree.close() { fail() }
        value = present
    }

    /// An array of arrays.
    private mutating func list<Value>(
        _ values: inout [Value], _ empty: Value, in tree: RowTree,
        _ code: (inout RowCoder, inout Value) -> Void
    ) {
        guard isReading else {
            tree.write { $0.beginArray() }
            for index in values.indices {
                tree.write { $0.beginArray() }
                code(&self, &values[index])
                tree.write { $0.endArray() }
            }
            return tree.write { $0.endArray() }
        }
        guard let count = tree.open() else { return fail() }
        values = Array(repeating: empty, count: count)
        for index in values.indices where isIntact {
            guard tree.open() != nil else { return fail() }
            code(&self, &values[index])
            if !tree.close() { fail() }
        }
        if !tree.close() { fail() }
    }

    /// A part whose bytes `mask` hides, or shows again. Archives show it: what hides it is no secret.
    mutating func masked(_ mask: ([UInt8]) -> [UInt8], _ code: (inout RowCoder) -> Void) {
        if tree != nil { return code(&self) }
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
