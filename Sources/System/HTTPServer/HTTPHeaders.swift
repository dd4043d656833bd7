/// Header fields in their order, names in lower case; a name may occur more than once.
///
/// All text lies in one array, so that a request's head costs two allocations however many
/// fields it has; fields of answers lie there as HTTP/1.1 sends them.
package struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
    /// Where a field's name and value lie in `text`.
    struct Field: Sendable, Hashable {
        var name: Range<Int>
        var value: Range<Int>
        /// The value will not come again, so it stays out of HTTP/2's dynamic table.
        var isUnique = false
    }

    private(set) var text: [UInt8]
    private(set) var fields: [Field]
    /// Whether `text` is the fields' lines and nothing else, none of them the server's business.
    private(set) var isLines: Bool

    /// No fields.
    package init() {
        text = []
        fields = []
        isLines = true
    }

    /// Takes over what a parser has found; names are in lower case already.
    init(text: [UInt8], fields: [Field]) {
        self.text = text
        self.fields = fields
        isLines = false
    }

    /// Fields in the order written; see ``append(_:_:)``.
    package init(dictionaryLiteral elements: (String, String)...) {
        self.init()
        for (name, value) in elements { append(name, value) }
    }

    /// Adds a field. Bytes that would end the field (CR, LF, NUL) become spaces.
    package mutating func append(_ name: String, _ value: String) {
        append(name) { $0.append(contentsOf: value.utf8) }
    }

    /// Adds a field whose value no other answer has.
    package mutating func append(_ name: String, unique value: String) {
        append(name, isUnique: true) { $0.append(contentsOf: value.utf8) }
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
        place(of: name).map { decoded(fields[$0].value) }
    }

    /// Whether a name (in lower case) occurs.
    package func contains(_ name: String) -> Bool {
        place(of: name) != nil
    }

    /// Every field as text, in order.
    package var pairs: [(name: String, value: String)] {
        fields.map { (decoded($0.name), decoded($0.value)) }
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
