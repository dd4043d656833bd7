import SQLite

/// Notes of a run; run 0 is the journal itself, whose notes hold its keys.
struct NoteTable {
    let connection: Connection
    let run: Int64

    func set(_ key: String, _ value: [UInt8]) throws(JournalError) {
        try connection.change(
            "INSERT INTO notes(run, key, value) VALUES (?, ?, ?)"
                + " ON CONFLICT(run, key) DO UPDATE SET value = excluded.value", .integer(run),
            .text(key), .blob(value))
    }

    /// Leaves a note that is there already as it is.
    func setOnce(_ key: String, _ value: [UInt8]) throws(JournalError) {
        try connection.change(
            "INSERT OR IGNORE INTO notes(run, key, value) VALUES (?, ?, ?)", .integer(run),
            .text(key), .blob(value))
    }

    func drop(_ key: String) throws(JournalError) {
        try connection.change(
            "DELETE FROM notes WHERE run = ? AND key = ?", .integer(run), .text(key))
    }

    /// The notes of all runs under `key`.
    static func values(
        _ key: String, on connection: Connection
    ) throws(JournalError) -> [Int64: [UInt8]] {
        let rows = try connection.list(
            "notes", "SELECT run, value FROM notes WHERE key = ?", .text(key)
        ) { row throws(JournalError) in (try row.int64(), try row.bytes()) }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }

    func value(_ key: String) throws(JournalError) -> [UInt8]? {
        try connection.list(
            "notes", "SELECT value FROM notes WHERE run = ? AND key = ?", .integer(run),
            .text(key)
        ) { row throws(JournalError) in try row.bytes() }.first
    }
}
