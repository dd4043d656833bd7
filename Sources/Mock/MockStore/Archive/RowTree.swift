import JSON

/// The parts of a row as JSON instead of bytes: numbers, texts and truth values in the order in which they
/// lie in the row, with an array around whatever may be absent or repeated.
final class RowTree {
    private var writer = JSONWriter()
    /// What is left of the arrays that are being read, the innermost at the end.
    private var arrays: [ArraySlice<JSONValue>] = []
    /// The last value that was handed out: what does not fit is this one.
    private(set) var latest: JSONValue?

    /// Writes.
    init() { writer.beginArray() }

    /// Reads an array; anything else does not fit.
    init(reading value: JSONValue) {
        latest = value
        arrays = [value.kind == .array ? Array(value.elements)[...] : []]
    }

    /// What was written.
    var written: [UInt8] {
        writer.endArray()
        return writer.bytes
    }

    /// Whether all has been read.
    var isAtEnd: Bool { arrays.count == 1 && arrays[0].isEmpty }

    func write(_ body: (inout JSONWriter) -> Void) { body(&writer) }

    /// The next value; nil at the end of the array.
    func next() -> JSONValue? {
        guard let value = arrays.last?.first else { return nil }
        arrays[arrays.count - 1].removeFirst()
        latest = value
        return value
    }

    var isNullNext: Bool { arrays.last?.first?.isNull ?? false }

    /// Enters the next value, which must be an array; says how many values it has.
    func open() -> Int? {
        guard let value = next(), value.kind == .array else { return nil }
        arrays.append(Array(value.elements)[...])
        return value.count
    }

    /// Leaves an array, which must have been read to its end.
    func close() -> Bool { arrays.popLast()?.isEmpty ?? false }
}
