import CloudModel
import SQLite

/// The rows of deleted zones whose records are still to be removed.
struct RemovalTable {
    /// Rows of each table that are removed in one step.
    private static let stepRows = 100

    let tables: StoreTables

    /// Notes that the records of a deleted zone can be removed.
    func schedule(_ incarnation: Int64) throws(CloudError) {
        try tables.run("INSERT OR IGNORE INTO doomed VALUES (?)", incarnation)
    }

    /// Whether a zone is deleted whose records are still there.
    func isScheduled(_ incarnation: Int64) throws(CloudError) -> Bool {
        try tables.number("SELECT 1 FROM doomed WHERE incarnation = ?", incarnation) != nil
    }

    /// The first deleted zone after one whose records are still there.
    func next(after incarnation: Int64) throws(CloudError) -> Int64? {
        try tables.number(
            "SELECT incarnation FROM doomed WHERE incarnation > ? ORDER BY incarnation LIMIT 1",
            incarnation)
    }

    /// Removes some of what a deleted zone held, and at last the note that there is something.
    func removeSome(of incarnation: Int64) throws(CloudError) {
        var removed = 0
        for (table, zone, key) in [
            ("records", "zone", "seq"), ("names", "zone", "name"), ("links", "zone", "target"),
            ("short_guids", "zone", "name"), ("hierarchy_places", "feed", "seq"),
            ("asset_links", "zone", "record"), ("uploads", "zone", "id"),
        ] {
            try tables.run(
                """
                DELETE FROM \(table) WHERE \(zone) = ?1 AND \(key) IN
                    (SELECT \(key) FROM \(table) WHERE \(zone) = ?1
                     ORDER BY \(key) LIMIT \(Self.stepRows))
                """, incarnation)
            removed += tables.connection.changes
        }
        if removed == 0 {
            try tables.run("DELETE FROM doomed WHERE incarnation = ?", incarnation)
        }
    }
}

/// Removes what deleted zones held, some at a time.
package final class Removal {
    private let context: StoreContext
    private let assets: Assets
    /// The newest zone whose records were looked at.
    private var reached: Int64 = 0

    init(_ context: StoreContext, _ assets: Assets) {
        self.context = context
        self.assets = assets
    }

    /// Removes some rows.
    ///
    /// - Returns: Whether there is more to do.
    func removeSome() throws(CloudError) -> Bool {
        guard let incarnation = try context.tables.removals.next(after: reached) else {
            reached = 0
            return false
        }
        let isRead = context.lags.zones.holds(
            incarnation, now: context.clock.now, context.options)
        if isRead {
            reached = incarnation
        } else {
            try context.tables.beginIfNeeded()
            try context.tables.removals.removeSome(of: incarnation)
            assets.mayHaveGarbage = true
        }
        return true
    }
}
