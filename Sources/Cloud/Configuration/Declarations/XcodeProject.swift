/// What a `project.pbxproj` says about its targets, as far as containers depend on it.
package struct XcodeProject: Sendable {
    /// A configuration file as a project names it.
    package struct FileReference: Sendable, Hashable {
        /// Where it lies by the project's groups; nil when that cannot be known.
        package let path: String?
        /// Its path as it stands in the project.
        package let written: String
    }

    /// For each target and configuration: the settings without a condition, then one for each condition.
    package let settings: [BuildSettings]
    /// Container identifiers that stand in the file itself, in whatever setting.
    package let mentioned: [String]

    /// Reads a project file.
    ///
    /// - Parameters:
    ///   - folder: Where the project's paths start: the folder that holds the `.xcodeproj`.
    ///   - configurationFile: The settings of an `.xcconfig` file, for a build configuration.
    /// - Returns: nil when the text is not a project file.
    package init?(
        _ bytes: [UInt8], folder: String,
        configurationFile: (FileReference, String) -> SettingsLayer
    ) {
        guard let document = PropertyList.read(bytes), let objects = document["objects"],
            let all = objects.dictionary
        else { return nil }
        let root = document["rootObject"]?.text.flatMap { objects[$0] }
        let reader = XcodeProjectObjects(
            all, folder: folder, projectPath: root?["projectDirPath"]?.text ?? "")
        var settings: [BuildSettings] = []
        let shared = reader.configurations(root)
        let targets = all.values.filter { $0["isa"]?.text?.hasSuffix("Target") == true }
        let named = targets.map { ($0["name"]?.text ?? "?", $0) }.sorted { $0.0 < $1.0 }
        let fixed = ["SRCROOT": folder, "PROJECT_DIR": folder, "SOURCE_ROOT": folder]
        for (name, target) in named {
            for configuration in reader.configurations(target) {
                let title = configuration["name"]?.text ?? "?"
                let inherited = shared.first { $0["name"]?.text == title }
                let own = ["TARGET_NAME": name, "CONFIGURATION": title]
                let layers =
                    [SettingsLayer(["PRODUCT_NAME": name])]
                    + (inherited.map { reader.layers($0, title, configurationFile) } ?? [])
                    + reader.layers(configuration, title, configurationFile)
                    + [SettingsLayer(own.merging(fixed) { $1 })]
                let conditions = Set(layers.flatMap(\.conditions)).sorted()
                settings += ([nil] + conditions.map { $0 }).map {
                    BuildSettings(target: "\(name) (\(title))", layers: layers, condition: $0)
                }
            }
        }
        self.settings = settings
        mentioned = Set(document.allTexts.flatMap { Self.identifiers(in: $0) }).sorted()
    }

    /// Words of a setting that are container identifiers.
    private static func identifiers(in text: String) -> [String] {
        guard text.contains("iCloud.") else { return [] }
        return text.split { $0.isWhitespace }.map { String($0) }.filter { $0.hasPrefix("iCloud.") }
    }
}
