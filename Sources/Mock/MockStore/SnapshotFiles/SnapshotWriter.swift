import FileSystem
import SQLite

/// Writes a copy of a store to a file, in slices.
package final class SnapshotWriter {
    /// Complete when ``writeSome()`` has returned false.
    package let file: SnapshotFile
    private let image: StoreImage
    private let settings: String
    private let connection: Connection
    private let rows: RowCopy
    /// The assets whose bytes are not in the file yet, with their sizes; nil until all rows are.
    private var assets: ArraySlice<AssetFile>?
    /// The part of the first of them that comes next.
    private var part = 0

    /// - Parameters:
    ///   - image: Not used by others.
    ///   - settings: The settings of the server, which the store does not interpret.
    package init(_ image: StoreImage, settings: String) throws(MockStoreError) {
        do throws(FileError) {
            file = try SnapshotFile()
        } catch {
            throw MockStoreError(.failed, error.description)
        }
        self.image = image
        self.settings = settings
        do throws(SQLiteError) {
            connection = try Connection(.file(file.path))
            // A file that is not complete is never read.
            try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            try SnapshotFile.makeTables(connection)
            try connection.begin()
            rows = try RowCopy(
                from: image.connection, to: connection, tablesOf: connection, settings: settings)
        } catch {
            throw StoreTables.storeError(error)
        }
    }

    /// Writes for some milliseconds.
    ///
    /// - Returns: Whether there is more.
    package func writeSome() throws(MockStoreError) -> Bool {
        let end = ContinuousClock.now + .milliseconds(15)
        do throws(SQLiteError) {
            if try rows.copySome(until: end) { return true }
            if assets == nil { assets = try findAssets() }
            repeat {
                guard let asset = assets?.first else {
                    try seal()
                    return false
                }
                try writePart(of: asset)
            } while ContinuousClock.now < end
            return true
        } catch {
            throw StoreTables.storeError(error)
        }
    }

    /// Writes all of it.
    package func finish() throws(MockStoreError) -> SnapshotFile {
        while try writeSome() {}
        return file
    }

    private func findAssets() throws(SQLiteError) -> ArraySlice<AssetFile> {
        try connection.rows("SELECT digest, size FROM assets ORDER BY digest")
            .map { row throws(SQLiteError) in
                guard let digest = row[0].string.flatMap({ AssetDigest(name: $0) }),
                    let size = row[1].int64
                else { throw SQLiteError(extendedCode: 11, message: "an asset's row is damaged") }
                return AssetFile(digest: digest, size: size)
            }[...]
    }

    /// Writes the next bytes of an asset; a row without any for one that is empty.
    private func writePart(of asset: AssetFile) throws(SQLiteError) {
        let start = part * SnapshotFile.partBytes
        let count = min(SnapshotFile.partBytes, Int(asset.size) - start)
        let bytes: [UInt8]
        do throws(FileError) {
            guard let folder = image.assets else { throw FileError("assets", "are missing") }
            let path = folder.file(asset.digest)
            bytes = try ByteFile(reading: path).read(upTo: count, at: start) ?? []
            guard bytes.count == count else { throw FileError(path, "is shorter than before") }
        } catch {
            throw SQLiteError(extendedCode: 10, message: "an asset cannot be read: \(error)")
        }
        try connection.run(
            "INSERT INTO asset_parts VALUES (?, ?, ?)", .text(asset.digest.name),
            .integer(Int64(part)), .blob(bytes))
        part += 1
        guard start + count == asset.size else { return }
        assets?.removeFirst()
        part = 0
    }

    private func seal() throws(SQLiteError) {
        try connection.run(
            "INSERT INTO seal VALUES (?, ?)", .text(settings), .blob(rows.digest()))
        try connection.commit()
    }
}
