/// Why a fault rule is refused.
package struct FaultError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence for people.
    package let reason: String
    /// A legal form near the refused one.
    package let suggestion: String?
    /// Where in the text form, counted from 1.
    package var column: Int?
    /// Where in a script, counted from 1.
    package var line: Int?

    package init(_ reason: String, suggestion: String? = nil, column: Int? = nil) {
        self.reason = reason
        self.suggestion = suggestion
        self.column = column
    }

    package var description: String {
        let place = [line.map { "line \($0)" }, column.map { "column \($0)" }].compactMap(\.self)
        return (place.isEmpty ? "" : place.joined(separator: ", ") + ": ") + message
    }

    /// Reason and suggestion, without the place.
    package var message: String {
        var text = reason
        if let suggestion { text += "; nearest legal form: \(suggestion)" }
        return text
    }
}
