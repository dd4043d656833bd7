private import CSQLite

/// A compiled SQL statement.
///
/// Fill in the values (parameters count from 1), step until it says false, read columns (from
/// 0), reset. A value that SQLite refuses makes the next step fail.
@safe package final class Statement {
    private let handle: OpaquePointer
    /// Keeps the database open.
    private let database: Handle
    /// The statement as written.
    package let sql: String
    private var bindFailure: Int32 = SQLITE_OK

    init(_ handle: OpaquePointer, sql: String, of database: Handle) {
        unsafe self.handle = handle
        self.sql = sql
        self.database = database
    }

    deinit { _ = unsafe sqlite3_finalize(handle) }

    /// Goes to the next row.
    ///
    /// - Returns: Whether there is one. At the end the statement is reset by itself.
    package func step() throws(SQLiteError) -> Bool {
        guard bindFailure == SQLITE_OK else {
            let code = bindFailure
            bindFailure = SQLITE_OK
            throw failure(code)
        }
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            _ = unsafe sqlite3_reset(handle)
            return false
        case let code:
            let error = failure(code)
            _ = unsafe sqlite3_reset(handle)
            throw error
        }
    }

    /// Runs to the end, passing over any rows.
    package func run() throws(SQLiteError) {
        while try step() {}
    }

    /// Makes the statement ready to run again; values stay as they are.
    package func reset() { _ = unsafe sqlite3_reset(handle) }

    /// Sets every parameter to NULL.
    package func clearBindings() {
        bindFailure = SQLITE_OK
        _ = unsafe sqlite3_clear_bindings(handle)
    }

    /// Whether the statement is between its first row and its reset.
    package var isBusy: Bool { unsafe sqlite3_stmt_busy(handle) != 0 }
    /// How many columns a row has.
    package var columnCount: Int { Int(unsafe sqlite3_column_count(handle)) }

    // MARK: - Values in

    /// Sets a parameter to an integer.
    package func bind(_ index: Int, _ value: Int64) {
        note(unsafe sqlite3_bind_int64(handle, Int32(index), value))
    }

    /// Sets a parameter to an integer.
    package func bind(_ index: Int, _ value: Int) { bind(index, Int64(value)) }

    /// Sets a parameter to 1 or 0.
    package func bind(_ index: Int, _ value: Bool) { bind(index, value ? Int64(1) : 0) }

    /// Sets a parameter to a number.
    package func bind(_ index: Int, _ value: Double) {
        note(unsafe sqlite3_bind_double(handle, Int32(index), value))
    }

    /// Sets a parameter to a text.
    package func bind(_ index: Int, _ value: String) {
        let code = unsafe value.utf8Span.span.withUnsafeBufferPointer { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                guard let start = characters.baseAddress, !characters.isEmpty else {
                    return unsafe cksweep_bind_text(handle, Int32(index), "", 0)
                }
                guard let count = Int32(exactly: characters.count) else { return SQLITE_TOOBIG }
                return unsafe cksweep_bind_text(handle, Int32(index), start, count)
            }
        }
        note(code)
    }

    /// Sets a parameter to bytes.
    package func bind(_ index: Int, _ value: [UInt8]) {
        let code = unsafe value.withUnsafeBytes { bytes in
            guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
            return unsafe cksweep_bind_blob(handle, Int32(index), bytes.baseAddress, count)
        }
        note(code)
    }

    /// Sets a parameter to NULL.
    package func bindNull(_ index: Int) {
        note(unsafe sqlite3_bind_null(handle, Int32(index)))
    }

    /// Sets a parameter to an integer, or to NULL.
    package func bind(_ index: Int, _ value: Int64?) {
        if let value { bind(index, value) } else { bindNull(index) }
    }

    /// Sets a parameter to a number, or to NULL.
    package func bind(_ index: Int, _ value: Double?) {
        if let value { bind(index, value) } else { bindNull(index) }
    }

    /// Sets a parameter to a text, or to NULL.
    package func bind(_ index: Int, _ value: String?) {
        if let value { bind(index, value) } else { bindNull(index) }
    }

    /// Sets a parameter to bytes, or to NULL.
    package func bind(_ index: Int, _ value: [UInt8]?) {
        if let value { bind(index, value) } else { bindNull(index) }
    }

    /// Sets a parameter to a value of any kind.
    package func bind(_ index: Int, _ value: Value) {
        switch value {
        case .null: bindNull(index)
        case .integer(let value): bind(index, value)
        case .real(let value): bind(index, value)
        case .text(let value): bind(index, value)
        case .blob(let value): bind(index, value)
        }
    }

    // MARK: - Values out

    /// Whether a column of the current row is NULL.
    package func isNull(at column: Int) -> Bool {
        unsafe sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
    }

    /// A column as an integer; 0 for NULL.
    package func int64(at column: Int) -> Int64 {
        unsafe sqlite3_column_int64(handle, Int32(column))
    }

    /// A column as an integer; 0 for NULL.
    package func int(at column: Int) -> Int { Int(int64(at: column)) }

    /// A column as a truth value; false for NULL.
    package func bool(at column: Int) -> Bool { int64(at: column) != 0 }

    /// A column as a number; 0 for NULL.
    package func double(at column: Int) -> Double {
        unsafe sqlite3_column_double(handle, Int32(column))
    }

    /// A column as a text; empty for NULL.
    package func text(at column: Int) -> String {
        guard let start = unsafe sqlite3_column_text(handle, Int32(column)) else { return "" }
        let count = Int(unsafe sqlite3_column_bytes(handle, Int32(column)))
        return unsafe String(
            decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// How many bytes a text or blob has.
    package func byteCount(at column: Int) -> Int {
        Int(unsafe sqlite3_column_bytes(handle, Int32(column)))
    }

    /// A column as bytes; empty for NULL.
    package func bytes(at column: Int) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(handle, Int32(column)) else { return [] }
        let count = Int(unsafe sqlite3_column_bytes(handle, Int32(column)))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// A column as an integer, or nil for NULL.
    package func optionalInt64(at column: Int) -> Int64? {
        isNull(at: column) ? nil : int64(at: column)
    }

    /// A column as a number, or nil for NULL.
    package func optionalDouble(at column: Int) -> Double? {
        isNull(at: column) ? nil : double(at: column)
    }

    /// A column as a text, or nil for NULL.
    package func optionalText(at column: Int) -> String? {
        isNull(at: column) ? nil : text(at: column)
    }

    /// A column as bytes, or nil for NULL.
    package func optionalBytes(at column: Int) -> [UInt8]? {
        isNull(at: column) ? nil : bytes(at: column)
    }

    /// A column as whatever it holds.
    package func value(at column: Int) -> Value {
        switch unsafe sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_INTEGER: .integer(int64(at: column))
        case SQLITE_FLOAT: .real(double(at: column))
        case SQLITE_TEXT: .text(text(at: column))
        case SQLITE_BLOB: .blob(bytes(at: column))
        default: .null
        }
    }

    private func note(_ code: Int32) {
        if code != SQLITE_OK, bindFailure == SQLITE_OK { bindFailure = code }
    }

    private func failure(_ code: Int32) -> SQLiteError { database.failure(code, sql: sql) }
}
