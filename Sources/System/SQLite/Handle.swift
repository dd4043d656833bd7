private import CSQLite

/// An open database, closed when the connection and all of its statements are gone.
@safe final class Handle {
    let pointer: OpaquePointer
    /// Pages in the write-ahead log after the last commit; counted after ``countLogPages()``.
    private(set) var logPages = 0
    /// Commits that wrote to the write-ahead log; counted after ``countLogPages()``.
    private(set) var logCommits = 0

    init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { _ = unsafe sqlite3_close_v2(pointer) }

    /// The error of the last call.
    func failure(_ code: Int32, sql: String?) -> SQLiteError {
        let message = unsafe String(cString: sqlite3_errmsg(pointer))
        return SQLiteError(extendedCode: code, message: message, sql: sql)
    }

    /// Has SQLite tell after each commit how long the log is; it then copies nothing by itself.
    func countLogPages() {
        // Not retained: SQLite calls the hook only while the database is open, as long as this lives.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe sqlite3_wal_hook(
            pointer,
            { context, _, _, pages in
                guard let context = unsafe context else { return SQLITE_OK }
                let handle = unsafe Unmanaged<Handle>.fromOpaque(context).takeUnretainedValue()
                handle.logPages = Int(pages)
                handle.logCommits += 1
                return SQLITE_OK
            }, context)
    }
}
