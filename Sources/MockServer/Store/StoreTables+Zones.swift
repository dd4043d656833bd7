import CloudModel
import SQLite

/// A zone's row: a live zone, or what is left of a deleted one.
struct ZoneRow: Hashable {
    let name: String
    var isLive: Bool
    /// Where the database's feed tells of its last change.
    var dbSeq: Int64
    /// Larger than that of any zone before; the records are kept under it.
    var incarnation: Int64
    /// The newest place in the zone's feed.
    var seq: Int64
    /// The oldest place whose token is still served.
    var floor: Int64
    /// Why it is gone, once it is.
    var deletion = RecordZone.DeletionReason.deleted
    /// In a shared database, the number of the share that brought it: tokens are tied to that.
    var share: Int64?
}

extension RecordZone.DeletionReason {
    /// The number in the tables.
    fileprivate var stored: Int64 {
        switch self {
        case .deleted: 0
        case .purged: 1
        case .encryptedDataReset: 2
        }
    }

    fileprivate init(stored: Int64) {
        self = stored == 0 ? .deleted : stored == 1 ? .purged : .encryptedDataReset
    }
}

extension StoreTables {
    /// A zone's place among all zones: by database, the gone before the live, by their last change.
    ///
    /// One number, which SQLite compares several times faster than three columns.
    static let zonePlace = "(db << 41) + (live << 40) + db_seq"
    /// Whether a zone is one of the database ?1.
    static let isZone = isZone(from: 0, to: 2)
    static let isGoneZone = isZone(from: 0, to: 1)
    static let isLiveZone = isZone(from: 1, to: 2)

    private static func isZone(from start: Int, to end: Int) -> String {
        let base = "(?1 << 41)"
        return "\(zonePlace) BETWEEN \(base) + (\(start) << 40) AND \(base) + (\(end) << 40) - 1"
    }

    private static let columns = "name, live, db_seq, incarnation, seq, floor, purged"
    private static let zoneByName = "SELECT \(columns) FROM zones WHERE db = ? AND name = ?"

    /// The statements of creating and deleting a zone, compiled once and kept at hand.
    struct ZoneStatements {
        let create: Statement
        let markEmptyDeleted: Statement
        let live: Statement
        let markDeleted: Statement

        init(_ connection: Connection) throws(SQLiteError) {
            create = try connection.compile(
                "INSERT OR IGNORE INTO zones (db, \(StoreTables.columns)) "
                    + "VALUES (?, ?, 1, ?, ?, 0, 0, 0)")
            live = try connection.compile(
                "SELECT incarnation, seq FROM zones WHERE db = ? AND name = ? AND live = 1")
            let update =
                "UPDATE zones SET live = 0, db_seq = ?, purged = ? WHERE db = ? AND name = ?"
            markDeleted = try connection.compile(update)
            markEmptyDeleted = try connection.compile(update + " AND live = 1 AND seq = 0")
        }
    }

    private func zoneRow(_ statement: Statement) -> ZoneRow {
        ZoneRow(
            name: statement.text(at: 0), isLive: statement.bool(at: 1),
            dbSeq: statement.int64(at: 2), incarnation: statement.int64(at: 3),
            seq: statement.int64(at: 4), floor: statement.int64(at: 5),
            deletion: RecordZone.DeletionReason(stored: statement.int64(at: 6)))
    }

    /// The zone of this name, live or gone.
    func zone(_ name: String, in db: Int64) throws(CloudError) -> ZoneRow? {
        try guarded { () throws(SQLiteError) in
            let statement = try connection.prepare(Self.zoneByName)
            statement.bind(1, db)
            statement.bind(2, name)
            defer { statement.reset() }
            return try statement.step() ? zoneRow(statement) : nil
        }
    }

    /// Writes a zone's row, whether or not there is one.
    func put(_ zone: ZoneRow, in db: Int64) throws(CloudError) {
        try guarded { () throws(SQLiteError) in
            let statement = try connection.prepare(
                "INSERT OR REPLACE INTO zones (db, \(Self.columns)) VALUES (?,?,?,?,?,?,?,?)")
            statement.bind(1, db)
            statement.bind(2, zone.name)
            statement.bind(3, zone.isLive)
            statement.bind(4, zone.dbSeq)
            statement.bind(5, zone.incarnation)
            statement.bind(6, zone.seq)
            statement.bind(7, zone.floor)
            statement.bind(8, zone.deletion.stored)
            try statement.run()
        }
    }

    /// Writes the row of a new zone unless there is one of its name; says whether it did.
    func create(
        _ name: String, in db: Int64, dbSeq: Int64, incarnation: Int64
    ) throws(CloudError) -> Bool {
        try guarded { () throws(SQLiteError) in
            let statement = zoneStatements.create
            statement.bind(1, db)
            statement.bind(2, name)
            statement.bind(3, dbSeq)
            statement.bind(4, incarnation)
            try statement.run()
            return connection.changes > 0
        }
    }

    /// Turns a live zone that was never written to into what is left of one; says whether there
    /// was such a zone.
    func markEmptyDeleted(
        _ name: String, in db: Int64, dbSeq: Int64, reason: RecordZone.DeletionReason
    ) throws(CloudError) -> Bool {
        try guarded { () throws(SQLiteError) in
            try markDeleted(
                zoneStatements.markEmptyDeleted, name, in: db, dbSeq: dbSeq, reason: reason)
            return connection.changes > 0
        }
    }

    /// Turns a live zone into what is left of one.
    ///
    /// - Returns: What it held its records under and whether there can be any; nil when there
    ///   is no live zone of this name.
    func markDeleted(
        _ name: String, in db: Int64, dbSeq: Int64, reason: RecordZone.DeletionReason
    ) throws(CloudError) -> (incarnation: Int64, mayHoldRecords: Bool)? {
        try guarded { () throws(SQLiteError) in
            // Two statements: RETURNING, with a table of its own, takes longer than both.
            let select = zoneStatements.live
            select.bind(1, db)
            select.bind(2, name)
            defer { select.reset() }
            guard try select.step() else { return nil }
            let found = (select.int64(at: 0), select.int64(at: 1) > 0)
            select.reset()
            try markDeleted(zoneStatements.markDeleted, name, in: db, dbSeq: dbSeq, reason: reason)
            return found
        }
    }

    private func markDeleted(
        _ statement: Statement, _ name: String, in db: Int64, dbSeq: Int64,
        reason: RecordZone.DeletionReason
    ) throws(SQLiteError) {
        statement.bind(1, dbSeq)
        statement.bind(2, reason.stored)
        statement.bind(3, db)
        statement.bind(4, name)
        try statement.run()
    }

    /// Notes that the records of a deleted zone can be removed.
    func scheduleRemoval(of incarnation: Int64) throws(CloudError) {
        try guarded { () throws(SQLiteError) in
            let statement = try connection.prepare("INSERT OR IGNORE INTO doomed VALUES (?)")
            statement.bind(1, incarnation)
            try statement.run()
        }
    }

    /// Live custom zones in the order of their last change.
    func liveZones(
        in db: Int64, after seq: Int64, limit: Int
    ) throws(CloudError) -> [ZoneRow] {
        try zones(Self.changes(live: 1), db, seq, limit)
    }

    /// Custom zones, live and gone, in the order of their last change.
    func changedZones(
        in db: Int64, after seq: Int64, limit: Int
    ) throws(CloudError) -> [ZoneRow] {
        // Two ranges of one index, merged: SQLite reads no row that cannot be wanted.
        try zones(
            "SELECT * FROM (\(Self.changes(live: 0))) UNION ALL"
                + " SELECT * FROM (\(Self.changes(live: 1))) ORDER BY db_seq LIMIT ?3",
            db, seq, limit)
    }

    /// The first ?3 zones of the database ?1, live or gone, that changed after ?2.
    private static func changes(live: Int) -> String {
        """
        SELECT \(columns) FROM zones
        WHERE \(zonePlace) > (?1 << 41) + (\(live) << 40) + ?2
            AND \(zonePlace) < (?1 << 41) + (\(live + 1) << 40)
        ORDER BY \(zonePlace) LIMIT ?3
        """
    }

    /// Every live zone of a database by its name, the default zone among them.
    func everyZone(in db: Int64) throws(CloudError) -> [ZoneRow] {
        try guarded { () throws(SQLiteError) in
            let statement = try connection.prepare(
                "SELECT \(Self.columns) FROM zones WHERE \(Self.isLiveZone) ORDER BY name")
            statement.bind(1, db)
            var rows: [ZoneRow] = []
            while try statement.step() { rows.append(zoneRow(statement)) }
            return rows
        }
    }

    /// Live zones by their name, the default zone among them.
    func liveZones(
        in db: Int64, afterName name: String, limit: Int
    ) throws(CloudError) -> [ZoneRow] {
        try guarded { () throws(SQLiteError) in
            let statement = try connection.prepare(
                """
                SELECT \(Self.columns) FROM zones WHERE name > ? AND db = ? AND live = 1
                ORDER BY name LIMIT ?
                """)
            statement.bind(1, name)
            statement.bind(2, db)
            statement.bind(3, limit)
            var rows: [ZoneRow] = []
            while try statement.step() { rows.append(zoneRow(statement)) }
            return rows
        }
    }

    private func zones(
        _ sql: String, _ db: Int64, _ seq: Int64, _ limit: Int
    ) throws(CloudError) -> [ZoneRow] {
        try guarded { () throws(SQLiteError) in
            let statement = try connection.prepare(sql)
            statement.bind(1, db)
            statement.bind(2, seq)
            statement.bind(3, limit)
            var rows: [ZoneRow] = []
            while try statement.step() { rows.append(zoneRow(statement)) }
            return rows
        }
    }
}
