import AsyncOperations
import CloudModel
import Dispatch
import FileSystem
import SQLite

/// The store's tables: what is common to the types that hold the statements of SQL.
///
/// A failure of SQLite is remembered, so that the open transaction cannot be committed, and
/// becomes INTERNAL_ERROR for the command that met it.
final class StoreTables {
    private(set) var connection: Connection
    var isInMemory: Bool { guardian == nil }
    /// Held for as long as the store is open, to keep a second process out; nil in memory.
    private let guardian: Connection?
    private let hasLog: Bool
    private(set) var zoneStatements: ZoneTable.Statements
    /// The first failure since the last commit.
    private(set) var failure: SQLiteError?
    /// Why nothing is written any more.
    private var refusal: MockStoreError?

    /// Sets what a connection keeps in memory.
    static func prepare(_ connection: Connection) throws(SQLiteError) {
        try connection.execute("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768")
    }

    /// - Parameter image: What a store in memory begins with.
    init(_ location: MockStore.Location, _ image: StoreImage? = nil) throws(MockStoreError) {
        do throws(SQLiteError) {
            if let image {
                guardian = nil
                hasLog = false
                connection = image.connection
                zoneStatements = try ZoneTable.Statements(connection)
                return
            }
            switch location {
            case .memory:
                guardian = nil
                hasLog = false
                connection = try Connection(.memory)
            case .directory(let path):
                let guardian = try Connection(
                    .file(path + "/store.lock"), busyTimeout: .milliseconds(200))
                try guardian.begin(.exclusive)
                self.guardian = guardian
                connection = try Connection(.file(path + "/store.sqlite"))
                hasLog = try connection.useWriteAheadLog(.full, checkpointPages: 0)
            }
            try Self.prepare(connection)
            try StoreSchema.make(connection)
            zoneStatements = try ZoneTable.Statements(connection)
        } catch {
            throw Self.storeError(error)
        }
    }

    /// Replaces everything by the contents of another connection; a file is changed completely or not at all.
    ///
    /// - Precondition: No transaction is open, and nothing else uses the other connection from now on.
    func replaceAll(by other: Connection) throws(SQLiteError) {
        guard isInMemory else {
            let backup = try Backup(from: other, to: connection)
            while try backup.copySome(pages: .max) {}
            return
        }
        zoneStatements = try ZoneTable.Statements(other)
        Discarded(connection).free()
        connection = other
    }

    /// A database in memory that is freed on another thread: a large one takes its time.
    private final class Discarded: @unchecked Sendable {
        // Holds: nothing uses the connection any more; its last reference is released here or by a copy of it
        // that was begun before.
        private let connection: Connection
        init(_ connection: Connection) { self.connection = connection }

        func free() { DispatchQueue.global().async { withExtendedLifetime(self) {} } }
    }

    /// Leaves the wait for the disk after a commit to a flusher.
    ///
    /// - Returns: Nil in memory, and where SQLite can keep no log: a commit waits by itself there.
    func makeFlusher(
        _ location: MockStore.Location, _ flush: LogFlusher.Flush?
    ) throws(MockStoreError) -> LogFlusher? {
        guard case .directory(let path) = location, hasLog else { return nil }
        do {
            let flusher =
                if let flush {
                    LogFlusher(flush)
                } else {
                    try LogFlusher(logOf: path + "/store.sqlite")
                }
            try connection.useWriteAheadLog(.normal, checkpointPages: 0)
            return flusher
        } catch {
            throw MockStoreError(.cannotOpen, "cannot open the store's log: \(error)")
        }
    }

    /// Runs `body`, turning a failure of SQLite into INTERNAL_ERROR.
    func guarded<Result>(
        _ body: () throws(SQLiteError) -> Result
    ) throws(CloudError) -> Result {
        do throws(SQLiteError) {
            return try body()
        } catch {
            note(error)
            throw CloudError(.internalError, reason: "the store failed")
        }
    }

    /// Remembers that the open transaction must not be committed.
    func note(_ error: SQLiteError) {
        if failure == nil { failure = error }
    }

    /// Refuses all that would be written from now on.
    func refuseWrites(_ reason: MockStoreError) {
        if refusal == nil { refusal = reason }
    }

    /// Remembers that the disk did not take a commit, so that none may follow.
    func note(_ failure: FileError) {
        note(SQLiteError(extendedCode: 10, message: "the disk rejected the data: \(failure)"))
    }

    /// A row that cannot be read.
    func damaged() -> CloudError {
        note(SQLiteError(extendedCode: 11, message: "a row is damaged"))
        return CloudError(.internalError, reason: "the store is damaged")
    }

    /// Opens a transaction unless one is open.
    func beginIfNeeded() throws(CloudError) {
        guard !connection.isInTransaction else { return }
        if let refusal {
            throw CloudError(
                .internalError,
                reason: "the store accepts no writes until the server is restarted: "
                    + refusal.description)
        }
        try guarded { () throws(SQLiteError) in try connection.begin(.immediate) }
    }

    /// Ends the open transaction; undoes it and throws when anything in it failed.
    func commit(_ right: borrowing StoreCommitter.Right) throws(MockStoreError) {
        defer { failure = nil }
        if let failure {
            connection.rollback()
            throw Self.storeError(failure)
        }
        guard connection.isInTransaction else { return }
        do throws(SQLiteError) {
            try connection.commit()
        } catch {
            connection.rollback()
            throw Self.storeError(error)
        }
    }

    /// Undoes the open transaction, and forgets what failed in it.
    func rollback() {
        failure = nil
        if connection.isInTransaction { connection.rollback() }
    }

    /// Marks a place in the open transaction to come back to.
    func savepoint() throws(CloudError) {
        try guarded { () throws(SQLiteError) in try connection.beginSavepoint() }
    }

    func releaseSavepoint() throws(CloudError) {
        try guarded { () throws(SQLiteError) in try connection.releaseSavepoint() }
    }

    /// An item's failure is answered beside the others; a failure of the store ends the command.
    func rethrowFailure(_ error: CloudError) throws(CloudError) {
        if failure != nil { throw error }
    }

    /// Runs `body`, turning a command's failure into the store's.
    func translating<Result>(
        _ body: () throws(CloudError) -> Result
    ) throws(MockStoreError) -> Result {
        do throws(CloudError) {
            return try body()
        } catch {
            throw failure.map { Self.storeError($0) } ?? MockStoreError(.failed, error.reason)
        }
    }

    static func storeError(_ error: SQLiteError) -> MockStoreError {
        if error.extendedCode == -1 {
            return MockStoreError(.newerFormat, "the store was written by a newer version")
        }
        if error.isDiskFull { return MockStoreError(.diskFull, "no space is left for the store") }
        if error.isBusy {
            return MockStoreError(.inUse, "another process has the store open")
        }
        if error.isCorrupt { return MockStoreError(.corrupt, "the store's file is damaged") }
        if error.isNotPermitted {
            return MockStoreError(.cannotOpen, "cannot open the store: \(error.message)")
        }
        return MockStoreError(.failed, error.description)
    }

    // MARK: - Statements

    /// Runs one statement with values.
    func run(_ sql: String, _ values: any ValueConvertible...) throws(CloudError) {
        try guarded { () throws(SQLiteError) in try prepare(sql, values).run() }
    }

    /// The rows of one query, each as `read` makes it.
    func rows<Row>(
        _ sql: String, _ values: any ValueConvertible...,
        read: (Statement) throws(CloudError) -> Row
    ) throws(CloudError) -> [Row] {
        let statement = try guarded { () throws(SQLiteError) in try prepare(sql, values) }
        defer { statement.reset() }
        var rows: [Row] = []
        while try guarded({ () throws(SQLiteError) in try statement.step() }) {
            rows.append(try read(statement))
        }
        return rows
    }

    /// The first column of a query's first row; nil without rows, and where it is NULL.
    func number(_ sql: String, _ values: any ValueConvertible...) throws(CloudError) -> Int64? {
        try guarded { () throws(SQLiteError) in
            let statement = try prepare(sql, values)
            defer { statement.reset() }
            return try statement.step() ? statement.optionalInt64(at: 0) : nil
        }
    }

    /// All values of a query, row by row.
    func values(_ sql: String) throws(CloudError) -> [[Value]] {
        try rows(sql) { row in (0..<row.columnCount).map { row.value(at: $0) } }
    }

    /// Adds whole rows to a table, in the place of those with the same key.
    func insert(into table: String, _ rows: [[Value]]) throws(CloudError) {
        guard let width = rows.first?.count else { return }
        let marks = Array(repeating: "?", count: width).joined(separator: ", ")
        let sql = "INSERT OR REPLACE INTO \(table) VALUES (\(marks))"
        try guarded { () throws(SQLiteError) in
            for row in rows { try prepare(sql, row).run() }
        }
    }

    /// A statement with its values, to be stepped.
    func prepare(
        _ sql: String, _ values: [any ValueConvertible]
    ) throws(SQLiteError) -> Statement {
        let statement = try connection.prepare(sql)
        for (index, value) in values.enumerated() { statement.bind(index + 1, value.sqlValue) }
        return statement
    }

    /// A number kept beside the data.
    func meta(_ key: String) throws(CloudError) -> Int64? {
        try number("SELECT value FROM meta WHERE key = ?", key)
    }

    func setMeta(_ key: String, _ value: Int64) throws(CloudError) {
        try run("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, value)
    }

    /// A text kept beside the data.
    func metaText(_ key: String) throws(CloudError) -> String? {
        try rows("SELECT value FROM meta WHERE key = ?", key) { $0.text(at: 0) }.first
    }

    func setMeta(_ key: String, _ value: String) throws(CloudError) {
        try run("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, value)
    }

    /// Lets the file have no more pages of 4096 bytes than this, or than it has.
    func limitSize(pages: Int) throws(CloudError) {
        _ = try number("PRAGMA max_page_count = \(max(1, pages))")
    }

    // MARK: - The tables

    var accounts: AccountTables { AccountTables(tables: self) }
    var containers: ContainerTables { ContainerTables(tables: self) }
    var roles: RoleTable { RoleTable(tables: self) }
    var databases: DatabaseTable { DatabaseTable(tables: self) }
    var zones: ZoneTable { ZoneTable(tables: self) }
    var shares: ShareTable { ShareTable(tables: self) }
    var hierarchies: HierarchyTable { HierarchyTable(tables: self) }
    var shortGUIDs: ShortGUIDTable { ShortGUIDTable(tables: self) }
    var records: RecordTable { RecordTable(tables: self) }
    var assets: AssetTables { AssetTables(tables: self) }
    var links: LinkTable { LinkTable(tables: self) }
    var cascades: CascadeTable { CascadeTable(tables: self) }
    var removals: RemovalTable { RemovalTable(tables: self) }
    var subscriptions: SubscriptionTable { SubscriptionTable(tables: self) }
    var spentTokens: SpentTokenTable { SpentTokenTable(tables: self) }
    var pushTokens: PushTokenTable { PushTokenTable(tables: self) }
    var histories: HistoryTables { HistoryTables(tables: self) }
}
