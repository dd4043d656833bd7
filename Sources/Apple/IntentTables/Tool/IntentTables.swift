import FoundationEssentials
import Glibc

/// Writes the Swift code of tables of intents: `IntentTables FOLDER TABLE…`.
///
/// Apple's intents are alike: a class with parameters, a response with a code, and a handler whose
/// every method has two forms. A table says what is different, once.
@main
struct IntentTables {
    static func main() {
        do {
            try write()
        } catch {
            print(error)
            exit(1)
        }
    }

    private static func write() throws {
        guard CommandLine.arguments.count > 2 else {
            throw TableError(file: "IntentTables", line: 0, message: "wants FOLDER TABLE…")
        }
        let folder = URL(filePath: CommandLine.arguments[1])
        let files = CommandLine.arguments.dropFirst(2).map { URL(filePath: $0) }
        let tables = try files.map { file in
            try TableReader.table(
                String(contentsOf: file, encoding: .utf8), file: file.path(percentEncoded: false))
        }
        let types = Types(tables)
        for (file, table) in zip(files, tables) {
            let name = file.deletingPathExtension().lastPathComponent + ".swift"
            try Writer.code(of: table, types)
                .write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
        }
    }
}
