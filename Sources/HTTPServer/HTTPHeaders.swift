/// Header fields in their order, names in lower case; a name may occur more than once.
///
/// All text lies in one array, so that a request's head costs two allocations however many
/// fields it has.
package struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// Where a field's name and value lie in `text`.
    struct Field: Sendable, Hashable {
        var name: Range<Int>
        var value: Range<Int>
    }

    private(set) var text: [UInt8]
    private(set) var fields: [Field]

    /// No fields.
    package init() {
        text = []
        fields = []
    }

    /// Sets room aside for a request of common size.
    mutating func reserveForRequest() {
        text.reserveCapacity(384)
        fields.reserveCapacity(12)
    }

    /// Takes over what a parser has found; names are in lower case already.
    init(text: [UInt8], fields: [Field]) {
        self.text = text
        self.fields = fields
    }

    /// Fields in the order written; see ``append(_:_:)``.
    package init(dictionaryLiteral elements: (String, String)...) {
        self.init()
        for (name, value) in elements { append(name, value) }
    }

    /// The fields of `base`, with room for more: so many bytes and fields in all.
    package init(_ base: HTTPHeaders, bytes: Int, fields: Int) {
        self.init()
        text.reserveCapacity(bytes)
        self.fields.reserveCapacity(fields)
        text += base.text
        self.fields += base.fields
    }

    /// Adds a field. Bytes that would end the field (CR, LF, NUL) become spaces.
    package mutating func append(_ name: String, _ value: String) {
        let start = text.count
        // Whole pieces first: byte by byte costs several times as much.
        text.append(contentsOf: name.utf8)
        let middle = text.count
        for index in start..<middle { text[index] = Bytes.lowercased(text[index]) }
        text.append(contentsOf: value.utf8)
        for byte: UInt8 in [0x0D, 0x0A, 0] {
            var index = Bytes.first(byte, in: text, middle..<text.count)
            while index < text.count {
                text[index] = 0x20
                index = Bytes.first(byte, in: text, index..<text.count)
            }
        }
        fields.append(Field(name: start..<middle, value: middle..<text.count))
    }

    /// Adds a field given as bytes that were checked already.
    mutating func append(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        let start = text.count
        unsafe text.append(contentsOf: name)
        let middle = text.count
        unsafe text.append(contentsOf: value)
        fields.append(Field(name: start..<middle, value: middle..<text.count))
    }

    /// The first value of a name (in lower case), or nil.
    package subscript(_ name: String) -> String? {
        fields.first { matches($0, name) }.map { decoded($0.value) }
    }

    /// All values of a name (in lower case).
    package func all(_ name: String) -> [String] {
        fields.filter { matches($0, name) }.map { decoded($0.value) }
    }

    /// Whether a name (in lower case) occurs.
    package func contains(_ name: String) -> Bool {
        fields.contains { matches($0, name) }
    }

    /// Every field as text, in order.
    package var pairs: [(name: String, value: String)] {
        fields.map { (decoded($0.name), decoded($0.value)) }
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
