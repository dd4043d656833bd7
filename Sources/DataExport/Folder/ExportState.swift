import CloudModel
import SQLite

/// What an export under way has taken in so far: records by part and name, in one SQLite file.
///
/// Everything is taken in by the attempt under a number, which says what this attempt has seen.
final class ExportState {
    private static let version: Int64 = 1
    private let connection: Connection
    private let attempt: Int64

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
            throw ExportError(.otherExport, "it was begun by another version of this tool")
        }
        guard case .text(subject.text)? = rows.first?.last else {
            throw ExportError(
                .otherExport,
                "it is of another person, server, environment or list of containers, or was "
                    + "begun with another state folder")
        }
    }

    private func reading<Value>(
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

    // MARK: Taking in

    /// Begins or goes on with a part, and says after which token its feed is to be read.
    func open(_ part: ExportPart) throws(ExportError) -> (id: Int64, token: String?) {
        try reading { () throws(SQLiteError) in
            let insert = try connection.prepare(
                """
                INSERT INTO part(container, scope, kind, zone, owner, attempt)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET attempt = excluded.attempt RETURNING id, token
                """)
            defer { insert.reset() }
            insert.bind(1, part.container.rawValue)
            insert.bind(2, part.scope.rawValue)
            insert.bind(3, part.kind.rawValue)
            insert.bind(4, part.zone)
            insert.bind(5, part.owner)
            insert.bind(6, attempt)
            guard try insert.step() else { preconditionFailure("nothing is returned") }
            let found = (id: insert.int64(at: 0), token: insert.optionalText(at: 1))
            while try insert.step() {}
            return found
        }
    }

    /// Forgets what was taken in of a part.
    func clear(_ part: Int64) throws(ExportError) {
        try reading { () throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                try connection.run("DELETE FROM record WHERE part = ?", .integer(part))
                try connection.run("UPDATE part SET token = NULL WHERE id = ?", .integer(part))
            }
        }
    }

    /// Takes in a page as a whole, with the token behind it.
    ///
    /// - Parameter token: nil: the part has none.
    func take(
        _ items: [ExportItem], without gone: [String], token: String?, into part: Int64
    ) throws(ExportError) {
        try reading { () throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                for name in gone { try remove(name, from: part) }
                for item in items { try put(item, into: part) }
                if let token {
                    try connection.run(
                        "UPDATE part SET token = ? WHERE id = ?", .text(token), .integer(part))
                }
            }
        }
    }

    private func remove(_ name: String, from part: Int64) throws(SQLiteError) {
        for table in ["record", "asset"] {
            try connection.run(
                "DELETE FROM \(table) WHERE part = ? AND name = ?", .integer(part), .text(name))
        }
    }

    private func put(_ item: ExportItem, into part: Int64) throws(SQLiteError) {
        try remove(item.name, from: part)
        try connection.run(
            "INSERT INTO record(part, name, type, line, attempt) VALUES (?, ?, ?, ?, ?)",
            .integer(part), .text(item.name), .text(item.type), .blob(item.line),
            .integer(attempt))
        for (slot, asset) in item.assets {
            try note(asset.stored, as: asset.checksum, at: slot, of: item.name, in: part)
        }
    }

    /// Notes an asset that is in the folder, before its record is: an attempt that is cut off there
    /// need not fetch it again.
    func note(
        _ asset: StoredAsset, as checksum: String, at slot: AssetSlot, of record: String,
        in part: Int64
    ) throws(SQLiteError) {
        try connection.run(
            "INSERT OR REPLACE INTO asset VALUES (?, ?, ?, ?, ?, ?, ?, ?)", .integer(part),
            .text(record), .text(slot.field), .integer(Int64(slot.position)), .text(checksum),
            .integer(asset.bytes), .text(asset.sha256), .integer(asset.isConfirmed ? 1 : 0))
    }

    /// The same, by itself.
    func keep(
        _ asset: StoredAsset, as checksum: String, at slot: AssetSlot, of record: String,
        in part: Int64
    ) throws(ExportError) {
        try reading { () throws(SQLiteError) in
            try note(asset, as: checksum, at: slot, of: record, in: part)
        }
    }

    /// An asset that was fetched before, when the record still says the same of it.
    func stored(
        _ asset: Asset, at slot: AssetSlot, of record: String, in part: Int64
    ) throws(ExportError) -> StoredAsset? {
        try reading { () throws(SQLiteError) in
            let select = try connection.prepare(
                """
                SELECT sha256, confirmed FROM asset WHERE part = ? AND name = ? AND field = ?
                AND position = ? AND checksum = ? AND bytes = ?
                """)
            defer { select.reset() }
            select.bind(1, part)
            select.bind(2, record)
            select.bind(3, slot.field)
            select.bind(4, slot.position)
            select.bind(5, asset.fileChecksum)
            select.bind(6, asset.size)
            guard try select.step() else { return nil }
            return StoredAsset(
                bytes: asset.size, sha256: select.text(at: 0), isConfirmed: select.bool(at: 1))
        }
    }

    /// Forgets assets that earlier attempts have fetched and whose files are lost. Parts with records
    /// that have them are read from the beginning again: their feeds would not tell of these.
    func forgetAssets(
        where isLost: (_ sha256: String) throws(ExportError) -> Bool
    ) throws(ExportError) {
        var lost: [String] = []
        try eachAsset { (sha256, _) throws(ExportError) in
            if try isLost(sha256) { lost.append(sha256) }
        }
        try reading { () throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                let parts = "(SELECT part FROM asset WHERE sha256 = ?)"
                for sha256 in lost {
                    try connection.run(
                        "DELETE FROM record WHERE part IN \(parts)", .text(sha256))
                    try connection.run(
                        "UPDATE part SET token = NULL WHERE id IN \(parts)", .text(sha256))
                    try connection.run("DELETE FROM asset WHERE sha256 = ?", .text(sha256))
                }
            }
        }
    }

    // MARK: Writing down

    /// Forgets what this attempt has not seen: zones that are gone, and records reached by name.
    func forgetUnseen() throws(ExportError) {
        try reading { () throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                let now = Value.integer(attempt)
                try connection.run("DELETE FROM part WHERE attempt <> ?", now)
                try connection.run(
                    """
                    DELETE FROM record WHERE part NOT IN (SELECT id FROM part) OR (attempt <> ?
                    AND part IN (SELECT id FROM part WHERE kind <> 'zone'))
                    """, now)
                try connection.execute(
                    """
                    DELETE FROM asset WHERE NOT EXISTS (SELECT 1 FROM record
                    WHERE record.part = asset.part AND record.name = asset.name)
                    """)
            }
        }
    }

    /// Calls `body` with every part, in order.
    func eachPart(
        _ body: (Int64, ExportPart) throws(ExportError) -> Void
    ) throws(ExportError) {
        var last: Int64 = 0
        while true {
            let rows = try reading { () throws(SQLiteError) in
                try connection.rows(
                    """
                    SELECT id, container, scope, kind, zone, owner FROM part
                    WHERE id > ? ORDER BY id LIMIT 100
                    """, .integer(last))
            }
            guard !rows.isEmpty else { return }
            for row in rows {
                guard case .integer(let id) = row[0], let part = ExportPart(row.dropFirst()) else {
                    throw ExportError(.damaged, "\(ExportPath.state) holds what nobody wrote")
                }
                try body(id, part)
                last = id
            }
        }
    }

    /// Calls `body` with the line of every record of a part, sorted by name as bytes.
    func eachLine(
        of part: Int64, _ body: ([UInt8], _ type: String) throws(ExportError) -> Void
    ) throws(ExportError) {
        let select = try reading { () throws(SQLiteError) in
            try connection.prepare("SELECT line, type FROM record WHERE part = ? ORDER BY name")
        }
        defer { select.reset() }
        select.bind(1, part)
        while try reading({ () throws(SQLiteError) in try select.step() }) {
            try body(select.bytes(at: 0), select.text(at: 1))
        }
    }

    /// Calls `body` with every file of an asset once, sorted.
    func eachAsset(
        _ body: (_ sha256: String, _ bytes: Int64) throws(ExportError) -> Void
    ) throws(ExportError) {
        let select = try reading { () throws(SQLiteError) in
            try connection.prepare("SELECT DISTINCT sha256, bytes FROM asset ORDER BY sha256")
        }
        defer { select.reset() }
        while try reading({ () throws(SQLiteError) in try select.step() }) {
            try body(select.text(at: 0), select.int64(at: 1))
        }
    }

    /// Whether a record has an asset in this file.
    func isNeeded(asset sha256: String) throws(ExportError) -> Bool {
        try reading { () throws(SQLiteError) in
            try !connection.rows(
                "SELECT 1 FROM asset WHERE sha256 = ? LIMIT 1", .text(sha256)
            ).isEmpty
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

extension ExportPart {
    /// Reads a row of the table.
    fileprivate init?(_ row: ArraySlice<Value>) {
        let texts = row.compactMap { value -> String? in
            if case .text(let text) = value { text } else { nil }
        }
        guard texts.count == 5, let container = Container.ID(texts[0]),
            let scope = Database.Scope(rawValue: texts[1]), let kind = Kind(rawValue: texts[2])
        else { return nil }
        self.init(kind, in: container, scope, zone: texts[3], owner: texts[4])
    }
}
