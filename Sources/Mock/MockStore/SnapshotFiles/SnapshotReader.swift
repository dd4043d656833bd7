import FileSystem
import SQLite

/// Reads a snapshot file, in slices, as a copy of a store.
///
/// Rows are taken only from tables that are defined as ``SnapshotFile`` defines them, and are used only when their digest
/// and those of all assets match: a file that was cut, damaged or edited is refused.
package final class SnapshotReader {
    /// The settings of the server that wrote the file.
    package let settings: String
    /// How much of it there is, once it is read.
    package private(set) var counts = Counts()
    /// Of the settings and all rows.
    let sha256: [UInt8]
    private let file: Connection
    private let image: StoreImage
    private let rows: RowCopy
    /// The rows with bytes of assets; nil until all others are read.
    private var parts: Statement?
    /// The assets whose bytes are to come, with their sizes.
    private var missing: [String: Int64] = [:]
    private var asset: (name: String, draft: AssetDraft)?
    private var drafts = 0

    /// What there is in a snapshot file.
    package struct Counts: Sendable {
        package var users = 0, databases = 0, zones = 0, records = 0, assets = 0
    }

    /// - Parameter place: Where the rows are kept.
    init(_ path: String, at place: Connection.Location) throws(MockStoreError) {
        try Self.checkHeader(path)
        do throws(SQLiteError) {
            file = try Connection(.file(path), readOnly: true)
            try file.execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
            try Self.checkTables(file)
            let seals = try file.rows("SELECT settings, sha256 FROM seal LIMIT 2")
            guard seals.count == 1, let settings = seals[0][0].string,
                let sha256 = seals[0][1].bytes
            else { throw SQLiteError(extendedCode: 11, message: "not sealed") }
            (self.settings, self.sha256) = (settings, sha256)
            let connection = try Connection(place)
            try StoreTables.prepare(connection)
            try StoreSchema.make(connection)
            try connection.begin()
            rows = try RowCopy(from: file, to: connection, tablesOf: file, settings: settings)
            image = StoreImage(connection, assets: try Self.folder())
        } catch {
            throw Self.refusal(error)
        }
    }

    private static func folder() throws(SQLiteError) -> AssetFolder {
        do throws(FileError) { return try AssetFolder() } catch { throw failure(error) }
    }

    private static func failure(_ error: FileError) -> SQLiteError {
        SQLiteError(extendedCode: 10, message: error.description)
    }

    private static func checkHeader(_ path: String) throws(MockStoreError) {
        let start: [UInt8]
        do throws(FileError) {
            start =
                try ByteFile(reading: path, named: "the snapshot file").read(
                    upTo: 16, at: 0) ?? []
        } catch {
            throw MockStoreError(.refused, error.description)
        }
        if start.starts(with: Array(#"{"archive""#.utf8)) {
            throw MockStoreError(
                .malformed,
                "archives of earlier versions cannot be read: seed the data again, and save it")
        }
        guard start == Array("SQLite format 3\0".utf8) else {
            throw notASnapshot
        }
    }

    private static func checkTables(_ file: Connection) throws(SQLiteError) {
        guard try number("PRAGMA application_id", file) == SnapshotFile.applicationID else {
            throw SQLiteError(extendedCode: 26, message: "another application's")
        }
        let model = try Connection(.memory)
        try SnapshotFile.makeTables(model)
        let version = try number("PRAGMA user_version", file)
        guard version <= StoreSchema.format,
            try SnapshotFile.definitions(file).isSubset(of: SnapshotFile.definitions(model))
        else { throw SQLiteError(extendedCode: -1, message: "format \(version)") }
    }

    private static func number(
        _ query: String, _ connection: Connection
    ) throws(SQLiteError) -> Int64 { try connection.rows(query).first?.first?.int64 ?? 0 }

    private static let notASnapshot = MockStoreError(
        .malformed,
        "this is not a snapshot file; \"cloudkit-mock snapshot save --to FILE\" writes one")

    private static func refusal(_ error: SQLiteError) -> MockStoreError {
        if error.extendedCode == -1 {
            return MockStoreError(
                .malformed,
                "the snapshot file was written by another version of cloudkit-mock: save it again")
        }
        if error.code == 26 { return notASnapshot }
        if error.isCorrupt || error.isConstraint {
            return MockStoreError(
                .malformed, "the snapshot file is damaged or was changed: \(error.message)")
        }
        return StoreTables.storeError(error)
    }

    /// Reads for some milliseconds.
    ///
    /// - Returns: The copy, when all of it is read.
    func readSome() throws(MockStoreError) -> StoreImage? {
        let end = ContinuousClock.now + .milliseconds(15)
        do throws(SQLiteError) {
            if try rows.copySome(until: end) { return nil }
            let parts = if let parts { parts } else { try beginAssets() }
            repeat {
                guard try parts.step() else {
                    try finish()
                    return image
                }
                try read(parts.bytes(at: 1), of: parts.text(at: 0))
            } while ContinuousClock.now < end
            return nil
        } catch {
            throw Self.refusal(error)
        }
    }

    private func damaged(_ reason: String) -> SQLiteError {
        SQLiteError(extendedCode: 11, message: reason)
    }

    // MARK: - Assets

    private func beginAssets() throws(SQLiteError) -> Statement {
        guard rows.digest() == sha256 else {
            throw damaged("its rows do not match their digest")
        }
        try image.connection.commit()
        for row in try image.connection.rows("SELECT digest, size FROM assets") {
            missing[row[0].string ?? ""] = row[1].int64
        }
        counts.assets = missing.count
        let parts = try file.compile("SELECT digest, bytes FROM asset_parts ORDER BY digest, part")
        self.parts = parts
        return parts
    }

    private func read(_ bytes: [UInt8], of name: String) throws(SQLiteError) {
        if asset?.name != name { try finishAsset() }
        guard let folder = image.assets else { return }
        if asset == nil {
            drafts += 1
            asset = (name, AssetDraft(drafts, in: folder))
        }
        do throws(FileError) { try asset?.draft.write(bytes) } catch { throw Self.failure(error) }
    }

    private func finishAsset() throws(SQLiteError) {
        guard let (name, draft) = asset.take() else { return }
        let found: AssetFile
        do throws(AssetDisk.Failure) {
            found = try draft.finish { _ in }
        } catch {
            throw Self.failure(error.reason)
        }
        guard found.digest.name == name, missing.removeValue(forKey: name) == found.size else {
            throw damaged("an asset does not match its digest")
        }
    }

    private func finish() throws(SQLiteError) {
        parts = nil
        try finishAsset()
        guard missing.isEmpty else { throw damaged("an asset is missing") }
        let connection = image.connection
        counts.users = Int(try Self.number("SELECT count(*) FROM users", connection))
        counts.databases = Int(try Self.number("SELECT count(*) FROM databases", connection))
        counts.zones = Int(
            try Self.number(
                "SELECT count(*) FROM zones WHERE live = 1 AND name <> '_defaultZone'", connection))
        counts.records = Int(
            try Self.number("SELECT count(*) FROM records WHERE type IS NOT NULL", connection))
    }
}
