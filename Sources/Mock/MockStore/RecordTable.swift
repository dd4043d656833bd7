import CloudModel
import CloudWire
import SQLite

/// A row of a zone's feed: a live record, or the tombstone of a deleted one.
struct FeedEntry {
    let seq: Int64
    let name: String
    let tag: Int64
    /// nil: deleted.
    let record: StoredRecord?
    /// Of a deleted record, what its tombstone says.
    let remains: [UInt8]
    /// The size of its row.
    let bytes: Int
}

/// Some rows in order, and whether they are all that there are.
struct RowPage<Row> {
    var rows: [Row] = []
    /// Whether rows may follow: the limit was reached, or the bytes a page may have.
    var hasMore = false
    /// Of the records' contents, as they are stored.
    var bytes = 0
}

/// The rows of records and tombstones, in the order of their zone's feed and by name.
struct RecordTable {
    private static let columns = "seq, name, tag, type, body"

    let tables: StoreTables

    /// The place of a name in its zone's feed, whether the record lives or not.
    func place(of name: String, in zone: Int64) throws(CloudError) -> Int64? {
        try tables.number("SELECT seq FROM names WHERE zone = ? AND name = ?", zone, name)
    }

    /// The next names of a zone in their order, with their places in the feed.
    func names(
        in zone: Int64, after name: String, limit: Int
    ) throws(CloudError) -> [(name: String, seq: Int64)] {
        try tables.rows(
            "SELECT name, seq FROM names WHERE zone = ? AND name > ? ORDER BY name LIMIT ?", zone,
            name, limit
        ) { ($0.text(at: 0), $0.int64(at: 1)) }
    }

    /// The entry at a place of a zone's feed.
    func entry(at seq: Int64, in zone: Int64) throws(CloudError) -> FeedEntry? {
        try tables.rows(
            "SELECT \(Self.columns) FROM records WHERE zone = ? AND seq = ?", zone, seq,
            read: entry
        ).first
    }

    /// The live record of a name.
    func find(_ name: String, in zone: Int64) throws(CloudError) -> StoredRecord? {
        guard let seq = try place(of: name, in: zone) else { return nil }
        return try entry(at: seq, in: zone)?.record
    }

    /// The next entries of a zone's feed.
    ///
    /// - Parameter bytesMax: The page ends with the record that exceeds it.
    func entries(
        in zone: Int64, after seq: Int64, limit: Int, bytesMax: Int = WireLimits.pageBytesMax
    ) throws(CloudError) -> RowPage<FeedEntry> {
        try page(
            "SELECT \(Self.columns) FROM records WHERE zone = ? AND seq > ? ORDER BY seq LIMIT ?",
            [zone, seq, limit], limit, bytesMax)
    }

    /// The live records of a zone's feed before a place, the newest first.
    func liveEntries(
        in zone: Int64, before seq: Int64, limit: Int, bytesMax: Int = WireLimits.pageBytesMax
    ) throws(CloudError) -> RowPage<FeedEntry> {
        try page(
            """
            SELECT \(Self.columns) FROM records
            WHERE zone = ? AND seq < ? AND type IS NOT NULL ORDER BY seq DESC LIMIT ?
            """, [zone, seq, limit], limit, bytesMax)
    }

    /// The next live records of a type, in the order of their last change.
    func records(
        of type: String, in zone: Int64, after seq: Int64, limit: Int
    ) throws(CloudError) -> RowPage<StoredRecord> {
        let page = try page(
            """
            SELECT \(Self.columns) FROM records
            WHERE zone = ? AND type = ? AND seq > ? ORDER BY seq LIMIT ?
            """, [zone, type, seq, limit], limit)
        return RowPage(rows: page.rows.compactMap(\.record), hasMore: page.hasMore)
    }

    private func page(
        _ sql: String, _ values: [any ValueConvertible], _ limit: Int,
        _ bytesMax: Int = WireLimits.pageBytesMax
    ) throws(CloudError) -> RowPage<FeedEntry> {
        let statement = try tables.guarded { () throws(SQLiteError) in
            try tables.prepare(sql, values)
        }
        defer { statement.reset() }
        var page = RowPage<FeedEntry>()
        while try tables.guarded({ () throws(SQLiteError) in try statement.step() }) {
            let entry = try entry(statement)
            page.rows.append(entry)
            page.bytes += entry.bytes
            page.hasMore = page.rows.count == limit || page.bytes > bytesMax
            if page.hasMore { break }
        }
        return page
    }

    private func entry(_ row: Statement) throws(CloudError) -> FeedEntry {
        let (seq, name, tag) = (row.int64(at: 0), row.text(at: 1), row.int64(at: 2))
        let body = row.bytes(at: 4)
        guard let type = row.optionalText(at: 3) else {
            return FeedEntry(
                seq: seq, name: name, tag: tag, record: nil, remains: body, bytes: body.count)
        }
        guard
            let record = StoredRecord(name: name, type: type, seq: seq, tag: tag, body: body)
        else { throw tables.damaged() }
        return FeedEntry(
            seq: seq, name: name, tag: tag, record: record, remains: [], bytes: body.count)
    }

    /// Writes a live record at its place, taking away the entry at `oldPlace`.
    func put(_ record: StoredRecord, in zone: Int64, oldPlace: Int64?) throws(CloudError) {
        try put(zone, record.seq, record.name, record.type, record.tag, record.body, oldPlace)
    }

    /// Writes that a record is gone, taking away the entry at `oldPlace`.
    func putTombstone(
        _ name: String, _ remains: [UInt8], tag: Int64, seq: Int64, in zone: Int64, oldPlace: Int64
    ) throws(CloudError) {
        try put(zone, seq, name, nil, tag, remains, oldPlace)
    }

    private func put(
        _ zone: Int64, _ seq: Int64, _ name: String, _ type: String?, _ tag: Int64,
        _ body: [UInt8], _ oldPlace: Int64?
    ) throws(CloudError) {
        if let oldPlace {
            try tables.run("DELETE FROM records WHERE zone = ? AND seq = ?", zone, oldPlace)
        }
        try tables.run(
            "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)", zone, seq, name, type, tag, body)
        try tables.run("INSERT OR REPLACE INTO names VALUES (?, ?, ?)", zone, name, seq)
    }

    // MARK: - Parts of a feed

    /// The last place that a zone's feed has an entry at; 0 when it has none.
    func end(of zone: Int64) throws(CloudError) -> Int64 {
        try tables.number("SELECT max(seq) FROM records WHERE zone = ?", zone) ?? 0
    }

    /// The names at some places of a zone's feed, and their types; no type: deleted.
    ///
    /// - Parameter name: Only this one.
    func places(
        in zone: Int64, after start: Int64, upTo end: Int64, named name: String? = nil
    ) throws(CloudError) -> [(name: String, type: String?)] {
        guard let name else {
            return try tables.rows(
                "SELECT name, type FROM records WHERE zone = ? AND seq > ? AND seq <= ? ORDER BY seq",
                zone, start, end
            ) { ($0.text(at: 0), $0.optionalText(at: 1)) }
        }
        guard let place = try place(of: name, in: zone), place > start, place <= end else {
            return []
        }
        return try tables.rows(
            "SELECT name, type FROM records WHERE zone = ? AND seq = ?", zone, place
        ) { ($0.text(at: 0), $0.optionalText(at: 1)) }
    }

    /// How many live records are at some places of a zone's feed.
    func count(in zone: Int64, after start: Int64, upTo end: Int64) throws(CloudError) -> Int {
        Int(
            try tables.number(
                "SELECT count(type) FROM records WHERE zone = ? AND seq > ? AND seq <= ?", zone,
                start, end) ?? 0)
    }

    /// How many live and how many deleted records are at some places of a zone's feed.
    func counts(
        in zone: Int64, after start: Int64, upTo end: Int64
    ) throws(CloudError) -> (live: Int, deleted: Int) {
        try tables.rows(
            """
            SELECT count(type), count(*) - count(type) FROM records
            WHERE zone = ? AND seq > ? AND seq <= ?
            """, zone, start, end
        ) { (Int($0.int64(at: 0)), Int($0.int64(at: 1))) }.first ?? (0, 0)
    }

    /// Forgets the records that were deleted at some places of a zone's feed.
    func forgetTombstones(
        of zone: Int64, after start: Int64, upTo end: Int64
    ) throws(CloudError) -> Int {
        let isGone = "zone = ?1 AND seq > ?2 AND seq <= ?3 AND type IS NULL"
        try tables.run(
            """
            DELETE FROM names WHERE zone = ?1
                AND name IN (SELECT name FROM records WHERE \(isGone))
            """, zone, start, end)
        try tables.run("DELETE FROM records WHERE \(isGone)", zone, start, end)
        return tables.connection.changes
    }
}
