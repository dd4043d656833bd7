package import CloudModel
package import FileSystem

/// A container that an app's own files declare.
package struct DeclaredContainer: Sendable, Hashable {
    package let id: Container.ID
    /// Where it is declared, for people: the file, and the target where that matters.
    package let place: String
}

/// The containers an app declares: in `.entitlements`, `Info.plist`, `.mobileprovision` and
/// `project.pbxproj`, wherever they lie below the given paths.
package struct DeclarationScan: Sendable {
    package private(set) var containers: [DeclaredContainer] = []
    /// What could not be read or resolved; each may hide a container.
    package private(set) var problems: [String] = []
    /// How many declaring files were read.
    package private(set) var fileCount = 0
    /// Schema files (`.ckdb`) met, sorted. None says which container it is of.
    package private(set) var schemas: [String] = []
    /// The bundle identifiers met, sorted.
    package private(set) var bundleIdentifiers: [String] = []

    private let files: Files
    private static let depthMax = 32
    private static let filesMax = 20_000
    private static let entitlementKeys = [
        "com.apple.developer.icloud-container-identifiers",
        "com.apple.developer.icloud-container-development-container-identifiers",
        "com.apple.developer.ubiquity-container-identifiers",
    ]

    /// Looks below each path; a path may also be a file.
    package init(_ paths: [String], files: Files) throws(FileError) {
        self.files = files
        var found: [String] = []
        for path in paths {
            guard let facts = files.facts(path) else { throw FileError(path, "is not there") }
            if facts.isFolder {
                try Self.collect(path, files, depth: 0, into: &found)
            } else {
                found.append(path)
            }
        }
        schemas = found.filter { $0.hasSuffix(".ckdb") }.sorted()
        read(found.filter { !$0.hasSuffix(".ckdb") })
        var seen: Set<DeclaredContainer> = []
        containers = containers.filter { seen.insert($0).inserted }
            .sorted { ($0.id, $0.place) < ($1.id, $1.place) }
        bundleIdentifiers = Set(bundleIdentifiers).sorted()
    }

    private static func collect(
        _ folder: String, _ files: Files, depth: Int, into found: inout [String]
    ) throws(FileError) {
        guard depth < depthMax else { throw FileError(folder, "is nested too deeply") }
        for name in try files.names(in: folder) where !name.hasPrefix(".") {
            let path = folder == "." ? name : "\(folder)/\(name)"
            if files.facts(path)?.isFolder == true {
                if name == "DerivedData" || name == "node_modules" { continue }
                if files.isLink(path) { continue }
                try collect(path, files, depth: depth + 1, into: &found)
            } else if isDeclaring(name) {
                found.append(path)
                guard found.count <= filesMax else {
                    throw FileError(folder, "holds more than \(filesMax) declaring files")
                }
            }
        }
    }

    private static func isDeclaring(_ name: String) -> Bool {
        name.hasSuffix(".entitlements") || name.hasSuffix("Info.plist")
            || name.hasSuffix(".mobileprovision") || name.hasSuffix(".provisionprofile")
            || name == "project.pbxproj" || name.hasSuffix(".xcconfig") || name.hasSuffix(".ckdb")
    }

    private mutating func read(_ paths: [String]) {
        let projects = readProjects(paths)
        for path in paths {
            let name = path.split(separator: "/").last.map { String($0) } ?? path
            guard name != "project.pbxproj", !name.hasSuffix(".xcconfig") else { continue }
            let bytes: [UInt8]
            do throws(FileError) {
                bytes = try files.read(path)
            } catch {
                problems.append(error.description)
                continue
            }
            fileCount += 1
            let isProfile =
                name.hasSuffix(".mobileprovision") || name.hasSuffix(".provisionprofile")
            guard let list = isProfile ? Self.readProfile(bytes) : PropertyList.read(bytes),
                list.dictionary != nil
            else {
                problems.append("\(path) is not a property list that can be read")
                continue
            }
            if isProfile {
                take(list["Entitlements"] ?? .other, at: path, by: [])
            } else if name.hasSuffix(".entitlements") {
                take(
                    list, at: path, by: projects.filter { uses($0, "CODE_SIGN_ENTITLEMENTS", path) }
                )
            } else {
                let users = projects.filter { uses($0, "INFOPLIST_FILE", path) }
                let declared = list["NSUbiquitousContainers"]?.dictionary?.keys.sorted() ?? []
                take(declared, at: path, by: users)
            }
        }
    }

    private mutating func readProjects(_ paths: [String]) -> [BuildSettings] {
        let configurations = paths.filter { $0.hasSuffix(".xcconfig") }
        let files = files
        func configurationFile(_ path: String) -> String? {
            let name = path.split(separator: "/").last.map { "/\($0)" } ?? path
            guard let match = configurations.first(where: { "/\($0)".hasSuffix(name) }) else {
                return nil
            }
            return (try? files.read(match)).map { String(decoding: $0, as: UTF8.self) }
        }
        var all: [BuildSettings] = []
        for path in paths where path.hasSuffix("project.pbxproj") {
            let parts = files.absolute(path).split(separator: "/").dropLast(2)
            let folder = "/" + parts.joined(separator: "/")
            guard let bytes = try? files.read(path),
                let project = XcodeProject(
                    bytes, folder: folder, configurationFile: configurationFile)
            else {
                problems.append("\(path) is not a project file that can be read")
                continue
            }
            fileCount += 1
            all += project.settings
            bundleIdentifiers += project.settings.compactMap { $0["PRODUCT_BUNDLE_IDENTIFIER"] }
                .filter { !BuildSettings.isUnresolved($0) }
            take(project.mentioned, at: path, by: project.settings)
        }
        return all
    }

    /// Whether a target names a file in one of its settings.
    private func uses(_ settings: BuildSettings, _ key: String, _ path: String) -> Bool {
        guard let value = settings[key], let root = settings["SRCROOT"] else { return false }
        let wanted = value.hasPrefix("/") ? value : "\(root)/\(value)"
        return wanted == files.absolute(path)
    }

    private mutating func take(_ list: PropertyList, at path: String, by users: [BuildSettings]) {
        for key in Self.entitlementKeys {
            guard let value = list[key] else { continue }
            take(value.texts, at: path, by: users)
        }
    }

    private mutating func take(_ texts: [String], at path: String, by users: [BuildSettings]) {
        for text in texts {
            guard text != "*", text != "iCloud.*", text != "$(TeamIdentifierPrefix)*" else {
                continue  // a profile's wildcard names no container
            }
            let plain =
                text.hasPrefix("$(TeamIdentifierPrefix)")
                ? String(text.dropFirst("$(TeamIdentifierPrefix)".count)) : text
            guard BuildSettings.isUnresolved(plain) else {
                take(identifier: plain, from: text, place: path)
                continue
            }
            let resolved = users.map { ($0.resolve(plain), "\(path), \($0.name)") }
            if resolved.isEmpty {
                problems.append(
                    "\(path): \"\(text)\" has a variable, and no target names this file")
            }
            for (value, place) in resolved { take(identifier: value, from: text, place: place) }
        }
    }

    private mutating func take(identifier: String, from text: String, place: String) {
        if BuildSettings.isUnresolved(identifier) {
            problems.append("\(place): \"\(text)\" has a variable that no build setting resolves")
        } else if let id = Container.ID(identifier) {
            containers.append(DeclaredContainer(id: id, place: place))
        } else if let problem = Container.ID.problem(in: identifier),
            identifier.hasPrefix("iCloud")
        {
            problems.append("\(place): container \"\(identifier)\" \(problem)")
        }
    }

    /// The property list inside a provisioning profile, which is signed but not encrypted.
    static func readProfile(_ bytes: [UInt8]) -> PropertyList? {
        guard let start = bytes.firstRange(of: Array("<?xml".utf8))?.lowerBound,
            let end = bytes[start...].firstRange(of: Array("</plist>".utf8))?.upperBound
        else { return nil }
        return PropertyList.read(Array(bytes[start..<end]))
    }
}
