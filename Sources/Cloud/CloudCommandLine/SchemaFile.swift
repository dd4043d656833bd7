package import CloudModel
package import CommandLine
package import FileSystem

/// A `.ckdb` file that is named on the command line.
package enum SchemaFile {
    private static let bytesMax = 4 << 20

    /// Reads the schema in a file.
    package static func read(_ path: String, _ files: Files) throws(CommandFailure) -> Schema {
        let path = files.absolute(path)
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try files.read(path, bytesMax: bytesMax)
        } catch {
            throw CommandFailure(.usage, error.description)
        }
        do throws(SchemaError) {
            return try Schema(parsing: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw CommandFailure(.usage, "\(path): \(error)")
        }
    }
}
