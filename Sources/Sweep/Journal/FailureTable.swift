import SQLite

/// Items that could not be deleted or listed.
struct FailureTable {
    let connection: Connection
    let run: Int64

    func insert(_ rows: [FailureRow]) throws(JournalError) {
        for row in rows {
            try connection.change(
                "INSERT OR REPLACE INTO failures(run, container, scope, kind, name, code, reason)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?)", .integer(run), .int(row.container),
                .scope(row.scope), .text(row.kind), .text(row.name), .text(row.code),
                .text(row.reason))
        }
    }

    func drop() throws(JournalError) {
        try connection.change("DELETE FROM failures WHERE run = ?", .integer(run))
    }

    /// The first `limit` failures, and how many there are.
    func all(limit: Int) throws(JournalError) -> (rows: [FailureRow], count: Int) {
        let rows = try connection.list(
            "failures",
            "SELECT container, scope, kind, name, code, reason FROM failures WHERE run = ?"
                + " ORDER BY container, scope, kind, name LIMIT ?", .integer(run), .int(limit)
        ) { row throws(JournalError) in
            try FailureRow(
                container: row.count(), scope: row.scope(), kind: row.text(), name: row.text(),
                code: row.text(), reason: row.text())
        }
        let counts = try connection.list(
            "failures", "SELECT count(*) FROM failures WHERE run = ?", .integer(run)
        ) { row throws(JournalError) in try row.count() }
        return (rows, counts.reduce(0, +))
    }
}
