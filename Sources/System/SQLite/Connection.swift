private import CSQLite
private import Glibc

/// One connection to a SQLite database, owned by one thread or actor.
///
/// Opened without SQLite's own mutexes, so it must never be used by two threads at once; it is
/// not `Sendable` to that end. Closed when the last reference to it and to its statements is gone.
@safe package final class Connection {
    /// Where a database is kept.
    package enum Location: Sendable, Hashable {
        /// In memory, private to the connection, gone with it.
        case memory
        /// In a file without a name, gone with the connection: what does not fit its cache is on disk.
        case temporary
        /// In a file, made with mode 0600 when it is missing.
        case file(String)
    }
    /// How a transaction begins.
    package enum TransactionMode: String, Sendable {
        /// Locks at the first read or write.
        case deferred = "BEGIN DEFERRED"
        /// Takes the write lock at once, so that the commit cannot find it taken.
        case immediate = "BEGIN IMMEDIATE"
        /// Shuts other connections out.
        case exclusive = "BEGIN EXCLUSIVE"
    }

    /// Set once in a process; a refusal only costs time.
    private static let withoutCounting = cksweep_sqlite_stop_counting()

    private let database: Handle
    private var handle: OpaquePointer { unsafe database.pointer }
    private var cache: [String: Statement] = [:]
    private let cacheSizeMax: Int
    /// How long a call waits for another connection's lock.
    package var busyTimeout: Duration { didSet { setBusyTimeout() } }
    /// Pages in the write-ahead log after the last commit; counted after ``countLogPages()``.
    package var logPages: Int { database.logPages }
    /// Commits that wrote to the write-ahead log; counted after ``countLogPages()``.
    package var logCommits: Int { database.logCommits }

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - readOnly: Refuses writes, and a missing file.
    ///   - busyTimeout: How long a call waits for another connection's lock.
    ///   - cacheSizeMax: How many compiled statements are kept.
    package init(
        _ location: Location, readOnly: Bool = false, busyTimeout: Duration = .seconds(5),
        cacheSizeMax: Int = 200
    ) throws(SQLiteError) {
        _ = Self.withoutCounting
        let path: String
        switch location {
        case .memory: path = ":memory:"
        case .temporary: path = ""
        case .file(let file):
            guard !file.isEmpty, !file.utf8.contains(0) else {
                throw SQLiteError(extendedCode: SQLITE_CANTOPEN, message: "not a file name")
            }
            // A path that begins with ":" would be taken for a name of SQLite's own.
            path = file.hasPrefix("/") ? file : "./" + file
            if !readOnly { Self.makePrivateFile(path) }
        }
        let access = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(
            path, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let handle = unsafe opened else {
            let message = unsafe opened.map { unsafe String(cString: sqlite3_errmsg($0)) }
            unsafe sqlite3_close_v2(opened)
            throw SQLiteError(extendedCode: code, message: message ?? "cannot open the database")
        }
        database = unsafe Handle(handle)
        self.cacheSizeMax = cacheSizeMax
        self.busyTimeout = busyTimeout
        setBusyTimeout()
    }

    private func setBusyTimeout() {
        let wait = busyTimeout.components
        let milliseconds = wait.seconds * 1000 + wait.attoseconds / 1_000_000_000_000_000
        _ = unsafe sqlite3_busy_timeout(handle, Int32(clamping: milliseconds))
    }

    /// Runs one or more statements that take no values and whose rows nobody wants.
    package func execute(_ sql: String) throws(SQLiteError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, sql: sql) }
    }

    /// Gives the compiled form of one statement, reset and without values.
    ///
    /// Compiled once and kept. While a statement is between its first row and its reset, asking
    /// for the same SQL again compiles another one.
    package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        if let kept = cache[sql] {
            if !kept.isBusy {
                kept.reset()
                kept.clearBindings()
                return kept
            }
            return try compile(sql)
        }
        let statement = try compile(sql)
        if cache.count >= cacheSizeMax { cache.removeAll(keepingCapacity: true) }
        cache[sql] = statement
        return statement
    }

    /// Compiles a statement for its one owner to keep, beside the cache.
    package func compile(_ sql: String) throws(SQLiteError) -> Statement {
        var made: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
        guard code == SQLITE_OK else { throw failure(code, sql: sql) }
        guard let made = unsafe made else {
            throw SQLiteError(extendedCode: SQLITE_MISUSE, message: "no statement", sql: sql)
        }
        return unsafe Statement(made, sql: sql, of: database)
    }

    /// Runs one statement with values, whose rows nobody wants.
    package func run(_ sql: String, _ values: Value...) throws(SQLiteError) {
        let statement = try prepare(sql)
        for (index, value) in values.enumerated() { statement.bind(index + 1, value) }
        try statement.run()
    }

    /// The rows of one query, all at once: for small results.
    package func rows(_ sql: String, _ values: Value...) throws(SQLiteError) -> [[Value]] {
        let statement = try prepare(sql)
        defer { statement.reset() }
        for (index, value) in values.enumerated() { statement.bind(index + 1, value) }
        var rows: [[Value]] = []
        while try statement.step() {
            rows.append((0..<statement.columnCount).map { statement.value(at: $0) })
        }
        return rows
    }

    /// How many rows the last insert, update or delete changed.
    package var changes: Int { Int(unsafe sqlite3_changes64(handle)) }
    /// How many rows were changed since the connection was opened.
    package var totalChanges: Int { Int(unsafe sqlite3_total_changes64(handle)) }
    /// The row number of the last insert.
    package var lastInsertRowID: Int64 { unsafe sqlite3_last_insert_rowid(handle) }
    /// Whether a transaction is open.
    package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// Makes a running call fail with `SQLITE_INTERRUPT` at its next step.
    package func interrupt() { unsafe sqlite3_interrupt(handle) }

    private func failure(_ code: Int32, sql: String?) -> SQLiteError {
        database.failure(code, sql: sql)
    }

    /// Makes an empty file that only its owner can read; SQLite gives the files beside it the
    /// same mode. Leaves one that is there alone; if it cannot be made, opening says why.
    private static func makePrivateFile(_ path: String) {
        let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    // MARK: - Used by the extensions in this module

    func countLogPages() { database.countLogPages() }

    func withHandle<Result>(_ body: (OpaquePointer) -> Result) -> Result { unsafe body(handle) }

    /// The error of the last call.
    func lastFailure() -> SQLiteError {
        database.failure(unsafe sqlite3_extended_errcode(handle), sql: nil)
    }

    /// Copies the write-ahead log into the database.
    func checkpointLog(_ mode: Int32) throws(SQLiteError) -> (frames: Int, copied: Int) {
        var frames: Int32 = 0
        var copied: Int32 = 0
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, mode, &frames, &copied)
        guard code == SQLITE_OK else { throw failure(code, sql: nil) }
        return (Int(max(0, frames)), Int(max(0, copied)))
    }
}
