import CloudModel
import FileSystem

/// A container's schema on disk.
enum SchemaFile {
    private static let bytesMax = 4 << 20

    /// What a `.ckdb` file says.
    static func read(_ path: String, files: Files) throws(FileError) -> Schema {
        let bytes = try files.read(path, bytesMax: bytesMax)
        do throws(SchemaError) {
            return try Schema(parsing: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw FileError(path, "is malformed: \(error.description)")
        }
    }
}
