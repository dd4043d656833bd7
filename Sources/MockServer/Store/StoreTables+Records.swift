import CloudModel
import SQLite

/// A row of a zone's feed: a live record, or what is left of a deleted one.
struct FeedEntry {
    let seq: Int64
    let name: String
    let tag: Int64
    /// nil: deleted.
    let record: StoredRecord?
    /// Of a deleted record, what its tombstone says.
    let remains: [UInt8]
}

/// Some rows in order, and whether they are all that there are.
struct RowPage<Row> {
    var rows: [Row] = []
    /// Whether rows may follow: the limit was reached, or the bytes a page may have.
    var hasMore = false
}

extension StoreTables {
    /// Bytes of records after which a page ends early.
    private static let pageBytesMax = 8 << 20

    /// The place of a name in its zone's feed, whether the record lives or not.
    func place(of name: String, in zone: Int64) throws(CloudError) -> Int64? {
        try guarded { () throws(SQLiteError) in
            let statement = try connection.prepare(
                "SELECT seq FROM names WHERE zone = ? AND name = ?")
            statement.bind(1, zone)
            statement.bind(2, name)
            defer { statement.reset() }
            return try statement.step() ? statement.int64(at: 0) : nil
        }
    }

    /// The next names of a zone in their order, with their places in the feed.
    func names(
        in zone: Int64, after name: String, limit: Int
    ) throws(CloudError) -> [(name: String, seq: Int64)] {
        try guarded { () throws(SQLiteError) in
            let statement = try connection.prepare(
                "SELECT name, seq FROM names WHERE zone = ? AND name > ? ORDER BY name LIMIT ?")
            statement.bind(1, zone)
            statement.bind(2, name)
            statement.bind(3, limit)
            var names: [(name: String, seq: Int64)] = []
            while try statement.step() {
                names.append((statement.text(at: 0), statement.int64(at: 1)))
            }
            return names
        }
    }

    /// The entry at a place of a zone's feed.
    func entry(at seq: Int64, in zone: Int64) throws(CloudError) -> FeedEntry? {
        try entries(
            "SELECT seq, name, tag, type, body FROM records WHERE zone = ? AND seq = ? LIMIT ?",
            zone, seq, 1
        ).rows.first
    }

    /// The live record of a name.
    func record(_ name: String, in zone: Int64) throws(CloudError) -> StoredRecord? {
        guard let seq = try place(of: name, in: zone) else { return nil }
        return try entry(at: seq, in: zone)?.record
    }

    /// The next entries of a zone's feed.
    func entries(
        in zone: Int64, after seq: Int64, limit: Int
    ) throws(CloudError) -> RowPage<FeedEntry> {
        try entries(
            """
            SELECT seq, name, tag, type, body FROM records
            WHERE zone = ? AND seq > ? ORDER BY seq LIMIT ?
            """, zone, seq, limit)
    }

    /// The next live records of a type, in the order of their last change.
    func records(
        of type: String, in zone: Int64, after seq: Int64, limit: Int
    ) throws(CloudError) -> RowPage<StoredRecord> {
        var isIntact = true
        let page = try guarded { () throws(SQLiteError) in
            let statement = try connection.prepare(
                """
                SELECT seq, name, tag, body FROM records
                WHERE zone = ? AND type = ? AND seq > ? ORDER BY seq LIMIT ?
                """)
            statement.bind(1, zone)
            statement.bind(2, type)
            statement.bind(3, seq)
            statement.bind(4, limit)
            defer { statement.reset() }
            var page = RowPage<StoredRecord>()
            var bytes = 0
            while try statement.step() {
                let body = statement.bytes(at: 3)
                let row = StoredRecord(
                    name: statement.text(at: 1), type: type, seq: statement.int64(at: 0),
                    tag: statement.int64(at: 2), body: body)
                if let row { page.rows.append(row) } else { isIntact = false }
                bytes += body.count
                page.hasMore = page.rows.count == limit || bytes > Self.pageBytesMax
                if page.hasMore { break }
            }
            return page
        }
        guard isIntact else { throw damaged() }
        return page
    }

    private func entries(
        _ sql: String, _ zone: Int64, _ seq: Int64, _ limit: Int
    ) throws(CloudError) -> RowPage<FeedEntry> {
        var isIntact = true
        let page = try guarded { () throws(SQLiteError) in
            let statement = try connection.prepare(sql)
            statement.bind(1, zone)
            statement.bind(2, seq)
            statement.bind(3, limit)
            defer { statement.reset() }
            var page = RowPage<FeedEntry>()
            var bytes = 0
            while try statement.step() {
                let (seq, name) = (statement.int64(at: 0), statement.text(at: 1))
                let tag = statement.int64(at: 2)
                var record: StoredRecord?
                var remains: [UInt8] = []
                if let type = statement.optionalText(at: 3) {
                    let body = statement.bytes(at: 4)
                    bytes += body.count
                    record = StoredRecord(name: name, type: type, seq: seq, tag: tag, body: body)
                    isIntact = isIntact && record != nil
                } else {
                    remains = statement.bytes(at: 4)
                }
                page.rows.append(
                    FeedEntry(seq: seq, name: name, tag: tag, record: record, remains: remains))
                page.hasMore = page.rows.count == limit || bytes > Self.pageBytesMax
                if page.hasMore { break }
            }
            return page
        }
        guard isIntact else { throw damaged() }
        return page
    }

    /// Writes a live record at its place, taking away the entry at `oldPlace`.
    func put(
        _ record: StoredRecord, in zone: Int64, oldPlace: Int64?
    ) throws(CloudError) {
        try putEntry(
            zone, record.seq, record.name, record.type, record.tag, record.body, oldPlace)
    }

    /// Writes that a record is gone, taking away the entry at `oldPlace`.
    func putTombstone(
        _ name: String, _ remains: [UInt8], tag: Int64, seq: Int64, in zone: Int64,
        oldPlace: Int64?
    ) throws(CloudError) {
        try putEntry(zone, seq, name, nil, tag, remains, oldPlace)
    }

    private func putEntry(
        _ zone: Int64, _ seq: Int64, _ name: String, _ type: String?, _ tag: Int64,
        _ body: [UInt8]?, _ oldPlace: Int64?
    ) throws(CloudError) {
        try guarded { () throws(SQLiteError) in
            if let oldPlace {
                let delete = try connection.prepare(
                    "DELETE FROM records WHERE zone = ? AND seq = ?")
                delete.bind(1, zone)
                delete.bind(2, oldPlace)
                try delete.run()
            }
            let insert = try connection.prepare("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)")
            insert.bind(1, zone)
            insert.bind(2, seq)
            insert.bind(3, name)
            insert.bind(4, type)
            insert.bind(5, tag)
            insert.bind(6, body)
            try insert.run()
            let index = try connection.prepare("INSERT OR REPLACE INTO names VALUES (?, ?, ?)")
            index.bind(1, zone)
            index.bind(2, name)
            index.bind(3, seq)
            try index.run()
        }
    }

    // MARK: - Links

    /// Changes what a record points to.
    func relink(
        _ source: String, in zone: Int64, from old: Set<Link>, to new: Set<Link>
    ) throws(CloudError) {
        try guarded { () throws(SQLiteError) in
            for link in old.subtracting(new) {
                try runLink(
                    """
                    DELETE FROM links WHERE zone = ? AND target = ? AND kind = ? AND source = ?
                    """, source, zone, link)
            }
            for link in new.subtracting(old) {
                try runLink("INSERT OR IGNORE INTO links VALUES (?, ?, ?, ?)", source, zone, link)
            }
        }
    }

    private func runLink(
        _ sql: String, _ source: String, _ zone: Int64, _ link: Link
    ) throws(SQLiteError) {
        let statement = try connection.prepare(sql)
        statement.bind(1, zone)
        statement.bind(2, link.target)
        statement.bind(3, link.kind.rawValue)
        statement.bind(4, source)
        try statement.run()
    }

    /// The records that point to `target`, by name.
    func sources(
        of target: String, _ kind: Link.Kind, in zone: Int64
    ) throws(CloudError) -> [String] {
        try guarded { () throws(SQLiteError) in
            let statement = try connection.prepare(
                "SELECT source FROM links WHERE zone = ? AND target = ? AND kind = ?")
            statement.bind(1, zone)
            statement.bind(2, target)
            statement.bind(3, kind.rawValue)
            var names: [String] = []
            while try statement.step() { names.append(statement.text(at: 0)) }
            return names
        }
    }

    /// How many records point to `target`, not counting `source`.
    func sourceCount(
        of target: String, _ kind: Link.Kind, in zone: Int64, except source: String
    ) throws(CloudError) -> Int {
        try guarded { () throws(SQLiteError) in
            let statement = try connection.prepare(
                """
                SELECT count(*) FROM links
                WHERE zone = ? AND target = ? AND kind = ? AND source <> ?
                """)
            statement.bind(1, zone)
            statement.bind(2, target)
            statement.bind(3, kind.rawValue)
            statement.bind(4, source)
            defer { statement.reset() }
            return try statement.step() ? statement.int(at: 0) : 0
        }
    }
}
