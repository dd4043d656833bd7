private import CSQLite

/// A database on its way into another one, page by page.
///
/// What is written through the source's own connection meanwhile comes along, so that the copy is the source
/// as it is when the last page is copied. No transaction may be open then, on either side.
@safe package final class Backup {
    private var handle: OpaquePointer?
    private let source: Connection
    private let destination: Connection

    /// Begins to copy over what the destination holds; it must not be used before the end.
    package init(from source: Connection, to destination: Connection) throws(SQLiteError) {
        self.source = source
        self.destination = destination
        unsafe handle = source.withHandle { source in
            unsafe destination.withHandle { destination in
                unsafe sqlite3_backup_init(destination, "main", source, "main")
            }
        }
        guard unsafe handle != nil else { throw destination.lastFailure() }
    }

    deinit { unsafe sqlite3_backup_finish(handle) }

    /// How many pages are left to copy, as far as that is known now.
    package func remaining() throws(SQLiteError) -> Int {
        // Nothing is copied, but counted.
        let code = unsafe sqlite3_backup_step(handle, 0)
        guard code == SQLITE_OK || code == SQLITE_DONE else { throw Self.failure(code) }
        return Int(unsafe sqlite3_backup_remaining(handle))
    }

    /// Copies the next pages.
    ///
    /// - Returns: Whether there are more; false once: it is whole then.
    package func copySome(pages: Int) throws(SQLiteError) -> Bool {
        let code = unsafe sqlite3_backup_step(handle, Int32(clamping: pages))
        switch code {
        case SQLITE_OK: return true
        case SQLITE_DONE:
            let end = unsafe sqlite3_backup_finish(handle)
            unsafe handle = nil
            guard end == SQLITE_OK else { throw destination.lastFailure() }
            return false
        default: throw Self.failure(code)
        }
    }

    private static func failure(_ code: Int32) -> SQLiteError {
        SQLiteError(extendedCode: code, message: unsafe String(cString: sqlite3_errstr(code)))
    }
}
