/// One key of an object with its value.
package struct JSONMember: Sendable {
    /// The value under the key.
    package let value: JSONValue

    /// The key's characters.
    package var key: String { value.document.string(at: value.index - 1) }

    /// Whether the key is exactly these bytes, without making a `String`.
    package func isKey(_ name: String) -> Bool {
        value.document.matches(name.utf8Span.span, at: value.index - 1)
    }

    /// Where the key begins; found by reading the text again.
    package var keyLocation: JSONLocation {
        JSONValue(document: value.document, index: value.index - 1).location
    }
}

/// The members of an object, in the order of the text.
package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var at: Int
    private var left: Int

    init(_ value: JSONValue) {
        document = value.document
        at = value.index + 1
        left = value.kind == .object ? value.count : 0
    }

    /// The next member; nil after the last.
    package mutating func next() -> JSONMember? {
        guard left > 0 else { return nil }
        left -= 1
        let value = JSONValue(document: document, index: at + 1)
        at = document.end(of: at + 1)
        return JSONMember(value: value)
    }
}

/// The elements of an array, in the order of the text.
package struct JSONElements: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var at: Int
    private var left: Int

    init(_ value: JSONValue) {
        document = value.document
        at = value.index + 1
        left = value.kind == .array ? value.count : 0
    }

    /// A value that stands for a list of itself.
    package init(only value: JSONValue) {
        document = value.document
        at = value.index
        left = 1
    }

    /// How many are left.
    package var count: Int { left }

    /// The next element; nil after the last.
    package mutating func next() -> JSONValue? {
        guard left > 0 else { return nil }
        left -= 1
        let value = JSONValue(document: document, index: at)
        at = document.end(of: at)
        return value
    }
}
