import CloudModel
import FileSystem

/// A container's schema, as far as a sweep needs it.
enum SchemaFile {
    private static let bytesMax = 4 << 20

    /// The names of the record types in a `.ckdb` file; the type every container has is left out.
    static func recordTypes(in path: String, files: Files) throws(FileError) -> [String] {
        let bytes = try files.read(path, bytesMax: bytesMax)
        do throws(SchemaError) {
            let schema = try Schema(parsing: String(decoding: bytes, as: UTF8.self))
            return schema.recordTypes.map { $0.name }.filter { $0 != "Users" }
        } catch {
            throw FileError(path, "is malformed: \(error.description)")
        }
    }
}
