package import FileSystem
import SQLite

/// A snapshot file in a temporary folder, which is removed with this.
///
/// The file is an SQLite database with the tables of the store, the bytes of the assets, and a seal: the server's settings
/// and a digest of all rows.
package final class SnapshotFile: Sendable {
    /// How long a file may be.
    package static let bytesMax = 8 << 30
    /// Bytes of an asset in one row.
    static let partBytes = 256 << 10
    /// What the header of such a database has: "cksn".
    static let applicationID: Int64 = 0x636B_736E

    private static let additions = """
        CREATE TABLE asset_parts (
            digest TEXT, part INTEGER, bytes BLOB NOT NULL, PRIMARY KEY (digest, part)
        );
        CREATE TABLE seal (settings TEXT NOT NULL, sha256 BLOB NOT NULL);
        PRAGMA application_id = \(applicationID);
        """

    private let folder: AssetFolder
    package var path: String { "\(folder.path)/snapshot" }

    /// Makes a folder for a file.
    package init() throws(FileError) { folder = try AssetFolder() }

    /// The file, to be written from its beginning.
    package func create() throws(FileError) -> ByteFile { try ByteFile(creating: path) }

    /// Makes the tables of a snapshot file.
    static func makeTables(_ connection: Connection) throws(SQLiteError) {
        try StoreSchema.make(connection)
        try connection.execute(additions)
    }

    /// How the tables and indexes of a database are defined.
    static func definitions(_ connection: Connection) throws(SQLiteError) -> Set<[Value]> {
        Set(try connection.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema"))
    }
}
