package import FileSystem

/// Finds the container list a verb works on.
package enum ContainerListLocator {
    private static let folder = "Containers"

    /// The file given, else the only `Containers/*.json`.
    package static func find(
        _ given: String?, files: Files
    ) throws(ConfigurationError) -> String {
        if let given { return given }
        guard files.facts(folder)?.isFolder == true else {
            throw ConfigurationError(
                "the folder does not exist; name a container list with -c FILE, or create one "
                    + "with \"cksweep containers init --from PATH\"", in: folder)
        }
        let lists = try all(files)
        guard let list = lists.first else {
            throw ConfigurationError(
                "contains no .json file; name a container list with -c FILE", in: folder)
        }
        guard lists.count == 1 else {
            let names = lists.map { $0.dropFirst(folder.count + 1) }
            throw ConfigurationError(
                "contains \(names.count) lists (\(names.joined(separator: ", "))); name one "
                    + "with -c FILE", in: folder)
        }
        return list
    }

    /// Every `Containers/*.json`, sorted; none where there is no such folder.
    package static func all(_ files: Files) throws(ConfigurationError) -> [String] {
        guard files.facts(folder)?.isFolder == true else { return [] }
        do throws(FileError) {
            return try files.names(in: folder).filter { $0.hasSuffix(".json") }
                .map { "\(folder)/\($0)" }
        } catch {
            throw ConfigurationError(error.reason, in: folder)
        }
    }
}
