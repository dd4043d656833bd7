/// Header fields in their order, names in lower case; a name may occur more than once.
///
/// All text lies in one array, so that a request's head costs two allocations however many
/// fields it has; fields of answers lie there as HTTP/1.1 sends them.
package struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
    /// Where a field's name and value lie in `text`.
    struct Field: Sendable, Hashable {
        var name: Range<Int>
        var value: Range<Int>
        /// The value will not come again, so HTTP/2's table of late fields is spared it.
        var isUnique = false
    }

    /// Fields that come before all others; many answers have them in common.
    let shared: Shared?
    private(set) var text: [UInt8]
    private(set) var fields: [Field]
    /// Whether `text` is the fields' lines and nothing else, none of them the server's business.
    private(set) var isLines: Bool

    /// Fields that are laid out once and stand at the beginning of many answers.
    @safe package final class Shared: Sendable {
        let headers: HTTPHeaders
        /// A copy of the text that stays where it is as long as this lives; never written again.
        nonisolated(unsafe) let text: UnsafeMutableBufferPointer<UInt8>
        fileprivate let hasDate: Bool

        package init(_ headers: HTTPHeaders) {
            precondition(headers.shared == nil, "shared fields stand alone")
            hasDate = headers.contains("date")
            self.headers = headers
            unsafe text = .allocate(capacity: headers.text.count)
            _ = unsafe text.initialize(fromContentsOf: headers.text)
        }

        deinit { unsafe text.deallocate() }
    }

    /// No fields.
    package init() {
        shared = nil
        text = []
        fields = []
        isLines = true
    }

    /// Removes all fields and keeps their memory, or sets room aside for a request of common size.
    mutating func removeAll() {
        precondition(shared == nil, "shared fields stay")
        text.removeAll(keepingCapacity: true)
        text.reserveCapacity(384)
        fields.removeAll(keepingCapacity: true)
        fields.reserveCapacity(12)
        isLines = true
    }

    /// Takes over what a parser has found; names are in lower case already.
    init(text: [UInt8], fields: [Field]) {
        shared = nil
        self.text = text
        self.fields = fields
        isLines = false
    }

    /// Fields in the order written; see ``append(_:_:)``.
    package init(dictionaryLiteral elements: (String, String)...) {
        self.init()
        for (name, value) in elements { append(name, value) }
    }

    /// The fields of `shared`, with room for so many bytes more.
    package init(_ shared: Shared, bytes: Int) {
        self.shared = shared
        text = []
        fields = []
        isLines = true
        text.reserveCapacity(bytes)
    }

    /// Adds a field. Bytes that would end the field (CR, LF, NUL) become spaces.
    package mutating func append(_ name: String, _ value: String) {
        append(name) { $0.append(contentsOf: value.utf8) }
    }

    /// Adds a field whose value no other answer has.
    package mutating func append(_ name: String, unique value: Span<UInt8>) {
        append(name, isUnique: true) { text in
            unsafe value.withUnsafeBufferPointer { unsafe text.append(contentsOf: $0) }
        }
    }

    @inline(__always)
    private mutating func append(
        _ name: String, isUnique: Bool = false, _ appendValue: (inout [UInt8]) -> Void
    ) {
        let start = text.count
        // Whole pieces first: byte by byte costs several times as much.
        text.append(contentsOf: name.utf8)
        let nameEnd = text.count
        Bytes.lowercase(&text, from: start)
        Bytes.append(Bytes.colon, Bytes.space, to: &text)
        let valueStart = text.count
        appendValue(&text)
        Bytes.replaceLineEnds(in: &text, from: valueStart)
        let field = Field(
            name: start..<nameEnd, value: valueStart..<text.count, isUnique: isUnique)
        Bytes.append(Bytes.carriageReturn, Bytes.lineFeed, to: &text)
        if HTTP1Writer.isReserved(text, field) { isLines = false }
        fields.append(field)
    }

    /// Adds a field given as bytes that were checked already.
    mutating func append(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        let start = text.count
        unsafe text.append(contentsOf: name)
        let middle = text.count
        isLines = false
        unsafe text.append(contentsOf: value)
        fields.append(Field(name: start..<middle, value: middle..<text.count))
    }

    /// The first value of a name (in lower case), or nil.
    package subscript(_ name: String) -> String? {
        if let value = shared?.headers[name] { return value }
        return place(of: name).map { decoded(fields[$0].value) }
    }

    /// All values of a name (in lower case).
    package func all(_ name: String) -> [String] {
        (shared?.headers.all(name) ?? [])
            + fields.filter { matches($0, name) }.map { decoded($0.value) }
    }

    /// Whether a name (in lower case) occurs.
    package func contains(_ name: String) -> Bool {
        place(of: name) != nil || shared?.headers.contains(name) ?? false
    }

    /// Whether there is a date, which every answer is asked for.
    var hasDate: Bool { place(of: "date") != nil || shared?.hasDate ?? false }

    /// Every field as text, in order.
    package var pairs: [(name: String, value: String)] {
        (shared?.headers.pairs ?? []) + fields.map { (decoded($0.name), decoded($0.value)) }
    }

    /// The first field of a name. Lengths first: few names are as long as the one asked for.
    private func place(of name: String) -> Int? {
        let length = name.utf8.count
        for index in 0..<fields.count
        where fields[index].name.count == length && matches(fields[index], name) {
            return index
        }
        return nil
    }

    private func matches(_ field: Field, _ name: String) -> Bool {
        guard field.name.count == name.utf8.count else { return false }
        var index = field.name.lowerBound
        for byte in name.utf8 {
            guard text[index] == byte else { return false }
            index += 1
        }
        return true
    }

    private func decoded(_ range: Range<Int>) -> String {
        String(decoding: text[range], as: UTF8.self)
    }
}
