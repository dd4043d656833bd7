private import CSQLite

/// Why SQLite refused something.
///
/// Holds the SQL as it was written, with its parameters unfilled: never a value.
package struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The primary result code, such as 5 (`SQLITE_BUSY`).
    package let code: Int32
    /// The extended result code, such as 2067 (`SQLITE_CONSTRAINT_UNIQUE`).
    package let extendedCode: Int32
    /// SQLite's own words.
    package let message: String
    /// The statement that failed; nil where none was involved.
    package let sql: String?

    /// Makes an error from an extended result code.
    package init(extendedCode: Int32, message: String, sql: String? = nil) {
        self.code = extendedCode & 0xFF
        self.extendedCode = extendedCode
        self.message = message
        self.sql = sql
    }

    /// Whether there is no room left, on the disk or under a limit set on the database.
    package var isDiskFull: Bool { code == SQLITE_FULL }
    /// Whether another connection holds the lock; the same call can succeed later.
    package var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }
    /// Whether the file is damaged or is no SQLite database.
    package var isCorrupt: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }
    /// Whether a constraint (unique, not null, check, foreign key) refused the row.
    package var isConstraint: Bool { code == SQLITE_CONSTRAINT }
    /// Whether the file cannot be opened or written by this user.
    package var isNotPermitted: Bool {
        code == SQLITE_PERM || code == SQLITE_READONLY || code == SQLITE_CANTOPEN
            || code == SQLITE_AUTH
    }

    package var description: String {
        let tail = sql.map { " in \"\($0)\"" } ?? ""
        return "SQLite error \(extendedCode): \(message)\(tail)"
    }
}
