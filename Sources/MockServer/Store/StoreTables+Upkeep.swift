import CloudModel
import SQLite

/// What the service does to whole databases and zones.
extension StoreTables {
    /// How many custom zones, live records and subscriptions a database has.
    func counts(
        in db: Int64
    ) throws(CloudError) -> (zones: Int, records: Int, subscriptions: Int) {
        let id = Value.integer(db)
        return (
            try count(
                "SELECT count(*) FROM zones WHERE \(Self.isLiveZone) AND name <> ?2", id,
                .text(MockStore.defaultZoneName)),
            try count(
                """
                SELECT count(*) FROM zones JOIN records ON records.zone = zones.incarnation
                WHERE \(Self.isLiveZone) AND records.type IS NOT NULL
                """, id), try count("SELECT count(*) FROM subscriptions WHERE db = ?", id)
        )
    }

    /// Deletes all that is in a database, deletions of zones included.
    func empty(_ db: Int64) throws(CloudError) {
        let id = Value.integer(db)
        try run(
            """
            INSERT OR IGNORE INTO doomed
            SELECT incarnation FROM zones WHERE \(Self.isLiveZone) AND seq > 0
            """, id)
        try run("DELETE FROM zones WHERE \(Self.isZone)", id)
        for table in ["subscriptions", "cascades"] {
            try run("DELETE FROM \(table) WHERE db = ?", id)
        }
    }

    /// Deletes a zone's row, so that nothing tells of the zone.
    func deleteRow(of zone: String, in db: Int64) throws(CloudError) {
        try run("DELETE FROM zones WHERE db = ? AND name = ?", .integer(db), .text(zone))
    }

    /// Makes the tokens of a database's zone, or of all, too old; says whether there was any.
    func expireTokens(ofZone name: String?, in db: Int64) throws(CloudError) -> Bool {
        // One place that no change has: the token of who has seen all is old too.
        try run(
            """
            UPDATE zones SET seq = seq + 1, floor = seq + 1
            WHERE \(Self.isLiveZone) AND name <> ?2 AND (?3 IS NULL OR name = ?3)
            """, .integer(db), .text(MockStore.defaultZoneName), name.map { .text($0) } ?? .null)
        return connection.changes > 0
    }

    /// Forgets the records that were deleted from a zone.
    func deleteTombstones(of zone: ZoneRow, in db: Int64) throws(CloudError) {
        let incarnation = Value.integer(zone.incarnation)
        try run(
            """
            DELETE FROM names WHERE zone = ?1 AND name IN
                (SELECT name FROM records WHERE zone = ?1 AND type IS NULL)
            """, incarnation)
        try run("DELETE FROM records WHERE zone = ? AND type IS NULL", incarnation)
        try run(
            "UPDATE zones SET floor = seq WHERE db = ? AND name = ?", .integer(db),
            .text(zone.name))
    }

    /// Forgets the zones that apps have deleted; says whether there was any.
    func deleteZoneTombstones(in db: Int64) throws(CloudError) -> Bool {
        try run("DELETE FROM zones WHERE \(Self.isGoneZone) AND purged = 0", .integer(db))
        return connection.changes > 0
    }

    /// Lets the file have no more pages of 4096 bytes than this, or than it has.
    func limitSize(pages: Int) throws(CloudError) {
        _ = try rows("PRAGMA max_page_count = \(max(1, pages))")
    }

    // MARK: - Removing what deleted zones held

    /// The first deleted zone after one whose records are still there.
    func nextRemoval(after incarnation: Int64) throws(CloudError) -> Int64? {
        try rows(
            "SELECT incarnation FROM doomed WHERE incarnation > ? ORDER BY incarnation LIMIT 1",
            .integer(incarnation)
        ).first?.first?.int64
    }

    /// Removes some of what a deleted zone held, and at last the note that there is something.
    func removeSome(of incarnation: Int64) throws(CloudError) {
        let zone = Value.integer(incarnation)
        var removed = 0
        for (table, key) in [("records", "seq"), ("names", "name"), ("links", "target")] {
            try run(
                """
                DELETE FROM \(table) WHERE zone = ?1 AND \(key) IN
                    (SELECT \(key) FROM \(table) WHERE zone = ?1 ORDER BY \(key) LIMIT 100)
                """, zone)
            removed += connection.changes
        }
        if removed == 0 { try run("DELETE FROM doomed WHERE incarnation = ?", zone) }
    }

    // MARK: - Cascades

    /// A record of a default zone that waits to be deleted because its target was.
    struct Cascade {
        let id: Int64
        let name: String
        let zone: Int64
    }

    func hasCascades(in db: Int64) throws(CloudError) -> Bool {
        try count("SELECT count(*) FROM cascades WHERE db = ?", .integer(db)) > 0
    }

    func addCascade(_ name: String, in zone: Int64, _ db: Int64) throws(CloudError) {
        try run(
            "INSERT INTO cascades (db, zone, name) VALUES (?, ?, ?)", .integer(db),
            .integer(zone), .text(name))
    }

    /// The next cascades of a database, oldest first.
    func cascades(in db: Int64) throws(CloudError) -> [Cascade] {
        try rows(
            "SELECT id, name, zone FROM cascades WHERE db = ? ORDER BY id LIMIT 500",
            .integer(db)
        ).compactMap { row in
            guard let id = row[0].int64, let name = row[1].string, let zone = row[2].int64 else {
                return nil
            }
            return Cascade(id: id, name: name, zone: zone)
        }
    }

    func delete(_ cascade: Cascade) throws(CloudError) {
        try run("DELETE FROM cascades WHERE id = ?", .integer(cascade.id))
    }
}
