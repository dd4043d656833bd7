/// The objects of a project file, which name one another by keys.
struct XcodeProjectObjects {
    private let objects: [String: PropertyList]
    private let folder: String
    private let parents: [String: String]
    private static let depthMax = 64

    /// - Parameters:
    ///   - folder: The folder that holds the `.xcodeproj`.
    ///   - projectPath: The way from there to where the paths of groups start.
    init(_ objects: [String: PropertyList], folder: String, projectPath: String) {
        self.objects = objects
        self.folder = projectPath.isEmpty ? folder : FilePath.join(folder, projectPath)
        var parents: [String: String] = [:]
        for (key, object) in objects {
            for child in object["children"]?.texts ?? [] { parents[child] = key }
        }
        self.parents = parents
    }

    func configurations(_ owner: PropertyList?) -> [PropertyList] {
        guard let key = owner?["buildConfigurationList"]?.text,
            let list = objects[key]?["buildConfigurations"]
        else { return [] }
        return list.texts.compactMap { objects[$0] }
    }

    /// The settings of a configuration: those of its file, then its own.
    func layers(
        _ configuration: PropertyList, _ title: String,
        _ configurationFile: (XcodeProject.FileReference, String) -> SettingsLayer
    ) -> [SettingsLayer] {
        var own = SettingsLayer()
        for (key, value) in configuration["buildSettings"]?.dictionary ?? [:] {
            own.set(key, to: value.texts.joined(separator: " "), in: title)
        }
        guard let reference = base(of: configuration) else { return [own] }
        return [configurationFile(reference, title), own]
    }

    /// The configuration file that a configuration is based on.
    private func base(of configuration: PropertyList) -> XcodeProject.FileReference? {
        if let key = configuration["baseConfigurationReference"]?.text {
            return XcodeProject.FileReference(
                path: path(of: key), written: objects[key]?["path"]?.text ?? key)
        }
        // A synchronized folder has no references: its path and the rest of the way.
        guard let rest = configuration["baseConfigurationReferenceRelativePath"]?.text else {
            return nil
        }
        let anchor = configuration["baseConfigurationReferenceAnchor"]?.text
        return XcodeProject.FileReference(
            path: anchor.flatMap { path(of: $0) }.map { FilePath.join($0, rest) }, written: rest)
    }

    /// Where a file or group lies by the groups around it.
    private func path(of key: String, depth: Int = 0) -> String? {
        guard depth < Self.depthMax, let object = objects[key] else { return nil }
        let own = object["path"]?.text ?? ""
        switch object["sourceTree"]?.text ?? "<group>" {
        case "<absolute>": return own
        case "SOURCE_ROOT": return own.isEmpty ? folder : FilePath.join(folder, own)
        case "<group>":
            let above = parents[key].flatMap { path(of: $0, depth: depth + 1) }
            guard let start = parents[key] == nil ? folder : above else { return nil }
            return own.isEmpty ? start : FilePath.join(start, own)
        default: return nil
        }
    }
}
