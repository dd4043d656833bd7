import CloudModel

/// A container's schema, as far as a sweep needs it.
enum SchemaFile {
    private static let bytesMax = 4 << 20

    /// The names of the record types in a `.ckdb` file, system types left out.
    static func recordTypes(in path: String, files: Files) throws(FileError) -> [String] {
        let bytes = try files.read(path, bytesMax: bytesMax)
        var types: [String] = []
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split { $0 == " " || $0 == "\t" || $0 == "(" }
            if words.count >= 3, words[0] == "RECORD", words[1] == "TYPE" {
                types.append(String(words[2].filter { $0 != "\"" }))
            }
        }
        return types.filter { $0 != "Users" }
    }
}
