/// A place in a parsed document: cheap to make and to copy; reads nothing until asked.
package struct JSONValue: Sendable {
    /// The kinds of values. A number is an `integer` when it is written as one and fits `Int64`.
    package enum Kind: String, Sendable {
        case object
        case array
        case string
        case integer
        case double
        case bool
        case null
    }

    /// The document this is a place in; kept alive by it.
    package let document: JSONDocument
    let index: Int

    init(document: JSONDocument, index: Int) {
        self.document = document
        self.index = index
    }

    private var token: JSONDocument.Token { document.token(at: index) }

    /// What kind of value this is.
    package var kind: Kind {
        switch token.kind {
        case .object: .object
        case .array: .array
        case .string, .key: .string
        case .integer: .integer
        case .double: .double
        case .true, .false: .bool
        default: .null
        }
    }

    /// Whether this is `null`.
    package var isNull: Bool { token.kind == .null }

    /// The characters of a string; nil for anything else.
    package var string: String? { token.kind == .string ? document.string(at: index) : nil }

    /// Whether this is a string of exactly these bytes, without making a `String`.
    package func isString(_ text: String) -> Bool {
        token.kind == .string && document.matches(text.utf8Span.span, at: index)
    }

    /// An integer written as such that fits; nil for anything else, also for `3.0`.
    package var int64: Int64? {
        token.kind == .integer ? Int64(bitPattern: token.payload) : nil
    }

    /// Any number, rounded where it must be; nil for anything else.
    package var double: Double? {
        switch token.kind {
        case .double: Double(bitPattern: token.payload)
        case .integer: Double(Int64(bitPattern: token.payload))
        default: nil
        }
    }

    /// A Boolean; nil for anything else.
    package var bool: Bool? {
        switch token.kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// How many members or elements an object or array has; 0 for anything else.
    package var count: Int {
        token.kind == .object || token.kind == .array ? Int(token.length) : 0
    }

    /// The member of an object under `key` (the last one); nil when there is none.
    package subscript(key: String) -> JSONValue? {
        guard let place = document.member(key.utf8Span.span, ofObject: index) else { return nil }
        return JSONValue(document: document, index: place)
    }

    /// The elements of an array in order; empty for anything else.
    package var elements: JSONElements { JSONElements(self) }

    /// The members of an object in order, repeated keys included; empty for anything else.
    package var members: JSONMembers { JSONMembers(self) }

    /// Where this value begins; found by reading the text again, so meant for error messages.
    package var location: JSONLocation {
        let scanned = try? JSONScanner.offset(ofToken: index, in: document.source)
        return JSONLocation(offset: scanned ?? 0, in: document.source)
    }

    /// How to get here from the root, such as `operations[3].record.recordName`; empty at the
    /// root. Found by walking the document, so meant for error messages.
    package var path: String {
        var path = ""
        var at = 0
        while at != index {
            var child = at + 1
            var position = 0
            let isObject = document.token(at: at).kind == .object
            while child <= index {
                let value = isObject ? child + 1 : child
                let end = document.end(of: value)
                guard index < end else {
                    child = end
                    position += 1
                    continue
                }
                if isObject {
                    path += (path.isEmpty ? "" : ".") + document.string(at: child)
                } else {
                    path += "[\(position)]"
                }
                if index == child { return path }
                at = value
                break
            }
            if child > index { break }
        }
        return path
    }
}
