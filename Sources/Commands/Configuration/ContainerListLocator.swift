package import FileSystem

/// Finds the container list a verb works on.
package enum ContainerListLocator {
    /// The file given, else the only `Containers/*.json`.
    package static func find(
        _ given: String?, files: Files
    ) throws(ConfigurationError) -> String {
        if let given { return given }
        let folder = "Containers"
        guard files.facts(folder)?.isFolder == true else {
            throw ConfigurationError(
                "there is no such folder; name a container list with -c FILE, or make one with "
                    + "\"cksweep containers init --from PATH\"", in: folder)
        }
        let names: [String]
        do throws(FileError) {
            names = try files.names(in: folder).filter { $0.hasSuffix(".json") }
        } catch {
            throw ConfigurationError(error.reason, in: folder)
        }
        guard let name = names.first else {
            throw ConfigurationError(
                "holds no .json file; name a container list with -c FILE", in: folder)
        }
        guard names.count == 1 else {
            throw ConfigurationError(
                "holds \(names.count) lists (\(names.joined(separator: ", "))); name one with "
                    + "-c FILE", in: folder)
        }
        return "\(folder)/\(name)"
    }
}
