import CloudModel
import SQLite

/// Who works on what.
struct LockTable {
    let connection: Connection
    let isAlive: @Sendable (ProcessIdentity) -> Bool

    /// Takes every lock for `holder`, or none.
    ///
    /// A lock whose process is gone is taken over.
    func take(_ keys: [String], for holder: LockHolder) throws(JournalError) {
        for key in keys {
            if let other = try self.holder(of: key),
                other.run != holder.run || other.process != holder.process,
                isAlive(other.process)
            {
                throw JournalError(
                    .locked, "another run holds the lock: \(other.description)", holder: other)
            }
            try connection.change(
                "INSERT OR REPLACE INTO locks(key, run, host, boot, pid, ticks, since)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?)", .text(key), .text(holder.run),
                .text(holder.process.host), .text(holder.process.boot),
                .integer(Int64(holder.process.pid)), .integer(holder.process.startTicks),
                .time(holder.since))
        }
    }

    func free(run: Int64) throws(JournalError) {
        try connection.change(
            "DELETE FROM locks WHERE run = (SELECT id FROM runs WHERE key = ?)", .integer(run))
    }

    func free(holder: String) throws(JournalError) {
        try connection.change("DELETE FROM locks WHERE run = ?", .text(holder))
    }

    private func holder(of key: String) throws(JournalError) -> LockHolder? {
        try connection.list(
            "locks", "SELECT run, host, boot, pid, ticks, since FROM locks WHERE key = ?",
            .text(key)
        ) { row throws(JournalError) in
            try LockHolder(
                run: row.text(),
                process: ProcessIdentity(
                    host: row.text(), boot: row.text(), pid: Int32(clamping: row.int64()),
                    startTicks: row.int64()), since: row.timestamp())
        }.first
    }
}
