import Basics
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
    }

    /// Begins the history of a store that was restored from a snapshot file. The server that wrote the file has its own.
    ///
    /// - Parameters:
    ///   - epoch: The history that the file was written in.
    ///   - known: The numbers that the store's own tokens may have. Both may have given the same ones, so none stays valid;
    ///     nil if the store gave none: then tokens from before the file was written do.
    func begin(
        afterFile epoch: UInt32, besides known: Set<Int64>?, _ generator: inout SeededGenerator
    ) throws(CloudError) {
        let taken = try numbers().union(known ?? [])
        var base: UInt32
        repeat { base = Self.base(generator.next()) } while taken.contains(Int64(base) + 1)
        guard known != nil else { return try begin(after: epoch, now: base) }
        try tables.setMeta("epoch", Int64(base) + 1)
    }

    /// Numbers of histories that may be in tokens.
    func numbers() throws(CloudError) -> Set<Int64> {
        Set(
            try tables.rows(
                "SELECT epoch FROM epochs UNION SELECT value FROM meta WHERE key = 'epoch'"
            ) { $0.int64(at: 0) })
    }

    /// A number far from those of others, which count from 0 on.
    static func base(_ number: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: number) & ~0xFFF | 0x8000_0000
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
