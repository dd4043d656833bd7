/// Why a fault rule is refused.
package struct FaultError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence.
    package let reason: String
    /// A valid form near the refused one.
    package let suggestion: String?
    /// The column in the text form, from 1.
    package var column: Int?
    /// The line in a script, from 1.
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

    /// Reason and suggestion, without line and column.
    package var message: String {
        var text = reason
        if let suggestion { text += "; nearest legal form: \(suggestion)" }
        return text
    }
}
