/// Why a text is not the JSON that was asked for, and where.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The offending place.
    package let location: JSONLocation
    /// Words for people, such as `expected ":" after a key`. Never text from the document.
    package let reason: String
    /// Whether the text is only larger than the limits allow.
    package let isTooLarge: Bool

    /// An error at `location`.
    package init(_ reason: String, at location: JSONLocation, isTooLarge: Bool = false) {
        self.reason = reason
        self.location = location
        self.isTooLarge = isTooLarge
    }

    /// Of the offending place, from 1.
    package var line: Int { location.line }
    /// Of the offending place, in characters from 1.
    package var column: Int { location.column }
    /// Of the offending place, in bytes from 0.
    package var offset: Int { location.offset }
    /// Place and reason.
    package var description: String { "\(location): \(reason)" }
}
