internal import CloudModel
internal import JSON

/// A JSON value that is missing or not what it should be, and where.
struct ShapeError: Error {
    /// Such as `missing required field 'operations[0].record'`. Never a value of the document.
    let reason: String

    /// `key` is missing from the object `parent`.
    static func missing(_ key: String, in parent: JSONValue) -> ShapeError {
        let path = parent.path
        return ShapeError(
            reason: "missing required field '\(path.isEmpty ? key : path + "." + key)'")
    }

    /// `value` is not `expectation`, such as `a string`.
    static func wrong(_ value: JSONValue, expected expectation: String) -> ShapeError {
        ShapeError(reason: "'\(value.path)' must be \(expectation)")
    }

    /// A field's value does not fit its type, in the service's own words.
    static func invalid(_ value: JSONValue, type: String) -> ShapeError {
        ShapeError(reason: "Invalid value, expected type \(type). ('\(value.path)')")
    }
}

extension JSONValue {
    /// The member under `key`; nil when it is absent or `null`, which mean the same on this wire.
    func optional(_ key: String) -> JSONValue? {
        guard let value = self[key], !value.isNull else { return nil }
        return value
    }

    /// The member under `key`, which must be there.
    func required(_ key: String) throws(ShapeError) -> JSONValue {
        guard let value = optional(key) else { throw .missing(key, in: self) }
        return value
    }

    /// This, which must be an object.
    func object() throws(ShapeError) -> JSONValue {
        guard kind == .object else { throw .wrong(self, expected: "an object") }
        return self
    }

    /// This, which must be a string.
    func text() throws(ShapeError) -> String {
        guard let string else { throw .wrong(self, expected: "a string") }
        return string
    }

    /// The string under `key`; nil when it is absent.
    func text(_ key: String) throws(ShapeError) -> String? {
        try optional(key)?.text()
    }

    /// The string under `key`; nil when it is absent or empty.
    func filledText(_ key: String) throws(ShapeError) -> String? {
        guard let text = try text(key), !text.isEmpty else { return nil }
        return text
    }

    /// The change token under `key`; the empty one, "caught up", is kept apart from none.
    func token(_ key: String) throws(ShapeError) -> ChangeToken? {
        try text(key).map(ChangeToken.init)
    }

    /// The Boolean under `key`; 0 and 1 are Booleans too.
    func flag(_ key: String) throws(ShapeError) -> Bool? {
        guard let value = optional(key) else { return nil }
        if let flag = value.bool { return flag }
        if let number = value.int64, number == 0 || number == 1 { return number == 1 }
        throw .wrong(value, expected: "true or false")
    }

    /// The count under `key`, at least 1.
    func positive(_ key: String) throws(ShapeError) -> Int? {
        guard let value = optional(key) else { return nil }
        guard let number = value.int64, number > 0 else {
            throw .wrong(value, expected: "a whole number from 1")
        }
        return Int(number)
    }

    /// The elements under `key`; a single object or string counts as a list of one.
    func list(_ key: String) throws(ShapeError) -> JSONElements? {
        guard let value = optional(key) else { return nil }
        switch value.kind {
        case .array: return value.elements
        case .object, .string: return JSONElements(only: value)
        case .integer, .double, .bool, .null: throw .wrong(value, expected: "an array")
        }
    }

    /// The strings under `key`.
    func texts(_ key: String) throws(ShapeError) -> [String]? {
        guard let value = optional(key) else { return nil }
        guard value.kind == .array else { throw .wrong(value, expected: "an array of strings") }
        var texts: [String] = []
        for element in value.elements { texts.append(try element.text()) }
        return texts
    }
}
