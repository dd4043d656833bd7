import CloudModel
import SQLite

/// What rows were before they changed, for as long as there are snapshots: taking a snapshot begins a
/// generation, and restoring it puts back the rows that have changed since.
///
/// The log lies in temporary tables that triggers fill. So it takes part in the store's transactions,
/// is kept in memory only, and is gone with the process.
struct ChangeLog {
    /// The tables that a snapshot holds, in the order in which they are put back.
    ///
    /// `doomed` is the first: what is under a deleted zone is neither logged nor put back.
    private static let logged = [
        "doomed", "databases", "zones", "records", "names", "links", "cascades", "subscriptions",
        "fields", "shares", "share_records", "participations", "hierarchy_places", "short_guids",
        "asset_links",
    ]
    /// Where a column says which zone a row is of, which may be newer than a snapshot.
    private static let zoneColumns = [
        "doomed": "incarnation", "records": "zone", "names": "zone", "links": "zone",
        "asset_links": "zone",
        "hierarchy_places": "feed", "short_guids": "zone",
    ]
    /// A column that rows of the log are looked for by, besides their key.
    private static let lookedForBy = ["asset_links": "digest"]
    /// Rows looked at in a step.
    private static let stepRows = 1000

    let tables: StoreTables

    // MARK: - Taking a snapshot

    /// Begins a generation in the open transaction: the first change of each row is logged from now on.
    ///
    /// - Returns: Its number.
    func beginGeneration() throws(CloudError) -> Int64 {
        try tables.guarded { () throws(SQLiteError) in
            let connection = tables.connection
            try connection.execute("CREATE TEMP TABLE IF NOT EXISTS generation (number INTEGER)")
            if try connection.rows("SELECT number FROM generation").isEmpty {
                try connection.execute("INSERT INTO generation VALUES (0)")
                for name in Self.logged { try connection.execute(try table(name).creation) }
            }
            try connection.execute("UPDATE generation SET number = number + 1")
            return try connection.rows("SELECT number FROM generation").first?.first?.int64 ?? 0
        }
    }

    /// Removes the log in the open transaction.
    func end() throws(CloudError) {
        try tables.guarded { () throws(SQLiteError) in
            for name in Self.logged {
                for event in ["insert", "update", "delete"] {
                    try tables.connection.execute(
                        "DROP TRIGGER IF EXISTS temp.before_\(name)_\(event)")
                }
                try tables.connection.execute("DROP TABLE IF EXISTS temp.before_\(name)")
            }
            try tables.connection.execute("DROP TABLE IF EXISTS temp.generation")
        }
    }

    private func table(_ name: String) throws(SQLiteError) -> Table {
        let rows = try tables.connection.rows("PRAGMA table_info(\(name))")
        let columns = rows.compactMap { row in row[1].string }
        let keys = rows.filter { $0[5].int64 != 0 }.compactMap { row in row[1].string }
        return Table(
            name: name, columns: columns, keys: keys, zone: Self.zoneColumns[name],
            lookedForBy: Self.lookedForBy[name])
    }

    /// One table and its log.
    struct Table {
        let name: String
        let columns: [String]
        let keys: [String]
        let zone: String?
        let lookedForBy: String?

        private var log: String { "before_\(name)" }
        private var isCurrent: String { "log_generation = (SELECT number FROM generation)" }

        /// Whether the columns of the key are equal in two rows.
        private func sameKey(_ left: String, _ right: String) -> String {
            keys.map { "\(left).\($0) = \(right).\($0)" }.joined(separator: " AND ")
        }

        /// The log, and the triggers that fill it.
        var creation: String {
            // SQLite gives these their number only when they are in the table.
            let isNumbered = ["databases", "cascades"].contains(name)
            let index =
                lookedForBy.map { "CREATE INDEX temp.\(log)_by_\($0) ON \(log) (\($0));" } ?? ""
            return """
                CREATE TEMP TABLE \(log) (
                    log_id INTEGER PRIMARY KEY, log_generation INTEGER, log_present INTEGER,
                    \(columns.joined(separator: ", ")));
                CREATE INDEX temp.\(log)_by_key
                    ON \(log) (\(keys.joined(separator: ", ")), log_generation);
                \(index)
                CREATE TEMP TRIGGER \(log)_insert \(isNumbered ? "AFTER" : "BEFORE") INSERT ON main.\(name)
                BEGIN \(isNumbered ? noteAbsence : note("NEW")) END;
                CREATE TEMP TRIGGER \(log)_update BEFORE UPDATE ON main.\(name)
                BEGIN \(note("OLD")) \(note("NEW")) END;
                CREATE TEMP TRIGGER \(log)_delete BEFORE DELETE ON main.\(name)
                BEGIN
                    \(note("OLD"))
                    DELETE FROM \(log)
                    WHERE \(sameKey(log, "OLD")) AND \(isCurrent) AND log_present = 0;
                END;
                """
        }

        /// Leaves out what is under a deleted zone: nobody sees it, and what no snapshot has is
        /// removed for good.
        private func isOfLiveZone(_ row: String) -> String {
            guard let zone, name != "doomed" else { return "" }
            return "AND \(row).\(zone) NOT IN (SELECT incarnation FROM doomed)"
        }

        /// Logs a row as it is, or that it is not there, unless that was done in this generation.
        private func note(_ row: String) -> String {
            let values = columns.map { keys.contains($0) ? "\(row).\($0)" : "\(name).\($0)" }
            return """
                INSERT INTO \(log) (log_generation, log_present, \(columns.joined(separator: ", ")))
                SELECT number, \(name).\(keys[0]) IS NOT NULL, \(values.joined(separator: ", "))
                FROM generation LEFT JOIN \(name) ON \(sameKey(name, row))
                WHERE NOT EXISTS (
                    SELECT 1 FROM \(log) WHERE \(sameKey(log, row)) AND log_generation = number)
                    \(isOfLiveZone(row));
                """
        }

        private var noteAbsence: String {
            """
            INSERT INTO \(log) (log_generation, log_present, \(keys.joined(separator: ", ")))
            SELECT number, 0, \(keys.map { "NEW.\($0)" }.joined(separator: ", ")) FROM generation
            WHERE NOT EXISTS (
                SELECT 1 FROM \(log) WHERE \(sameKey(log, "NEW")) AND log_generation = number);
            """
        }

        // MARK: Putting back

        /// The places ?1 to ?2 of the log, as far as they say what a row was when generation ?3 began,
        /// of zones up to ?4.
        private var isWanted: String {
            """
            b.log_id > ?1 AND b.log_id <= ?2 AND b.log_generation >= ?3
                AND \(zone.map { "b.\($0)" } ?? "?4") <= ?4 \(isOfLiveZone("b"))
            """
        }
        private var isFirst: String {
            """
            NOT EXISTS (SELECT 1 FROM \(log) AS e WHERE \(sameKey("e", "b"))
                AND e.log_generation >= ?3 AND e.log_generation < b.log_generation)
            """
        }

        var removal: String {
            let key = keys.joined(separator: ", ")
            return """
                DELETE FROM main.\(name) WHERE (\(key)) IN (
                    SELECT \(key) FROM \(log) AS b WHERE \(isWanted) AND \(isFirst))
                """
        }

        var insertion: String {
            """
            INSERT INTO main.\(name) SELECT \(columns.joined(separator: ", ")) FROM \(log) AS b
            WHERE \(isWanted) AND \(isFirst) AND b.log_present = 1
            """
        }

        /// Forgets what was put back, unless a later snapshot needs it.
        var forgetting: String {
            "DELETE FROM \(log) AS b WHERE \(isWanted) AND ?3 = (SELECT number FROM generation)"
        }

        var end: String { "SELECT ifnull(max(log_id), 0) FROM \(log)" }

        /// The last of the next ?3 places after ?1, up to ?2.
        var stepEnd: String {
            """
            SELECT max(log_id) FROM (SELECT log_id FROM \(log)
                WHERE log_id > ?1 AND log_id <= ?2 ORDER BY log_id LIMIT ?3)
            """
        }
    }

    // MARK: - Restoring one

    /// A restore under way: what is left to put back.
    struct Restore {
        fileprivate let generation: Int64
        fileprivate let lastIncarnation: Int64
        fileprivate var left: [(table: Table, place: Int64, end: Int64)]
    }

    /// Begins to put rows back to what they were when a generation began.
    ///
    /// Rows of zones that are newer than `lastIncarnation` stay: nobody can see them.
    func beginRestore(
        to generation: Int64, lastIncarnation: Int64
    ) throws(CloudError) -> Restore {
        try tables.guarded { () throws(SQLiteError) in
            // The zones themselves are put back below.
            try tables.connection.run(
                """
                INSERT OR IGNORE INTO doomed
                SELECT incarnation FROM zones
                    WHERE live = 1 AND incarnation > ?1 AND \(ZoneTable.mayHoldRows)
                UNION SELECT id FROM share_records WHERE id > ?1
                UNION SELECT id FROM shares WHERE id > ?1
                """, .integer(lastIncarnation))
            var left: [(table: Table, place: Int64, end: Int64)] = []
            for name in Self.logged {
                let table = try table(name)
                let end = try tables.connection.rows(table.end).first?.first?.int64 ?? 0
                left.append((table, 0, end))
            }
            return Restore(generation: generation, lastIncarnation: lastIncarnation, left: left)
        }
    }

    /// Puts some rows back; says whether there are more.
    func putBackSome(_ restore: inout Restore) throws(CloudError) -> Bool {
        guard let next = restore.left.first else { return false }
        let (table, place) = (next.table, next.place)
        guard let end = try tables.number(table.stepEnd, place, next.end, Self.stepRows) else {
            restore.left.removeFirst()
            return !restore.left.isEmpty
        }
        for sql in [table.removal, table.insertion, table.forgetting] {
            try tables.run(sql, place, end, restore.generation, restore.lastIncarnation)
        }
        restore.left[0].place = end
        return true
    }

    // MARK: - Forgetting

    /// Forgets some of what was logged before a generation, which no snapshot needs any more.
    ///
    /// - Returns: Whether there was any.
    func forgetSome(before generation: Int64) throws(CloudError) -> Bool {
        var count = 0
        for name in Self.logged {
            // Places are in the order of generations.
            try tables.run(
                """
                DELETE FROM before_\(name) WHERE log_generation < ? AND log_id IN (
                    SELECT log_id FROM before_\(name) ORDER BY log_id LIMIT 300)
                """, generation)
            count += tables.connection.changes
        }
        return count > 0
    }

    /// In which generation the records of a deleted zone became free to go; nil: before the first that
    /// is still logged.
    func generation(ofDeletion incarnation: Int64) throws(CloudError) -> Int64? {
        try tables.number(
            """
            SELECT max(log_generation) FROM before_doomed WHERE incarnation = ? AND log_present = 0
            """, incarnation)
    }
}
