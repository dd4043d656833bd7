/// A container list that cannot be used: exit status 2.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    package let file: String
    /// From 1; nil when the whole file is meant.
    package let line: Int?
    /// In characters from 1.
    package let column: Int?
    package let reason: String

    package init(_ reason: String, in file: String, line: Int? = nil, column: Int? = nil) {
        self.reason = reason
        self.file = file
        self.line = line
        self.column = column
    }

    /// `FILE:LINE:COLUMN: reason`, as compilers write it.
    package var description: String {
        guard let line, let column else { return "\(file): \(reason)" }
        return "\(file):\(line):\(column): \(reason)"
    }
}
