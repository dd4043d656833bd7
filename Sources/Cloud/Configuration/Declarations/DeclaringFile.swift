/// The kinds of files that can declare a container, by their names.
enum DeclaringFile: Sendable, Hashable {
    /// Entitlements or an `Info.plist`, which must be property lists.
    case propertyList
    /// Any other property list, which declares by what it holds.
    case otherPropertyList
    case profile
    case project
    case configuration
    case schema
    /// What a tool makes a project of, and with it the entitlements.
    case generator(GeneratedProject.Form)

    /// The keys of entitlements that name containers.
    static let entitlementKeys = [
        "com.apple.developer.icloud-container-identifiers",
        "com.apple.developer.icloud-container-development-container-identifiers",
        "com.apple.developer.ubiquity-container-identifiers",
    ]
    /// The key of an `Info.plist` that names containers.
    static let infoKey = "NSUbiquitousContainers"
    /// The key of entitlements that names the environments.
    static let environmentKey = "com.apple.developer.icloud-container-environment"
    /// All keys that name containers.
    static let keys = entitlementKeys + [infoKey]

    /// The kind of a file; nil when it declares nothing.
    init?(_ path: String) {
        let name = FilePath.name(of: path).lowercased()
        switch name {
        case "project.pbxproj": self = .project
        case "project.yml", "project.yaml": self = .generator(.yaml)
        case "app.json", "app.config.json", "tauri.conf.json": self = .generator(.json)
        case "app.config.js", "app.config.ts", "app.config.mjs", "app.config.cjs",
            "project.swift", "build", "build.bazel":
            self = .generator(.program)
        default:
            guard let dot = name.lastIndex(of: ".") else { return nil }
            switch name[dot...] {
            case ".entitlements", ".xcent": self = .propertyList
            case ".plist":
                let isNamed = name.hasSuffix("info.plist") || name.hasSuffix("entitlements.plist")
                self = isNamed ? .propertyList : .otherPropertyList
            case ".mobileprovision", ".provisionprofile": self = .profile
            case ".xcconfig": self = .configuration
            case ".ckdb": self = .schema
            case ".yml", ".yaml": self = .generator(.yaml)
            case ".csproj", ".props", ".targets", ".bzl": self = .generator(.program)
            default: return nil
            }
        }
    }

    /// Whether a text may declare a container. A file that is known by its name is always read.
    static func mayDeclare(_ text: SourceText) -> Bool {
        (keys + [GeneratedProject.storageKey]).contains { text.contains($0) }
    }
}
