import AsyncOperations
import CloudModel
import FileSystem
import SQLite

/// The store's tables: every statement of SQL is here, in its extensions and in the types that are
/// made with it.
///
/// A failure of SQLite is remembered, so that the open transaction cannot be committed, and
/// becomes INTERNAL_ERROR for the command that met it.
final class StoreTables {
    /// Format 2 masks encrypted fields, format 3 sorts zones by name first.
    static let format: Int64 = 3

    let connection: Connection
    /// Held for as long as the store is open, to keep a second process out.
    private let guardian: Connection?
    let isInMemory: Bool
    private let hasLog: Bool
    let zoneStatements: ZoneStatements
    /// The first failure since the last commit.
    private(set) var failure: SQLiteError?
    /// Why nothing is written any more.
    private var refusal: MockStoreError?

    init(_ location: MockStore.Location) throws(MockStoreError) {
        do throws(SQLiteError) {
            switch location {
            case .memory:
                isInMemory = true
                guardian = nil
                hasLog = false
                connection = try Connection(.memory)
            case .directory(let path):
                isInMemory = false
                let guardian = try Connection(
                    .file(path + "/store.lock"), busyTimeout: .milliseconds(200))
                try guardian.begin(.exclusive)
                self.guardian = guardian
                connection = try Connection(.file(path + "/store.sqlite"))
                hasLog = try connection.useWriteAheadLog(.full, checkpointPages: 0)
            }
            try connection.execute("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768")
            let version = try connection.rows("PRAGMA user_version").first?.first?.int64 ?? 0
            if version == 0 {
                let opened = connection
                try opened.transaction { () throws(SQLiteError) in
                    try opened.execute(Self.zones + Self.schema + Self.additions)
                    try opened.execute("PRAGMA user_version = \(Self.format)")
                }
            } else if version > Self.format {
                throw SQLiteError(extendedCode: -1, message: "format \(version)")
            } else {
                let opened = connection
                try opened.transaction { () throws(SQLiteError) in
                    if version < 3 { try opened.execute(Self.zonesUpgrade) }
                    try opened.execute(Self.additions)
                    try opened.execute("PRAGMA user_version = \(Self.format)")
                }
            }
            zoneStatements = try ZoneStatements(connection)
        } catch {
            throw Self.storeError(error)
        }
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
            throw MockStoreError(.cannotOpen, "the store's log cannot be opened: \(error)")
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
        note(SQLiteError(extendedCode: 10, message: "the disk did not take it: \(failure)"))
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
                reason: "the store takes no more writes until the server is started again: "
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

    func savepoint() throws(CloudError) {
        try guarded { () throws(SQLiteError) in try connection.beginSavepoint() }
    }

    func releaseSavepoint() throws(CloudError) {
        try guarded { () throws(SQLiteError) in try connection.releaseSavepoint() }
    }

    static func storeError(_ error: SQLiteError) -> MockStoreError {
        if error.extendedCode == -1 {
            return MockStoreError(.newerFormat, "the store was written by a newer version")
        }
        if error.isDiskFull { return MockStoreError(.diskFull, "no room is left for the store") }
        if error.isBusy {
            return MockStoreError(.inUse, "another process has the store open")
        }
        if error.isCorrupt { return MockStoreError(.corrupt, "the store's file is damaged") }
        if error.isNotPermitted {
            return MockStoreError(.cannotOpen, "the store cannot be opened: \(error.message)")
        }
        return MockStoreError(.failed, error.description)
    }

    /// The name first: SQLite compares the first of two columns several times faster.
    private static let zones = """
        CREATE TABLE zones (
            db INTEGER, name TEXT, live INTEGER NOT NULL, db_seq INTEGER NOT NULL,
            incarnation INTEGER NOT NULL, seq INTEGER NOT NULL, floor INTEGER NOT NULL,
            purged INTEGER NOT NULL, PRIMARY KEY (name, db)
        ) WITHOUT ROWID;
        CREATE INDEX zones_by_place ON zones (\(zonePlace));
        """

    /// From formats 1 and 2.
    private static let zonesUpgrade = """
        ALTER TABLE zones RENAME TO older_zones;
        \(zones)
        INSERT INTO zones SELECT * FROM older_zones;
        DROP TABLE older_zones;
        """

    private static let schema = """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
        CREATE TABLE users (
            name TEXT PRIMARY KEY, given TEXT, family TEXT, created INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE containers (name TEXT PRIMARY KEY, schema TEXT) WITHOUT ROWID;
        CREATE TABLE restrictions (
            container TEXT, environment TEXT, user TEXT,
            PRIMARY KEY (container, environment, user)
        ) WITHOUT ROWID;
        CREATE TABLE databases (
            id INTEGER PRIMARY KEY, container TEXT NOT NULL, environment TEXT NOT NULL,
            scope TEXT NOT NULL, user TEXT NOT NULL, seq INTEGER NOT NULL,
            floor INTEGER NOT NULL, tag INTEGER NOT NULL,
            UNIQUE (container, environment, scope, user)
        );
        CREATE TABLE records (
            zone INTEGER, seq INTEGER, name TEXT NOT NULL, type TEXT, tag INTEGER NOT NULL,
            body BLOB, PRIMARY KEY (zone, seq)
        ) WITHOUT ROWID;
        CREATE INDEX records_by_type ON records (zone, type, seq) WHERE type IS NOT NULL;
        CREATE TABLE names (
            zone INTEGER, name TEXT, seq INTEGER NOT NULL, PRIMARY KEY (zone, name)
        ) WITHOUT ROWID;
        CREATE TABLE links (
            zone INTEGER, target TEXT, kind INTEGER, source TEXT,
            PRIMARY KEY (zone, target, kind, source)
        ) WITHOUT ROWID;
        CREATE TABLE doomed (incarnation INTEGER PRIMARY KEY);
        CREATE TABLE cascades (
            id INTEGER PRIMARY KEY, db INTEGER NOT NULL, zone INTEGER NOT NULL,
            name TEXT NOT NULL
        );
        CREATE TABLE subscriptions (
            db INTEGER, user TEXT, id TEXT, zone TEXT, body BLOB NOT NULL,
            PRIMARY KEY (db, user, id)
        ) WITHOUT ROWID;
        CREATE TABLE fields (
            container TEXT, environment TEXT, type TEXT, field TEXT, kind TEXT NOT NULL,
            list INTEGER NOT NULL, encrypted INTEGER NOT NULL,
            PRIMARY KEY (container, environment, type, field)
        ) WITHOUT ROWID;
        """

    /// Tables that stores made before them do not have.
    private static let additions = """
        CREATE TABLE IF NOT EXISTS sign_outs (
            user TEXT, device TEXT, is_out INTEGER NOT NULL, PRIMARY KEY (user, device)
        ) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS shares (
            id INTEGER PRIMARY KEY, container TEXT NOT NULL, environment TEXT NOT NULL,
            owner TEXT NOT NULL, zone TEXT NOT NULL, user TEXT NOT NULL,
            incarnation INTEGER NOT NULL
        );
        CREATE TABLE IF NOT EXISTS epochs (epoch INTEGER PRIMARY KEY, parent INTEGER NOT NULL);
        CREATE TABLE IF NOT EXISTS branches (
            epoch INTEGER, place INTEGER, seq INTEGER NOT NULL, PRIMARY KEY (epoch, place)
        ) WITHOUT ROWID;
        """
}
