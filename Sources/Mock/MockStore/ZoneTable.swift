package import CloudModel
import SQLite

/// A zone's row: a live zone, or the tombstone of a deleted one.
package struct ZoneRow: Hashable {
    static let defaultName = "_defaultZone"

    let name: String
    package var isLive: Bool
    /// Where the database's feed tells of its last change.
    package var dbSeq: Int64
    /// Larger than that of any zone before; the records are kept under it.
    var incarnation: Int64
    /// The newest place in the zone's feed.
    package var seq: Int64
    /// The oldest place whose token is still served.
    var floor: Int64
    /// Why it is gone, once it is.
    package var deletion = RecordZone.DeletionReason.deleted
    /// How the session that asks reaches it.
    var access = ZoneAccess.owner
    /// What tokens of its feed are tied to.
    var feed: Int64 { access.view?.number ?? incarnation }

    var isDefault: Bool { name == Self.defaultName }

    /// A live zone that holds nothing.
    init(_ name: String, dbSeq: Int64 = 0, incarnation: Int64 = 0) {
        self.name = name
        isLive = true
        self.dbSeq = dbSeq
        self.incarnation = incarnation
        seq = 0
        floor = 0
    }

    fileprivate init(_ row: Statement) {
        name = row.text(at: 0)
        isLive = row.bool(at: 1)
        dbSeq = row.int64(at: 2)
        incarnation = row.int64(at: 3)
        seq = row.int64(at: 4)
        floor = row.int64(at: 5)
        deletion = RecordZone.DeletionReason(stored: row.int64(at: 6))
    }
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

/// The rows of zones.
struct ZoneTable {
    /// A zone's place among all zones: by database, the deleted before the live, by their last change.
    ///
    /// One number, which SQLite compares several times faster than three columns.
    static let place = "(db << 41) + (live << 40) + db_seq"

    private static func place(_ db: Int64, isLive: Bool, _ seq: Int64) -> Int64 {
        (db << 41) + (isLive ? 1 << 40 : 0) + seq
    }

    /// Whether something may be kept under a zone: records, or uploads for those to come.
    static let mayHoldRows =
        "(seq > 0 OR EXISTS (SELECT 1 FROM uploads WHERE uploads.zone = incarnation))"

    /// Zones looked at in one step, where all are to be.
    private static let stepRows = 200

    private static let columns = "name, live, db_seq, incarnation, seq, floor, purged"

    let tables: StoreTables

    /// The statements of creating and deleting a zone, compiled once and kept at hand.
    struct Statements {
        let create: Statement
        let deleteEmpty: Statement
        let live: Statement
        let delete: Statement

        init(_ connection: Connection) throws(SQLiteError) {
            create = try connection.compile(
                "INSERT OR IGNORE INTO zones (db, \(ZoneTable.columns)) "
                    + "VALUES (?, ?, 1, ?, ?, 0, 0, 0)")
            live = try connection.compile(
                "SELECT incarnation, \(mayHoldRows) FROM zones "
                    + "WHERE db = ? AND name = ? AND live = 1")
            let update =
                "UPDATE zones SET live = 0, db_seq = ?, purged = ? WHERE db = ? AND name = ?"
            delete = try connection.compile(update)
            deleteEmpty = try connection.compile(
                update + " AND live = 1 AND NOT \(mayHoldRows)")
        }
    }

    // MARK: - One zone

    /// The zone of this name, live or deleted.
    func find(_ name: String, in db: Int64) throws(CloudError) -> ZoneRow? {
        try tables.rows(
            "SELECT \(Self.columns) FROM zones WHERE db = ? AND name = ?", db, name,
            read: ZoneRow.init
        ).first
    }

    /// The zone of this name unless it is deleted.
    func live(_ name: String, in db: Int64) throws(CloudError) -> ZoneRow? {
        guard let row = try find(name, in: db), row.isLive else { return nil }
        return row
    }

    /// Writes a zone's row, whether or not there is one.
    func put(_ zone: ZoneRow, in db: Int64) throws(CloudError) {
        try tables.run(
            "INSERT OR REPLACE INTO zones (db, \(Self.columns)) VALUES (?,?,?,?,?,?,?,?)", db,
            zone.name, zone.isLive, zone.dbSeq, zone.incarnation, zone.seq, zone.floor,
            zone.deletion.stored)
    }

    /// Deletes a zone's row, so that nothing tells of the zone.
    func forget(_ name: String, in db: Int64) throws(CloudError) {
        try tables.run("DELETE FROM zones WHERE db = ? AND name = ?", db, name)
    }

    /// Writes the row of a new zone unless there is one of its name; says whether it did.
    func create(
        _ name: String, in db: Int64, dbSeq: Int64, incarnation: Int64
    ) throws(CloudError) -> Bool {
        try tables.guarded { () throws(SQLiteError) in
            let statement = tables.zoneStatements.create
            statement.bind(1, db)
            statement.bind(2, name)
            statement.bind(3, dbSeq)
            statement.bind(4, incarnation)
            try statement.run()
            return tables.connection.changes > 0
        }
    }

    /// Turns a live zone under which nothing can be kept into a tombstone; says whether there was such a
    /// zone.
    func deleteEmpty(_ name: String, in db: Int64, dbSeq: Int64) throws(CloudError) -> Bool {
        try tables.guarded { () throws(SQLiteError) in
            try runDeletion(tables.zoneStatements.deleteEmpty, name, db, dbSeq, .deleted)
            return tables.connection.changes > 0
        }
    }

    /// Turns a live zone into a tombstone.
    ///
    /// - Returns: What it held its records under and whether anything can be kept there; nil when there
    ///   is no live zone of this name.
    func delete(
        _ name: String, in db: Int64, dbSeq: Int64, reason: RecordZone.DeletionReason = .deleted
    ) throws(CloudError) -> (incarnation: Int64, mayHoldRows: Bool)? {
        try tables.guarded { () throws(SQLiteError) in
            // Two statements: RETURNING, with a table of its own, takes longer than both.
            let select = tables.zoneStatements.live
            select.bind(1, db)
            select.bind(2, name)
            defer { select.reset() }
            guard try select.step() else { return nil }
            let found = (select.int64(at: 0), select.bool(at: 1))
            select.reset()
            try runDeletion(tables.zoneStatements.delete, name, db, dbSeq, reason)
            return found
        }
    }

    private func runDeletion(
        _ statement: Statement, _ name: String, _ db: Int64, _ dbSeq: Int64,
        _ reason: RecordZone.DeletionReason
    ) throws(SQLiteError) {
        statement.bind(1, dbSeq)
        statement.bind(2, reason.stored)
        statement.bind(3, db)
        statement.bind(4, name)
        try statement.run()
    }

    // MARK: - The zones of a database

    /// Live custom zones in the order of their last change.
    func live(in db: Int64, after seq: Int64, limit: Int) throws(CloudError) -> [ZoneRow] {
        try tables.rows(Self.changes(live: 1), db, seq, limit, read: ZoneRow.init)
    }

    /// Custom zones, live and deleted, in the order of their last change.
    func changed(in db: Int64, after seq: Int64, limit: Int) throws(CloudError) -> [ZoneRow] {
        // Two ranges of one index, merged: SQLite reads no row that cannot be wanted.
        try tables.rows(
            "SELECT * FROM (\(Self.changes(live: 0))) UNION ALL"
                + " SELECT * FROM (\(Self.changes(live: 1))) ORDER BY db_seq LIMIT ?3",
            db, seq, limit, read: ZoneRow.init)
    }

    /// The first ?3 zones of the database ?1, live or deleted, that changed after ?2.
    private static func changes(live: Int) -> String {
        """
        SELECT \(columns) FROM zones
        WHERE \(place) > (?1 << 41) + (\(live) << 40) + ?2
            AND \(place) < (?1 << 41) + (\(live + 1) << 40)
        ORDER BY \(place) LIMIT ?3
        """
    }

    /// Every live zone of a database by its name, the default zone among them.
    func every(in db: Int64) throws(CloudError) -> [ZoneRow] {
        try tables.rows(
            """
            SELECT \(Self.columns) FROM zones
            WHERE \(Self.place) BETWEEN (?1 << 41) + (1 << 40) AND (?1 << 41) + (2 << 40) - 1
            ORDER BY name
            """, db, read: ZoneRow.init)
    }

    /// Live zones by their name, the default zone among them.
    func live(
        in db: Int64, afterName name: String, limit: Int
    ) throws(CloudError) -> [ZoneRow] {
        try tables.rows(
            """
            SELECT \(Self.columns) FROM zones WHERE name > ? AND db = ? AND live = 1
            ORDER BY name LIMIT ?
            """, name, db, limit, read: ZoneRow.init)
    }

    /// The next zones of a walk.
    func next(
        of walk: inout ZoneWalk, in db: Int64, limit: Int
    ) throws(CloudError) -> [ZoneRow] {
        let rows = try tables.rows(
            Self.changes(live: walk.isLive ? 1 : 0), db, walk.place, limit, read: ZoneRow.init)
        walk.advance(past: rows, limit: limit)
        return rows.filter(walk.covers)
    }

    /// Forgets the next zones of a walk, and schedules what they hold for removal.
    ///
    /// - Returns: The live ones among them.
    func forgetSome(
        of walk: inout ZoneWalk, in db: Int64
    ) throws(CloudError) -> [ZoneRow] {
        let isLive = walk.isLive
        let rows = try next(of: &walk, in: db, limit: Self.stepRows)
        guard let first = rows.first, let last = rows.last else { return [] }
        let range = "\(Self.place) BETWEEN ? AND ? AND incarnation <= ?"
        let start = Self.place(db, isLive: isLive, first.dbSeq)
        let end = Self.place(db, isLive: isLive, last.dbSeq)
        if isLive {
            try tables.run(
                """
                INSERT OR IGNORE INTO doomed
                SELECT incarnation FROM zones WHERE \(range) AND \(Self.mayHoldRows)
                """, start, end, walk.lastIncarnation)
        }
        try tables.run("DELETE FROM zones WHERE \(range)", start, end, walk.lastIncarnation)
        return isLive ? rows : []
    }

    /// Forgets some of the zones that apps have deleted, after a place of the database's feed and up to another.
    ///
    /// - Returns: The place of the last one that was looked at, and whether any was forgotten; nil when there
    ///   are no more.
    func forgetDeleted(
        in db: Int64, after place: Int64, upTo end: Int64
    ) throws(CloudError) -> (place: Int64, isAny: Bool)? {
        let first = Self.place(db, isLive: false, place + 1)
        guard let last = try stepEnd(first, Self.place(db, isLive: false, end)) else { return nil }
        try tables.run(
            "DELETE FROM zones WHERE \(Self.place) BETWEEN ? AND ? AND purged = 0", first, last)
        return (last - Self.place(db, isLive: false, 0), tables.connection.changes > 0)
    }

    /// Where the first zones of a range of places end that are looked at in one step; nil when there are none.
    private func stepEnd(_ first: Int64, _ last: Int64) throws(CloudError) -> Int64? {
        try tables.number(
            """
            SELECT max(place) FROM (
                SELECT \(Self.place) AS place FROM zones WHERE \(Self.place) BETWEEN ? AND ?
                ORDER BY \(Self.place) LIMIT \(Self.stepRows))
            """, first, last)
    }

    /// Makes the tokens of a zone that have not seen all of it too old.
    func raiseFloor(of zone: ZoneRow, in db: Int64) throws(CloudError) {
        try tables.run(
            "UPDATE zones SET floor = seq WHERE db = ? AND name = ? AND incarnation = ?", db,
            zone.name, zone.incarnation)
    }

    /// Makes all tokens of a zone too old.
    func expireTokens(of zone: ZoneRow, in db: Int64) throws(CloudError) {
        // One place that no change has: the token of who has seen all is old too.
        try tables.run(
            """
            UPDATE zones SET seq = seq + 1, floor = seq + 1
            WHERE db = ? AND name = ? AND incarnation = ?
            """, db, zone.name, zone.incarnation)
    }
}
