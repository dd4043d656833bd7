package import CloudModel
package import FileSystem

/// A container that an app's own files declare.
package struct DeclaredContainer: Sendable, Hashable {
    package let id: Container.ID
    /// Where it is declared, for people: the file, and the target where that matters.
    package let place: String
}

/// The containers an app declares: in entitlements, `Info.plist` files, provisioning profiles, Xcode
/// projects and what such are generated from, wherever they lie below the given paths.
package struct DeclarationScan: Sendable {
    package internal(set) var containers: [DeclaredContainer] = []
    /// What could not be read or resolved; each may hide a container.
    package internal(set) var problems: [String] = []
    /// How many declaring files were read.
    package private(set) var fileCount = 0
    /// Schema files (`.ckdb`) met, sorted. None says which container it is of.
    package private(set) var schemas: [String] = []
    /// The bundle identifiers met, sorted.
    package private(set) var bundleIdentifiers: [String] = []

    /// Texts that allow every container of a team and name none, with their places.
    package internal(set) var wildcards: [String] = []
    /// The environments that the app is signed for, in small letters, sorted.
    package private(set) var environments: [String] = []

    private let files: Files
    private static let depthMax = 32
    private static let filesMax = 20_000

    /// Looks below each path; a path may also be a file.
    package init(_ paths: [String], files: Files) throws(FileError) {
        self.files = files
        var found: [String] = []
        for path in paths.map({ FilePath.withoutSlash($0) }) {
            guard let facts = files.facts(path) else { throw FileError(path, "does not exist") }
            if facts.isFolder {
                try Self.collect(path, files, depth: 0, into: &found)
            } else {
                found.append(path)
            }
        }
        schemas = found.filter { DeclaringFile($0) == .schema }.sorted()
        read(found)
        var seen: Set<DeclaredContainer> = []
        containers = containers.filter { seen.insert($0).inserted }
            .sorted { ($0.id, $0.place) < ($1.id, $1.place) }
        var reported: Set<String> = []
        problems = problems.filter { reported.insert($0).inserted }
        bundleIdentifiers = Set(bundleIdentifiers).sorted()
        environments = Set(environments).sorted()
        wildcards = Set(wildcards).sorted()
    }

    private static func collect(
        _ folder: String, _ files: Files, depth: Int, into found: inout [String]
    ) throws(FileError) {
        guard depth < depthMax else { throw FileError(folder, "is nested too deeply") }
        for name in try files.names(in: folder) where !name.hasPrefix(".") {
            let path = folder == "." ? name : folder == "/" ? "/\(name)" : "\(folder)/\(name)"
            if files.facts(path)?.isFolder == true {
                if name == "DerivedData" || name == "node_modules" { continue }
                if files.isLink(path) { continue }
                try collect(path, files, depth: depth + 1, into: &found)
            } else if DeclaringFile(name) != nil {
                found.append(path)
                guard found.count <= filesMax else {
                    throw FileError(folder, "contains more than \(filesMax) declaring files")
                }
            }
        }
    }

    private mutating func read(_ paths: [String]) {
        let (projects, named) = readProjects(paths)
        for path in paths + named {
            // A file that was named itself is read whatever it is called.
            let kind = DeclaringFile(path) ?? .propertyList
            guard ![.project, .configuration, .schema].contains(kind) else { continue }
            let bytes: [UInt8]
            do throws(FileError) {
                bytes = try files.read(path)
            } catch {
                problems.append(error.description)
                continue
            }
            let text = SourceText(bytes)
            switch kind {
            case .generator(let form):
                guard DeclaringFile.mayDeclare(text) else { continue }
                fileCount += 1
                take(GeneratedProject(bytes, form), at: path, by: projects)
            case .profile:
                fileCount += 1
                readProfile(bytes, text, at: path)
            default:
                let list = PropertyList.read(bytes)
                guard
                    list?.dictionary != nil || kind == .propertyList || text.isUnreadable
                        || DeclaringFile.mayDeclare(text)
                else { continue }
                guard let list, list.dictionary != nil else {
                    fileCount += 1
                    problems.append("\(path) is not a readable property list")
                    continue
                }
                let hasTaken = take(list, in: text, at: path, by: projects)
                if hasTaken || kind == .propertyList { fileCount += 1 }
            }
        }
    }

    /// The property list inside a provisioning profile, which is signed but not encrypted.
    private mutating func readProfile(_ bytes: [UInt8], _ text: SourceText, at path: String) {
        guard let start = bytes.firstRange(of: Array("<?xml".utf8))?.lowerBound,
            let end = bytes[start...].firstRange(of: Array("</plist>".utf8))?.upperBound,
            let list = PropertyList.read(Array(bytes[start..<end])), list.dictionary != nil
        else {
            problems.append("\(path) is not a readable property list")
            return
        }
        guard list["Entitlements"]?.dictionary != nil else {
            problems.append("\(path) is a provisioning profile without entitlements")
            return
        }
        take(list, in: text, at: path, by: [])
    }

    /// - Returns: The settings of all targets, and the files that they name and that were not found.
    private mutating func readProjects(
        _ paths: [String]
    ) -> (settings: [BuildSettings], files: [String]) {
        let finder = ConfigurationFileFinder(
            paths.filter { DeclaringFile($0) == .configuration }, files: files)
        let known = Set(paths.map { FilePath.normal(files.absolute($0)) })
        var all: [BuildSettings] = []
        var elsewhere: Set<String> = []
        for path in paths where DeclaringFile(path) == .project {
            let parts = FilePath.normal(files.absolute(path)).split(separator: "/").dropLast(2)
            let folder = "/" + parts.joined(separator: "/")
            let bytes: [UInt8]
            do throws(FileError) {
                bytes = try files.read(path)
            } catch {
                problems.append(error.description)
                continue
            }
            fileCount += 1
            let shown = FilePath.folder(of: FilePath.folder(of: path))
            let project = XcodeProject(
                bytes, folder: folder,
                configurationFile: { finder.read($0, for: $1, below: folder, shownAs: shown) })
            guard let project else {
                problems.append("\(path) is not a readable project file")
                continue
            }
            all += project.settings
            bundleIdentifiers += project.settings.compactMap { $0["PRODUCT_BUNDLE_IDENTIFIER"] }
                .filter { !BuildSettings.isUnresolved($0) }
            for text in project.mentioned {
                let users = project.settings.filter { $0.mentions(text) }
                take(text, at: path, line: nil, by: users.isEmpty ? project.settings : users)
            }
            for settings in project.settings {
                elsewhere.formUnion(filesNamed(by: settings, of: path))
            }
        }
        return (all, elsewhere.subtracting(known).sorted())
    }

    /// The declaring files that a target names. Entitlements that are missing may declare anything.
    private mutating func filesNamed(by settings: BuildSettings, of path: String) -> [String] {
        let files = files
        func existing(_ key: String) -> [String] {
            settings.paths(key).filter { files.facts($0)?.isFile == true }
        }
        let entitlements = existing("CODE_SIGN_ENTITLEMENTS")
        if entitlements.isEmpty, !settings.paths("CODE_SIGN_ENTITLEMENTS").isEmpty {
            problems.append(
                "\(path), \(settings.name): CODE_SIGN_ENTITLEMENTS names "
                    + "\(settings["CODE_SIGN_ENTITLEMENTS"] ?? ""), which is missing")
        }
        return entitlements + existing("INFOPLIST_FILE")
    }

    /// Takes what a property list declares, at whatever depth.
    ///
    /// - Returns: Whether it has a key that declares.
    @discardableResult
    private mutating func take(
        _ list: PropertyList, in text: SourceText, at path: String, by projects: [BuildSettings]
    ) -> Bool {
        var hasTaken = false
        let place = FilePath.normal(files.absolute(path)).lowercased()
        let keys = DeclaringFile.keys + [DeclaringFile.environmentKey]
        for (key, value) in list.pairs where keys.contains(key) {
            let isInfo = key == DeclaringFile.infoKey
            let users = projects.filter {
                $0.paths(isInfo ? "INFOPLIST_FILE" : "CODE_SIGN_ENTITLEMENTS")
                    .contains { $0.lowercased() == place }
            }
            if key == DeclaringFile.environmentKey {
                environments += value.texts.flatMap { text in
                    users.isEmpty ? [text] : users.map { $0.resolve(text) }
                }.map { $0.lowercased() }
                continue
            }
            hasTaken = true
            let texts: [String]? = isInfo ? value.dictionary?.keys.sorted() : value.plainTexts
            guard let texts else {
                let needed = isInfo ? "a dictionary of containers" : "a list of identifiers"
                problem(path, text.line(of: nil, after: key), "\(key) is not \(needed)")
                continue
            }
            for value in texts {
                take(value, at: path, line: text.line(of: value, after: key), by: users)
            }
        }
        return hasTaken
    }

    private mutating func take(
        _ generated: GeneratedProject, at path: String, by projects: [BuildSettings]
    ) {
        for (line, reason) in generated.problems { problem(path, line, reason) }
        // What the tool made of it, where that is there, resolves its variables.
        let folder = FilePath.folder(of: FilePath.normal(files.absolute(path)))
        let users = projects.filter {
            $0["SRCROOT"] == folder && $0["CODE_SIGN_ENTITLEMENTS"] != nil
        }
        for declared in generated.declared {
            take(declared.text, at: path, line: declared.line, by: users, showsLine: true)
        }
    }
}
