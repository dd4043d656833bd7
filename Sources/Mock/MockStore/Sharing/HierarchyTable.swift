import CloudModel
import SQLite

/// The feeds of hierarchies, which tell of every record that is or was in one, and of views, which
/// tell of what came into a participant's view or left it with a whole share.
///
/// A feed has each record once, at a place of the zone's own feed. A record is in a hierarchy when
/// the hierarchy's feed has it without a tag; the tag is of one that has left.
struct HierarchyTable {
    /// A record's place in one feed.
    struct Place {
        let feed: Int64
        let seq: Int64
        /// nil: the record is in the hierarchy.
        let tag: Int64?
    }

    /// The next place of a feed.
    struct Entry {
        let seq: Int64
        let name: String
    }

    let tables: StoreTables

    /// Where a record is or was, in every feed.
    func places(of name: String, in zone: Int64) throws(CloudError) -> [Place] {
        try tables.rows(
            "SELECT feed, seq, tag FROM hierarchy_places WHERE zone = ? AND name = ?", zone, name
        ) { Place(feed: $0.int64(at: 0), seq: $0.int64(at: 1), tag: $0.optionalInt64(at: 2)) }
    }

    /// Gives a record a place in a feed, taking away the one it had.
    func put(
        _ name: String, in zone: Int64, feed: Int64, seq: Int64, tag: Int64?, old: Int64?
    ) throws(CloudError) {
        if let old {
            try tables.run("DELETE FROM hierarchy_places WHERE feed = ? AND seq = ?", feed, old)
        }
        try tables.run(
            "INSERT INTO hierarchy_places VALUES (?, ?, ?, ?, ?)", feed, seq, zone, name, tag)
    }

    /// The next places of a feed, without what has left it up to a place.
    func entries(
        of feed: Int64, leftAfter since: Int64, after seq: Int64, limit: Int
    ) throws(CloudError) -> [Entry] {
        try tables.rows(
            """
            SELECT seq, name FROM hierarchy_places
            WHERE feed = ? AND seq > ? AND (tag IS NULL OR seq > ?) ORDER BY seq LIMIT ?
            """, feed, seq, since, limit
        ) { Entry(seq: $0.int64(at: 0), name: $0.text(at: 1)) }
    }

    /// How many records are in a hierarchy.
    func count(of feed: Int64) throws(CloudError) -> Int {
        Int(
            try tables.number(
                "SELECT count(*) FROM hierarchy_places WHERE feed = ? AND tag IS NULL", feed) ?? 0)
    }

    /// How many records of a hierarchy are at some places of its feed.
    func count(of feed: Int64, after start: Int64, upTo end: Int64) throws(CloudError) -> Int {
        Int(
            try tables.number(
                """
                SELECT count(*) FROM hierarchy_places
                WHERE feed = ? AND tag IS NULL AND seq > ? AND seq <= ?
                """, feed, start, end) ?? 0)
    }

    /// How many assets the records of a hierarchy have, and their bytes.
    func assetCount(of feed: Int64) throws(CloudError) -> (count: Int, bytes: Int64) {
        try tables.rows(
            """
            SELECT count(*), ifnull(sum(size), 0) FROM hierarchy_places AS h
                JOIN asset_links AS l ON l.zone = h.zone AND l.record = h.name
                JOIN assets USING (digest)
            WHERE feed = ? AND tag IS NULL
            """, feed
        ) { (Int($0.int64(at: 0)), $0.int64(at: 1)) }.first ?? (0, 0)
    }

    /// Forgets who has left hierarchies at some places of a zone's feed. What is left of shares that have
    /// ended stays, as a snapshot may have it.
    func forgetGone(in zone: Int64, after start: Int64, upTo end: Int64) throws(CloudError) {
        try tables.run(
            """
            DELETE FROM hierarchy_places
            WHERE zone = ? AND tag IS NOT NULL AND seq > ? AND seq <= ?
                AND feed NOT IN (SELECT incarnation FROM doomed)
            """, zone, start, end)
    }

    // MARK: - Many at once

    /// Looks for the records below one, but not below the root of another share.
    ///
    /// They lie in a table of their own until the next search.
    ///
    /// - Parameter limit: No more are looked for.
    /// - Returns: How many there are.
    func findRecords(
        below name: String, in zone: Int64, limit: Int
    ) throws(CloudError) -> Int {
        try clearFound()
        let isRoot = "EXISTS (SELECT 1 FROM share_records WHERE incarnation = ?1 AND root = source)"
        try tables.run(
            """
            INSERT INTO found_records (name) WITH RECURSIVE below (name) AS (
                SELECT source FROM links
                WHERE zone = ?1 AND target = ?2 AND kind = ?3 AND source <> ?2 AND NOT \(isRoot)
                UNION
                SELECT source FROM below JOIN links ON zone = ?1 AND target = below.name AND kind = ?3
                WHERE source <> ?2 AND NOT \(isRoot)
            ) SELECT name FROM below LIMIT ?4
            """, zone, name, Link.Kind.parent.rawValue, limit)
        return tables.connection.changes
    }

    /// Looks for the records of a hierarchy, and for those that have left it after a place, unless an
    /// account sees them in another one.
    ///
    /// - Returns: How many there are, up to a limit.
    func findRecords(
        of feed: Int64, leftAfter seq: Int64, notShownTo user: String, limit: Int
    ) throws(CloudError) -> Int {
        try clearFound()
        try tables.run(
            """
            INSERT INTO found_records (name) SELECT name FROM hierarchy_places AS left
            WHERE feed = ?1 AND (tag IS NULL OR seq > ?2 AND NOT EXISTS (
                SELECT 1 FROM hierarchy_places AS other
                JOIN participations ON share = other.feed AND user = ?3
                WHERE other.zone = left.zone AND other.name = left.name AND other.tag IS NULL))
            ORDER BY seq LIMIT ?4
            """, feed, seq, user, limit)
        return tables.connection.changes
    }

    /// Whether one of the records found has the root of a share right below it.
    func foundHaveRootsBelow(
        _ name: String, in zone: Int64
    ) throws(CloudError) -> Bool {
        try tables.number(
            """
            SELECT 1 FROM share_records JOIN links ON links.zone = ?1 AND source = root
                AND kind = ?3 AND (target = ?2 OR target IN (SELECT name FROM found_records))
            WHERE incarnation = ?1 AND root <> ?2 LIMIT 1
            """, zone, name, Link.Kind.parent.rawValue) != nil
    }

    /// Gives the records found places in a feed, in order from the one after `start` on.
    ///
    /// - Parameter haveLeft: Whether they get the tags they have, as those that have left.
    func putFound(
        in zone: Int64, feed: Int64, after start: Int64, haveLeft: Bool
    ) throws(CloudError) {
        try tables.run(
            """
            DELETE FROM hierarchy_places WHERE feed = ?1 AND seq IN (
                SELECT seq FROM found_records CROSS JOIN hierarchy_places AS old
                    ON old.zone = ?2 AND old.name = found_records.name AND old.feed = ?1)
            """, feed, zone)
        try tables.run(
            """
            INSERT INTO hierarchy_places
            SELECT ?1, ?3 + found_records.place, ?2, found_records.name,
                \(haveLeft ? "ifnull(records.tag, 0)" : "NULL")
            FROM found_records
            LEFT JOIN names ON names.zone = ?2 AND names.name = found_records.name
            LEFT JOIN records ON records.zone = ?2 AND records.seq = names.seq
            """, feed, zone, start)
    }

    private func clearFound() throws(CloudError) {
        try tables.run(
            "CREATE TEMP TABLE IF NOT EXISTS found_records (place INTEGER PRIMARY KEY, name TEXT)")
        try tables.run("DELETE FROM found_records")
    }
}
