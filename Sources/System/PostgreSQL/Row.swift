/// A row of an answer. Reading a column as what it is not is an error, never a default.
package struct Row: Sendable, Hashable {
    package let values: [Value]

    package init(_ values: [Value]) { self.values = values }

    package func integer(_ column: Int) throws(PostgreSQLError) -> Int64 {
        guard case .integer(let value) = try value(column) else { throw unexpected(column) }
        return value
    }

    package func bool(_ column: Int) throws(PostgreSQLError) -> Bool {
        guard case .bool(let value) = try value(column) else { throw unexpected(column) }
        return value
    }

    package func text(_ column: Int) throws(PostgreSQLError) -> String {
        guard case .text(let value) = try value(column) else { throw unexpected(column) }
        return value
    }

    package func bytes(_ column: Int) throws(PostgreSQLError) -> [UInt8] {
        guard case .bytes(let value) = try value(column) else { throw unexpected(column) }
        return value
    }

    /// A column in microseconds since 1970-01-01 UTC.
    package func microseconds(_ column: Int) throws(PostgreSQLError) -> Int64 {
        guard case .time(let value) = try value(column) else { throw unexpected(column) }
        return value
    }

    /// What `read` makes of a column; nil for NULL.
    package func optional<Result>(
        _ column: Int, _ read: (Row, Int) throws(PostgreSQLError) -> Result
    ) throws(PostgreSQLError) -> Result? {
        try value(column) == .null ? nil : read(self, column)
    }

    private func value(_ column: Int) throws(PostgreSQLError) -> Value {
        guard values.indices.contains(column) else { throw unexpected(column) }
        return values[column]
    }

    private func unexpected(_ column: Int) -> PostgreSQLError {
        PostgreSQLError(
            .unexpectedResult, "column \(column) is not what the statement gives",
            mayHaveBeenCommitted: true)
    }
}
