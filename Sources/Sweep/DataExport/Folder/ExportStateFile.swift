import Basics
import SQLite

/// The SQLite file in which an export under way keeps what it has taken in.
final class ExportStateFile {
    private static let version: Int64 = 1
    let connection: Connection
    /// Which attempt this is, counted from 1.
    let attempt: Int64

    /// Opens the file, or makes it.
    ///
    /// - Throws: `otherExport` when it is about somebody or something else.
    init(_ path: String, of subject: ExportSubject, began: Timestamp) throws(ExportError) {
        do throws(SQLiteError) {
            let connection = try Connection(.file(path))
            try connection.useWriteAheadLog(.normal)
            self.connection = connection
            attempt = try connection.transaction { () throws(SQLiteError) in
                try connection.execute(Self.schema)
                try connection.run(
                    "INSERT OR IGNORE INTO export VALUES (1, ?, ?, ?, 0)", .integer(Self.version),
                    .text(subject.text), .integer(began.milliseconds))
                try connection.execute("UPDATE export SET attempt = attempt + 1")
                return try connection.integer("SELECT attempt FROM export")
            }
        } catch {
            throw ExportError(error)
        }
        try check(subject)
    }

    private static let schema = """
        CREATE TABLE IF NOT EXISTS export(
            id INTEGER PRIMARY KEY, version INTEGER NOT NULL, subject TEXT NOT NULL,
            began INTEGER NOT NULL, attempt INTEGER NOT NULL) STRICT;
        CREATE TABLE IF NOT EXISTS part(
            id INTEGER PRIMARY KEY, container TEXT NOT NULL, scope TEXT NOT NULL,
            kind TEXT NOT NULL, zone TEXT NOT NULL, owner TEXT NOT NULL, token TEXT,
            attempt INTEGER NOT NULL, UNIQUE(container, scope, kind, zone, owner)) STRICT;
        CREATE TABLE IF NOT EXISTS record(
            id INTEGER PRIMARY KEY, part INTEGER NOT NULL, name TEXT NOT NULL,
            type TEXT NOT NULL, line BLOB NOT NULL, attempt INTEGER NOT NULL,
            UNIQUE(part, name)) STRICT;
        CREATE TABLE IF NOT EXISTS asset(
            part INTEGER NOT NULL, name TEXT NOT NULL, field TEXT NOT NULL,
            position INTEGER NOT NULL, checksum TEXT NOT NULL, bytes INTEGER NOT NULL,
            sha256 TEXT NOT NULL, confirmed INTEGER NOT NULL,
            PRIMARY KEY(part, name, field, position)) STRICT;
        CREATE INDEX IF NOT EXISTS assetBySHA256 ON asset(sha256);
        """

    private func check(_ subject: ExportSubject) throws(ExportError) {
        let rows = try reading { () throws(SQLiteError) in
            try connection.rows("SELECT version, subject FROM export")
        }
        guard case .integer(Self.version)? = rows.first?.first else {
            throw ExportError(.otherExport, "it was started by another version of this tool")
        }
        guard case .text(subject.text)? = rows.first?.last else {
            throw ExportError(
                .otherExport,
                "it is for another user, server, environment or list of containers, or was "
                    + "started with another state folder")
        }
    }

    /// Reads or writes, and calls what goes wrong by this module's name.
    func reading<Value>(
        _ body: () throws(SQLiteError) -> Value
    ) throws(ExportError) -> Value {
        do throws(SQLiteError) {
            return try body()
        } catch {
            throw ExportError(error)
        }
    }

    /// When the first attempt began.
    func began() throws(ExportError) -> Timestamp {
        try reading { () throws(SQLiteError) in
            Timestamp(milliseconds: try connection.integer("SELECT began FROM export"))
        }
    }
}

extension Connection {
    /// The one number that a query gives; 0 where the row was taken out by another hand.
    fileprivate func integer(_ sql: String) throws(SQLiteError) -> Int64 {
        let statement = try prepare(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.int64(at: 0) : 0
    }
}
