private import CSimdjson

/// Writes JSON into a buffer that it keeps: once warm, without allocating.
///
/// Commas are its own business, order is the caller's: the same calls give the same bytes.
package struct JSONWriter: Sendable {
    /// What was written so far.
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false
    private var depth = 0
    private let isPretty: Bool
    /// A larger buffer is given back.
    private static let keptBytesMax = 4 << 20

    /// - Parameter pretty: Whether to break lines and indent by two spaces, for people.
    package init(pretty: Bool = false, reserving capacity: Int = 1024) {
        isPretty = pretty
        bytes.reserveCapacity(capacity)
    }

    /// Forgets what was written and keeps the buffer.
    package mutating func reset() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptBytesMax)
        needsComma = false
        depth = 0
    }

    /// What was written, in an array of its own, so that the kept buffer stays unshared.
    package func copiedBytes() -> [UInt8] {
        unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// What was written, as text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// `{`
    package mutating func beginObject() { open(0x7B) }
    /// `}`
    package mutating func endObject() { close(0x7D) }
    /// `[`
    package mutating func beginArray() { open(0x5B) }
    /// `]`
    package mutating func endArray() { close(0x5D) }

    /// A key; its value comes with the next call.
    package mutating func key(_ name: String) {
        separate()
        quote(name)
        bytes.append(0x3A)
        if isPretty { bytes.append(0x20) }
        needsComma = false
    }

    /// A string, escaped no more than it must be.
    package mutating func string(_ text: String) {
        separate()
        quote(text)
        needsComma = true
    }

    /// An integer, in full.
    package mutating func int64(_ value: Int64) {
        separate()
        digits(value)
        needsComma = true
    }

    /// The shortest text that reads back as the same double, with a point or an exponent so that
    /// it stays a double; what is not finite becomes `null`.
    package mutating func double(_ value: Double) {
        separate()
        if value.isFinite { digits(value) } else { append("null") }
        needsComma = true
    }

    /// `true` or `false`.
    package mutating func bool(_ value: Bool) {
        separate()
        append(value ? "true" : "false")
        needsComma = true
    }

    /// `null`
    package mutating func null() {
        separate()
        append("null")
        needsComma = true
    }

    /// An integer in quotation marks.
    package mutating func quoted(_ value: Int64) {
        separate()
        bytes.append(0x22)
        digits(value)
        bytes.append(0x22)
        needsComma = true
    }

    /// A double in quotation marks.
    package mutating func quoted(_ value: Double) {
        separate()
        if value.isFinite {
            bytes.append(0x22)
            digits(value)
            bytes.append(0x22)
        } else {
            append("null")
        }
        needsComma = true
    }

    /// A value that is JSON already.
    package mutating func raw(_ json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
        needsComma = true
    }

    /// A copy of a value that was read.
    package mutating func value(_ value: JSONValue) {
        switch value.kind {
        case .object:
            beginObject()
            for member in value.members {
                key(member.key)
                self.value(member.value)
            }
            endObject()
        case .array:
            beginArray()
            for element in value.elements { self.value(element) }
            endArray()
        case .string: string(value.string ?? "")
        case .integer: int64(value.int64 ?? 0)
        case .double: double(value.double ?? 0)
        case .bool: bool(value.bool ?? false)
        case .null: null()
        }
    }

    /// A line feed between two whole values, as in JSON lines.
    package mutating func endLine() {
        bytes.append(0x0A)
        needsComma = false
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        depth += 1
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        depth -= 1
        if isPretty, needsComma { breakLine() }
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(0x2C) }
        if isPretty, depth > 0, bytes.last != 0x20 { breakLine() }
    }

    private mutating func breakLine() {
        bytes.append(0x0A)
        for _ in 0..<depth * 2 { bytes.append(0x20) }
    }

    private mutating func append(_ ascii: String) {
        bytes.append(contentsOf: ascii.utf8)
    }

    private mutating func digits(_ value: Int64) {
        if value < 0 { bytes.append(0x2D) }
        digits(value.magnitude)
    }

    private mutating func digits(_ value: UInt64) {
        if value >= 10 { digits(value / 10) }
        bytes.append(0x30 + UInt8(truncatingIfNeeded: value % 10))
    }

    private mutating func digits(_ value: Double) {
        var buffer: InlineArray<32, UInt8> = .init(repeating: 0)
        var span = buffer.mutableSpan
        let length = unsafe span.withUnsafeMutableBufferPointer { pointer in
            unsafe pointer.baseAddress.map { unsafe cksweep_json_write_double(value, $0) } ?? 0
        }
        var isDouble = false
        for index in 0..<Int(length) {
            let byte = buffer[index]
            if byte == 0x2E || byte == 0x65 { isDouble = true }
            bytes.append(byte)
        }
        if !isDouble { append(".0") }
    }

    private mutating func quote(_ text: String) {
        bytes.append(0x22)
        unsafe text.utf8Span.span.withUnsafeBufferPointer { buffer in
            var rest = unsafe buffer[...]
            while true {
                let plain = unsafe UnsafeBufferPointer(rebasing: rest)
                let count = unsafe cksweep_json_plain_length(plain.baseAddress, plain.count)
                unsafe bytes.append(contentsOf: plain[..<count])
                guard count < plain.count else { break }
                unsafe escape(plain[count])
                unsafe rest = rest.dropFirst(count + 1)
            }
        }
        bytes.append(0x22)
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(0x5C)
        switch byte {
        case 0x22, 0x5C: bytes.append(byte)
        case 0x0A: bytes.append(0x6E)
        case 0x0D: bytes.append(0x72)
        case 0x09: bytes.append(0x74)
        default:
            let hex = Array("0123456789abcdef".utf8)
            append("u00")
            bytes.append(hex[Int(byte >> 4)])
            bytes.append(hex[Int(byte & 15)])
        }
    }
}
