import CloudModel
import SQLite

/// The rows of histories, and of where each feed was when a history left another.
struct HistoryTables {
    /// Tokens of older histories expire.
    private static let kept: Int64 = 1_000

    let tables: StoreTables

    /// Begins a history that leaves the one of `parent` where each feed is now.
    ///
    /// - Parameter now: Its number is the first after this one that none has.
    func begin(after parent: UInt32, now: UInt32) throws(CloudError) {
        var next = Int64(now) + 1
        while try tables.number("SELECT 1 FROM epochs WHERE epoch = ?", next) != nil { next += 1 }
        try tables.run("INSERT INTO epochs VALUES (?, ?)", next, Int64(parent))
        try tables.run(
            """
            INSERT OR REPLACE INTO branches
            SELECT ?1, incarnation, seq FROM zones WHERE live = 1 AND seq > 0
            """, next)
        try tables.run(
            """
            INSERT OR REPLACE INTO branches
            SELECT ?1, shares.id, zones.seq FROM shares
            JOIN databases ON databases.scope = 'private' AND databases.user = shares.owner
                AND databases.container = shares.container
                AND databases.environment = shares.environment
            JOIN zones ON zones.db = databases.id AND zones.name = shares.zone
            """, next)
        try tables.run(
            "INSERT OR REPLACE INTO branches SELECT ?1, -id, seq FROM databases", next)
        for table in ["branches", "epochs"] {
            // One more each time, so that the others are gone; those that a fork began with stay.
            try tables.run("DELETE FROM \(table) WHERE epoch = ?", next - Self.kept)
        }
        try tables.setMeta("epoch", next)
        try markTouched()
    }

    /// Whether a history has left another one that is known.
    func hasParent(_ epoch: UInt32) throws(CloudError) -> Bool {
        try tables.number("SELECT 1 FROM epochs WHERE epoch = ?", Int64(epoch)) != nil
    }

    // MARK: - After an import

    private static let untouched = "untouched"

    /// The history of the archive that was imported, if nothing was changed since.
    func untouched() throws(CloudError) -> UInt32? {
        try tables.meta(Self.untouched).map { UInt32(truncatingIfNeeded: $0) }
    }

    func markUntouched(_ epoch: UInt32) throws(CloudError) {
        try tables.setMeta(Self.untouched, Int64(epoch))
    }

    func markTouched() throws(CloudError) {
        try tables.run("DELETE FROM meta WHERE key = ?", Self.untouched)
    }

    /// The history that another one left, and where a feed was then.
    ///
    /// - Parameter place: A zone's incarnation, a share's number, or a database's ID negated.
    func parent(of epoch: Int64, at place: Int64) throws(CloudError) -> (epoch: Int64, seq: Int64)?
    {
        try tables.rows(
            """
            SELECT parent, seq FROM epochs
            LEFT JOIN branches ON branches.epoch = epochs.epoch AND place = ?2
            WHERE epochs.epoch = ?1
            """, epoch, place
        ) { ($0.int64(at: 0), $0.int64(at: 1)) }.first
    }

    /// The counters of all databases.
    func counters() throws(CloudError) -> [[Value]] {
        try tables.values("SELECT * FROM databases")
    }

    /// Sees to it that no tag is given twice, not even in a database that was not there.
    func keepTags(of rows: [[Value]]) throws(CloudError) {
        for row in rows {
            guard row.count == 8 else { throw tables.damaged() }
            try tables.run("UPDATE databases SET tag = max(tag, ?) WHERE id = ?", row[7], row[0])
            guard tables.connection.changes == 0 else { continue }
            // Empty, and no token of before is good: all of them stand before its floor.
            try tables.run(
                "INSERT INTO databases VALUES (?, ?, ?, ?, ?, ?6 + 1, ?6 + 1, ?7)", row[0], row[1],
                row[2], row[3], row[4], row[5], row[7])
        }
    }
}
