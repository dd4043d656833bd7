import CloudModel
import SQLite

/// The files of assets that an export under way has fetched, by the field of the record that has them.
struct TakenAssets {
    let file: ExportStateFile

    /// Notes an asset that is in the folder, before its record is: an attempt that is cut off there
    /// need not fetch it again.
    func note(
        _ asset: StoredAsset, as checksum: String, at slot: AssetSlot, of record: String,
        in part: Int64
    ) throws(SQLiteError) {
        try file.connection.run(
            "INSERT OR REPLACE INTO asset VALUES (?, ?, ?, ?, ?, ?, ?, ?)", .integer(part),
            .text(record), .text(slot.field), .integer(Int64(slot.position)), .text(checksum),
            .integer(asset.bytes), .text(asset.sha256), .integer(asset.isConfirmed ? 1 : 0))
    }

    /// The same, by itself.
    func keep(
        _ asset: StoredAsset, as checksum: String, at slot: AssetSlot, of record: String,
        in part: Int64
    ) throws(ExportError) {
        try file.reading { () throws(SQLiteError) in
            try note(asset, as: checksum, at: slot, of: record, in: part)
        }
    }

    /// An asset that was fetched before, when the record still says the same of it.
    func stored(
        _ asset: Asset, at slot: AssetSlot, of record: String, in part: Int64
    ) throws(ExportError) -> StoredAsset? {
        try file.reading { () throws(SQLiteError) in
            let select = try file.connection.prepare(
                """
                SELECT sha256, confirmed FROM asset WHERE part = ? AND name = ? AND field = ?
                AND position = ? AND checksum = ? AND bytes = ?
                """)
            defer { select.reset() }
            select.bind(1, part)
            select.bind(2, record)
            select.bind(3, slot.field)
            select.bind(4, slot.position)
            select.bind(5, asset.fileChecksum)
            select.bind(6, asset.size)
            guard try select.step() else { return nil }
            return StoredAsset(
                bytes: asset.size, sha256: select.text(at: 0), isConfirmed: select.bool(at: 1))
        }
    }

    /// Forgets assets that earlier attempts have fetched and whose files are lost. Parts with records
    /// that have them are read from the beginning again: their feeds would not tell of these.
    func forgetAssets(
        where isLost: (_ sha256: String) throws(ExportError) -> Bool
    ) throws(ExportError) {
        var lost: [String] = []
        try eachAsset { (sha256, _) throws(ExportError) in
            if try isLost(sha256) { lost.append(sha256) }
        }
        try file.reading { () throws(SQLiteError) in
            try file.connection.transaction { () throws(SQLiteError) in
                let parts = "(SELECT part FROM asset WHERE sha256 = ?)"
                for sha256 in lost {
                    try file.connection.run(
                        "DELETE FROM record WHERE part IN \(parts)", .text(sha256))
                    try file.connection.run(
                        "UPDATE part SET token = NULL WHERE id IN \(parts)", .text(sha256))
                    try file.connection.run("DELETE FROM asset WHERE sha256 = ?", .text(sha256))
                }
            }
        }
    }

    /// Calls `body` with every file of an asset once, sorted.
    func eachAsset(
        _ body: (_ sha256: String, _ bytes: Int64) throws(ExportError) -> Void
    ) throws(ExportError) {
        let select = try file.reading { () throws(SQLiteError) in
            try file.connection.prepare("SELECT DISTINCT sha256, bytes FROM asset ORDER BY sha256")
        }
        defer { select.reset() }
        while try file.reading({ () throws(SQLiteError) in try select.step() }) {
            try body(select.text(at: 0), select.int64(at: 1))
        }
    }

    /// Whether a record has an asset in this file.
    func isNeeded(asset sha256: String) throws(ExportError) -> Bool {
        try file.reading { () throws(SQLiteError) in
            try !file.connection.rows(
                "SELECT 1 FROM asset WHERE sha256 = ? LIMIT 1", .text(sha256)
            ).isEmpty
        }
    }
}
