import CloudModel
import SQLite

/// A row of `uploads`: an address that was given out, or a stored asset that was asked for again.
struct UploadRow {
    let id: Int64
    let db: Int64
    /// The zone that the record will be kept under.
    let zone: Int64
    /// Where it may be attached; nil: to any field of the zone's records.
    let field: AssetField?
    /// Until when bytes are taken, in milliseconds since 1970.
    let until: Int64
    /// When it is forgotten.
    let kept: Int64
    /// What was uploaded.
    let file: AssetFile?
}

/// The rows of uploads, of stored files, and of who refers to these.
struct AssetTables {
    let tables: StoreTables

    // MARK: - Uploads

    /// Adds an upload, and gives its number, which none has had.
    ///
    /// - Parameters:
    ///   - until: When its address expires.
    ///   - kept: When the row may go.
    func add(
        db: Int64, zone: Int64, field: AssetField?, until: Int64, kept: Int64,
        file: AssetFile? = nil
    ) throws(CloudError) -> Int64 {
        try tables.run(
            """
            INSERT INTO uploads (db, zone, record, field, until, kept, digest, size)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, db, zone, field?.recordName, field?.fieldName, until, kept, file?.digest.name,
            file?.size)
        return tables.connection.lastInsertRowID
    }

    func upload(_ id: Int64) throws(CloudError) -> UploadRow? {
        try tables.rows(
            "SELECT db, zone, record, field, until, digest, size, kept FROM uploads WHERE id = ?",
            id
        ) { row in
            let (record, field) = (row.optionalText(at: 2), row.optionalText(at: 3))
            let digest = row.optionalText(at: 5).flatMap { AssetDigest(name: $0) }
            return UploadRow(
                id: id, db: row.int64(at: 0), zone: row.int64(at: 1),
                field: record.map { AssetField($0, field ?? "") }, until: row.int64(at: 4),
                kept: row.int64(at: 7),
                file: digest.map { AssetFile(digest: $0, size: row.int64(at: 6)) })
        }.first
    }

    /// Notes what was uploaded.
    func fill(_ id: Int64, with file: AssetFile, kept: Int64) throws(CloudError) {
        try tables.run(
            "UPDATE uploads SET digest = ?, size = ?, kept = ? WHERE id = ?", file.digest.name,
            file.size, kept, id)
        try tables.run("INSERT OR IGNORE INTO assets VALUES (?, ?)", file.digest.name, file.size)
    }

    /// Forgets some uploads whose time is over; says how many.
    func forgetUploads(keptUntil now: Int64) throws(CloudError) -> Int {
        try tables.run(
            """
            DELETE FROM uploads WHERE id IN
                (SELECT id FROM uploads WHERE kept <= ? ORDER BY kept LIMIT 200)
            """, now)
        return tables.connection.changes
    }

    /// When the next upload may be forgotten.
    func nextEnd() throws(CloudError) -> Int64? {
        try tables.number("SELECT min(kept) FROM uploads")
    }

    // MARK: - Files

    func isKnown(_ digest: AssetDigest) throws(CloudError) -> Bool {
        try tables.number("SELECT 1 FROM assets WHERE digest = ?", digest.name) != nil
    }

    /// How long the file of a digest is; nil: there is none.
    func size(_ digest: AssetDigest) throws(CloudError) -> Int64? {
        try tables.number("SELECT size FROM assets WHERE digest = ?", digest.name)
    }

    func isAny() throws(CloudError) -> Bool {
        try tables.number("SELECT 1 FROM assets LIMIT 1") != nil
    }

    /// The digests of all files.
    func digests() throws(CloudError) -> [AssetDigest] {
        try tables.rows("SELECT digest FROM assets") { row throws(CloudError) in
            guard let digest = AssetDigest(name: row.text(at: 0)) else { throw tables.damaged() }
            return digest
        }
    }

    /// The next files in the order of their names, and whether anything refers to them.
    func next(
        after name: String
    ) throws(CloudError) -> [(digest: AssetDigest, isReferred: Bool)] {
        try tables.rows(
            """
            SELECT digest, EXISTS (SELECT 1 FROM asset_links AS l WHERE l.digest = a.digest)
                OR EXISTS (SELECT 1 FROM uploads AS u WHERE u.digest = a.digest)
            FROM assets AS a WHERE digest > ? ORDER BY digest LIMIT 200
            """, name
        ) { row throws(CloudError) in
            guard let digest = AssetDigest(name: row.text(at: 0)) else { throw tables.damaged() }
            return (digest, row.int64(at: 1) != 0)
        }
    }

    func add(_ file: AssetFile) throws(CloudError) {
        try tables.run(
            "INSERT OR REPLACE INTO assets VALUES (?, ?)", file.digest.name, file.size)
    }

    func forget(_ digest: AssetDigest) throws(CloudError) {
        try tables.run("DELETE FROM assets WHERE digest = ?", digest.name)
    }

    // MARK: - References

    /// Changes which assets a record has.
    func relink(
        _ record: String, in zone: Int64, from old: Set<AssetLink>, to new: Set<AssetLink>
    ) throws(CloudError) {
        for link in old.subtracting(new) {
            try tables.run(
                """
                DELETE FROM asset_links WHERE zone = ? AND record = ? AND field = ? AND digest = ?
                """, zone, record, link.field, link.digest.name)
        }
        for link in new.subtracting(old) {
            try tables.run(
                "INSERT OR IGNORE INTO asset_links VALUES (?, ?, ?, ?)", zone, record, link.field,
                link.digest.name)
        }
    }

    /// The size of an asset that a live record has; nil when it has it no more.
    func size(_ digest: AssetDigest, of field: AssetField, in zone: Int64) throws(CloudError)
        -> Int64?
    {
        try tables.number(
            """
            SELECT size FROM asset_links JOIN assets USING (digest)
            WHERE zone = ?1 AND record = ?2 AND field = ?3 AND digest = ?4
                AND zone NOT IN (SELECT incarnation FROM doomed)
            """, zone, field.recordName, field.fieldName, digest.name)
    }

    /// How many assets the live records at some places of a zone's feed have, and their bytes.
    func count(
        in zone: Int64, after start: Int64, upTo end: Int64
    ) throws(CloudError) -> (count: Int, bytes: Int64) {
        try tables.rows(
            """
            SELECT count(*), ifnull(sum(size), 0) FROM records AS r
                JOIN asset_links AS l ON l.zone = r.zone AND l.record = r.name
                JOIN assets USING (digest)
            WHERE r.zone = ? AND r.seq > ? AND r.seq <= ? AND r.type IS NOT NULL
            """, zone, start, end
        ) { (Int($0.int64(at: 0)), $0.int64(at: 1)) }.first ?? (0, 0)
    }
}

/// An asset in a field of a record.
struct AssetLink: Hashable {
    let field: String
    let digest: AssetDigest
}
