import Basics
import FileSystem
package import JSON
import OpenSSL
import SQLite

/// Writes all that a store held at one moment, piece by piece: the same bytes for the same data.
package final class ArchiveWriter {
    /// A piece is longer than this by a line at most.
    private static let pieceBytes = 64 << 10

    /// What comes next.
    private enum Stage {
        case head, settings, store
        /// The rows of a section.
        case rows(Int)
        case assets
        case end, over
    }

    private let image: StoreImage
    private let settings: [UInt8]
    private var stage = Stage.head
    /// The rows that are under way.
    private var rows: Statement?
    /// The file that is under way.
    private var file: AssetReader?
    private var hash: SHA256? = SHA256()
    private var lines: Int64 = 0

    /// - Parameters:
    ///   - image: Not used by others.
    ///   - settings: The settings of the server, as ``settings(_:)`` writes them.
    package init(_ image: StoreImage, settings: [UInt8]) {
        self.image = image
        self.settings = settings
    }

    /// Writes the present contents of a store, which are copied at once.
    ///
    /// - Parameter settings: The settings of the server, as ``settings(_:)`` writes them.
    package convenience init(
        of store: MockStore, settings: [UInt8] = settings { _ in }
    ) throws(MockStoreError) {
        self.init(try StoreCopy(forArchiveOf: store).finish(), settings: settings)
    }

    /// The line with the settings of the server, which the store does not interpret.
    package static func settings(_ fill: (inout JSONWriter) -> Void) -> [UInt8] {
        line(ArchiveFormat.settings, fill)
    }

    /// The next lines; nil at the end.
    package func next() throws(MockStoreError) -> [UInt8]? {
        var piece: [UInt8] = []
        while piece.count < Self.pieceBytes, let line = try nextLine() {
            hash?.update(line)
            lines += 1
            piece += line
        }
        return piece.isEmpty ? nil : piece
    }

    private func nextLine() throws(MockStoreError) -> [UInt8]? {
        while true {
            switch stage {
            case .head:
                stage = .settings
                return Self.head
            case .settings:
                stage = .store
                return settings
            case .store:
                stage = .rows(0)
                return try storing { () throws(SQLiteError) in
                    try ArchiveStore(image.connection).line
                }
            case .rows(let place):
                let section = ArchiveSection.all[place]
                if let row = try nextRow(section.query) { return try section.line(row) }
                stage =
                    place + 1 < ArchiveSection.all.count ? .rows(place + 1) : .assets
            case .assets:
                if let line = try nextOfFile() { return line }
                guard let row = try nextRow(Self.assets) else {
                    stage = .end
                    continue
                }
                return try begin(row)
            case .end:
                stage = .over
                let sha256 = Hexadecimal.encode(hash.take()?.finish() ?? [])
                return Self.end(lines: lines, sha256: sha256)
            case .over: return nil
            }
        }
    }

    /// The first line.
    static var head: [UInt8] {
        line(ArchiveFormat.head) { $0.member("format", ArchiveFormat.number) }
    }

    /// The last line.
    ///
    /// - Parameters:
    ///   - lines: How many stand before it.
    ///   - sha256: Of all their bytes, in hexadecimal digits.
    static func end(lines: Int64, sha256: String) -> [UInt8] {
        line(ArchiveFormat.end) {
            $0.member("lines", lines)
            $0.member("sha256", sha256)
        }
    }

    /// What the lines with an asset's bytes follow.
    static func line(of digest: AssetDigest, size: Int64) -> [UInt8] {
        line(ArchiveFormat.asset) {
            $0.member("digest", digest.name)
            $0.member("size", size)
        }
    }

    private static func line(
        _ name: String, _ fill: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { $0.object(name, fill) }
        writer.endLine()
        return writer.bytes
    }

    private func nextRow(_ query: String) throws(MockStoreError) -> [Value]? {
        try storing { () throws(SQLiteError) in
            let rows = if let rows { rows } else { try image.connection.compile(query) }
            guard try rows.step() else {
                self.rows = nil
                return nil
            }
            self.rows = rows
            return (0..<rows.columnCount).map { rows.value(at: $0) }
        }
    }

    private func storing<Result>(
        _ body: () throws(SQLiteError) -> Result
    ) throws(MockStoreError) -> Result {
        do throws(SQLiteError) { return try body() } catch { throw StoreTables.storeError(error) }
    }

    // MARK: - Assets

    /// Those that records have: of others nobody will ask.
    private static let assets = """
        SELECT digest, size FROM assets AS a WHERE EXISTS (
            SELECT 1 FROM asset_links AS l WHERE l.digest = a.digest
                AND l.zone NOT IN (SELECT incarnation FROM doomed)) ORDER BY digest
        """

    private func begin(_ row: [Value]) throws(MockStoreError) -> [UInt8] {
        guard let digest = row[0].string.flatMap({ AssetDigest(name: $0) }),
            let size = row[1].int64, let folder = image.assets
        else { throw MockStoreError(.corrupt, "an asset's row is damaged") }
        do throws(FileError) {
            file = try AssetReader(folder.file(digest), size: size)
        } catch {
            throw MockStoreError(.failed, error.description)
        }
        return Self.line(of: digest, size: size)
    }

    private func nextOfFile() throws(MockStoreError) -> [UInt8]? {
        guard let file else { return nil }
        do throws(FileError) {
            guard let bytes = try file.next() else {
                self.file = nil
                return nil
            }
            var writer = JSONWriter()
            writer.object { $0.member(ArchiveFormat.bytes, Base64.encode(bytes)) }
            writer.endLine()
            return writer.bytes
        } catch {
            throw MockStoreError(.failed, error.description)
        }
    }
}

/// The bytes of an asset's file, in pieces of one length.
private final class AssetReader {
    private let file: ByteFile
    private let path: String
    private let size: Int64
    private var read: Int64 = 0

    package init(_ path: String, size: Int64) throws(FileError) {
        file = try ByteFile(reading: path)
        self.path = path
        self.size = size
    }

    func next() throws(FileError) -> [UInt8]? {
        guard read < size else { return nil }
        let wanted = Int(min(size - read, Int64(ArchiveFormat.assetBytes)))
        guard let bytes = try file.read(upTo: wanted, at: Int(read)), bytes.count == wanted else {
            throw FileError(path, "is shorter than before")
        }
        read += Int64(wanted)
        return bytes
    }
}
