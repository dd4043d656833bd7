private import CSQLite

extension Connection {
    /// When a commit waits for the disk.
    package enum Synchronous: String, Sendable, CaseIterable {
        /// Never: an operating system crash can damage the file.
        case off = "OFF"
        /// At checkpoints: with a write-ahead log a crash of the machine can lose the newest
        /// commits, and nothing else.
        case normal = "NORMAL"
        /// At every commit.
        case full = "FULL"
    }
    /// How far a checkpoint goes.
    package enum CheckpointMode: Sendable {
        /// As far as it can without waiting for anybody.
        case passive
        /// All of the log, waiting for readers.
        case full
        /// All of the log, and the log begins anew.
        case restart
        /// All of the log, and the log file is emptied.
        case truncate
    }

    /// Turns on the write-ahead log and says when commits wait for the disk.
    ///
    /// - Parameters:
    ///   - checkpointPages: How many pages the log may hold before a commit copies them into the
    ///     database; 0 leaves that to ``checkpoint(_:)``, with ``logPages`` to tell when.
    /// - Returns: Whether the log is in use; a database in memory has none.
    @discardableResult
    package func useWriteAheadLog(
        _ synchronous: Synchronous, checkpointPages: Int = 1000
    ) throws(SQLiteError) -> Bool {
        let mode = try turnOnLog()
        try execute("PRAGMA synchronous = \(synchronous.rawValue)")
        _ = try rows("PRAGMA wal_autocheckpoint = \(checkpointPages)")
        if checkpointPages == 0 { countLogPages() }
        return mode == .text("wal")
    }

    /// Two connections that do this to a new file at the same moment can each hold a lock that the
    /// other one waits for. So none waits while it holds one: it lets go, and tries again.
    private func turnOnLog() throws(SQLiteError) -> Value? {
        let timeout = busyTimeout
        busyTimeout = .zero
        defer { busyTimeout = timeout }
        let end = ContinuousClock.now + timeout
        var attempts: Int32 = 0
        while true {
            do throws(SQLiteError) {
                return try rows("PRAGMA journal_mode = WAL").first?.first
            } catch {
                guard error.code == SQLITE_BUSY, ContinuousClock.now < end else { throw error }
            }
            attempts += 1
            sqlite3_sleep(min(attempts, 20))
        }
    }

    /// Copies the write-ahead log into the database.
    ///
    /// - Returns: Pages in the log, and how many of them are in the database now.
    @discardableResult
    package func checkpoint(
        _ mode: CheckpointMode = .passive
    ) throws(SQLiteError) -> (frames: Int, copied: Int) {
        switch mode {
        case .passive: try checkpointLog(SQLITE_CHECKPOINT_PASSIVE)
        case .full: try checkpointLog(SQLITE_CHECKPOINT_FULL)
        case .restart: try checkpointLog(SQLITE_CHECKPOINT_RESTART)
        case .truncate: try checkpointLog(SQLITE_CHECKPOINT_TRUNCATE)
        }
    }

    /// What SQLite finds wrong with the file; empty when all is well.
    package func problems() throws(SQLiteError) -> [String] {
        let lines = try rows("PRAGMA quick_check(20)").map { row -> String in
            if case .text(let line)? = row.first { line } else { "" }
        }
        return lines == ["ok"] ? [] : lines
    }
}
