import SQLite

/// Who works on what.
struct LockTable {
    let connection: Connection

    struct Row {
        let holder: LockHolder
        let token: Int64
    }

    /// A number that no lock had before.
    func nextToken() throws(JournalError) -> Int64 {
        try connection.change("UPDATE tokens SET last = last + 1")
        let tokens = try connection.list("tokens", "SELECT last FROM tokens") {
            row throws(JournalError) in try row.int64()
        }
        guard let token = tokens.first, tokens.count == 1 else {
            throw JournalError(.corrupt, "the journal's lock count is inconsistent")
        }
        return token
    }

    func row(of key: String) throws(JournalError) -> Row? {
        try connection.list(
            "locks",
            "SELECT run, host, boot, namespace, pid, ticks, since, token FROM locks WHERE key = ?",
            .text(key)
        ) { row throws(JournalError) in
            let run = try row.text()
            let process = try ProcessIdentity(
                host: row.text(), boot: row.text(), namespace: row.text(),
                pid: Int32(clamping: row.int64()), startTicks: row.int64())
            return try Row(
                holder: LockHolder(run: run, process: process, since: row.timestamp()),
                token: row.int64())
        }.first
    }

    func keys(ofRun id: String) throws(JournalError) -> [String] {
        try connection.list("locks", "SELECT key FROM locks WHERE run = ?", .text(id)) {
            row throws(JournalError) in try row.text()
        }
    }

    func set(_ key: String, _ holder: LockHolder, _ token: Int64) throws(JournalError) {
        let process = holder.process
        try connection.change(
            "INSERT OR REPLACE INTO locks(key, run, host, boot, namespace, pid, ticks, since,"
                + " token) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", .text(key), .text(holder.run),
            .text(process.host), .text(process.boot), .text(process.namespace),
            .integer(Int64(process.pid)), .integer(process.startTicks), .time(holder.since),
            .integer(token))
    }

    func remove(_ key: String) throws(JournalError) {
        try connection.change("DELETE FROM locks WHERE key = ?", .text(key))
    }

    /// Whether a run has locks under another token.
    func isHeld(byRun id: String, besides token: Int64) throws(JournalError) -> Bool {
        try !connection.list(
            "locks", "SELECT 1 FROM locks WHERE run = ? AND token NOT IN (0, ?) LIMIT 1",
            .text(id), .integer(token)
        ) { row throws(JournalError) in try row.int() }.isEmpty
    }

    func id(ofRun key: Int64) throws(JournalError) -> String {
        let ids = try connection.list("runs", "SELECT id FROM runs WHERE key = ?", .integer(key)) {
            row throws(JournalError) in try row.text()
        }
        guard let id = ids.first else {
            throw JournalError(.noSuchRun, "there is no such run")
        }
        return id
    }
}
