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
