package import JSON

/// Why an archive is refused, and where.
package struct ArchiveError: Error, Hashable {
    /// From 1 on.
    let line: Int
    /// Of the line's characters, from 1 on.
    let column: Int
    /// What is wrong, or was expected.
    let reason: String

    package init(line: Int = 0, column: Int = 1, _ reason: String) {
        self.line = line
        self.column = column
        self.reason = reason
    }

    /// Of a value of a line.
    package init(_ value: JSONValue, _ reason: String) {
        self.init(column: value.location.column, reason)
    }

    /// The same of a line of the whole.
    func inLine(_ line: Int) -> ArchiveError {
        ArchiveError(line: line, column: column, reason)
    }

    var storeError: MockStoreError {
        MockStoreError(.malformed, "the archive's line \(line), column \(column): \(reason)")
    }
}
