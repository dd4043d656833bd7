import CloudModel
import SQLite

extension Journal {
    /// Takes every lock for `holder`, or none.
    ///
    /// A lock whose process is gone is taken over.
    func lock(
        _ keys: [String], for holder: LockHolder, _ connection: Connection
    ) throws(JournalError) {
        for key in keys {
            if let other = try self.holder(of: key, connection),
                other.run != holder.run
                    || other.process != holder.process, seemsAlive(other.process)
            {
                throw JournalError(
                    .locked, "another run holds the lock: \(other.description)", holder: other)
            }
            do throws(SQLiteError) {
                try connection.run(
                    "INSERT OR REPLACE INTO locks VALUES (?, ?, ?, ?, ?, ?, ?)", .text(key),
                    .text(holder.run), .text(holder.process.host), .text(holder.process.boot),
                    .integer(Int64(holder.process.pid)), .integer(holder.process.startTicks),
                    .integer(holder.since.milliseconds))
            } catch {
                throw JournalError(error)
            }
        }
    }

    private func holder(
        of key: String, _ connection: Connection
    ) throws(JournalError) -> LockHolder? {
        do throws(SQLiteError) {
            let rows = try connection.rows(
                "SELECT run, host, boot, pid, ticks, since FROM locks WHERE key = ?", .text(key))
            guard let row = rows.first else { return nil }
            return LockHolder(
                run: row[0].string ?? "",
                process: ProcessIdentity(
                    host: row[1].string ?? "", boot: row[2].string ?? "",
                    pid: Int32(clamping: row[3].int64 ?? 0), startTicks: row[4].int64 ?? 0),
                since: Timestamp(milliseconds: row[5].int64 ?? 0))
        } catch {
            throw JournalError(error)
        }
    }
}
