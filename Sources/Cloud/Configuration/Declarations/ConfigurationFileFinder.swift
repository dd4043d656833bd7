import FileSystem

/// Finds the `.xcconfig` file that a project means.
struct ConfigurationFileFinder {
    private let files: Files
    private let paths: [String]

    /// - Parameter paths: The configuration files that were found.
    init(_ paths: [String], files: Files) {
        self.paths = paths
        self.files = files
    }

    /// The settings of a file, or a layer without settings that says why it was not read.
    ///
    /// - Parameters:
    ///   - folder: The project's folder.
    ///   - shown: That folder as the user named it, for messages.
    func read(
        _ reference: XcodeProject.FileReference, for configuration: String, below folder: String,
        shownAs shown: String
    ) -> SettingsLayer {
        let reader = ConfigurationFile(files: files, configuration: configuration)
        if let path = reference.path.map({ FilePath.normal($0) }), files.facts(path)?.isFile == true
        {
            let named = paths.first { FilePath.normal(files.absolute($0)) == path }
            return reader.read(named ?? path)
        }
        // Without its groups a reference is a name. Only a file of the project's own is meant.
        let ending = "/" + FilePath.normal(reference.written)
        let matches = paths.filter {
            let path = FilePath.normal(files.absolute($0))
            return path.hasPrefix(folder == "/" ? "/" : folder + "/") && path.hasSuffix(ending)
        }
        if matches.count == 1 { return reader.read(matches[0]) }
        let below = reference.path.map { FilePath.normal($0) }
            .flatMap { $0.hasPrefix(folder + "/") ? String($0.dropFirst(folder.count + 1)) : nil }
        let named = FilePath.join(shown, below ?? reference.written)
        let reason =
            matches.isEmpty
            ? "cannot read \(named): it is missing"
            : "\(reference.written) is ambiguous; it may be any of "
                + "\(matches.joined(separator: ", "))"
        return SettingsLayer(doubts: [reason])
    }
}
