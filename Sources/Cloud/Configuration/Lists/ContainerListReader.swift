import Basics
import CloudModel
package import FileSystem
import JSON

/// Reads a container list, strictly.
package struct ContainerListReader {
    let file: String
    private let files: Files

    private static let bytesMax = 4 << 20
    private static let keys = [
        "version", "application", "environment", "server", "containers", "databases", "protect",
        "notInScope", "approvals", "approvers", "caps", "othersByCascade", "leaveShared",
        "credentials",
        "donations", "sync", "hooks",
    ]

    private init(_ file: String, _ files: Files) {
        self.file = file
        self.files = files
    }

    /// The list in `file`. No variable and no secret is read yet.
    package static func read(
        _ file: String, files: Files
    ) throws(ConfigurationError) -> ContainerList {
        try ContainerListReader(file, files).read()
    }

    private func read() throws(ConfigurationError) -> ContainerList {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try files.read(file, bytesMax: Self.bytesMax)
        } catch {
            throw ConfigurationError(error.reason, in: file)
        }
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument.parse(bytes)
        } catch {
            throw ConfigurationError(
                error.reason, in: file, line: error.line, column: error.column)
        }
        return try list(from: document.root)
    }

    private func list(from root: JSONValue) throws(ConfigurationError) -> ContainerList {
        let top = try ConfigurationObject(
            root, in: file, name: "the container list", keys: Self.keys)
        let version = try top.required("version")
        guard version.int64 == 1 else {
            throw top.error("\"version\" must be 1, the only supported version", at: version)
        }
        let environment = try top.choice(
            top.required("environment"), "environment",
            among: Container.Environment.allCases.map { $0.rawValue })
        var list = ContainerList(
            file: file, application: try top.text("application"),
            environment: Container.Environment(rawValue: environment) ?? .development,
            server: try server(top), containers: try containers(top),
            databases: try databases(top), protect: [], notInScope: [], caps: try caps(top),
            credentials: try credentials(top))
        list.othersByCascade = try choice("othersByCascade", of: top) ?? .refuse
        list.leaveShared = try choice("leaveShared", of: top) ?? .keepMine
        list.approvals = try ApprovalReader(top: top).rule()
        list.donations = try donations(top, list)
        list.sync = try sync(top)
        list.hooks = try hooks(top)
        list.notInScope = try exclusions(top, list)
        list.protect = try rules(top, list)
        try checkDefaults(top, list)
        return list
    }

    private func server(
        _ top: ConfigurationObject
    ) throws(ConfigurationError) -> ContainerList.Server? {
        guard let member = top.value["server"] else { return nil }
        let object = try ConfigurationObject(
            member, in: file, name: "\"server\"", keys: ["url", "ca"])
        let url = try setting(object, object.required("url"), "url")
        if case .literal(let text) = url.value, let problem = ServerAddress.problem(in: text) {
            throw object.error("\"url\" \(problem)", at: object.value["url"])
        }
        var authority: ContainerList.Setting?
        if let value = object.value["ca"] { authority = try setting(object, value, "ca") }
        return ContainerList.Server(url: url, authority: authority)
    }

    private func donations(
        _ top: ConfigurationObject, _ list: ContainerList
    ) throws(ConfigurationError) -> ContainerList.Donations? {
        guard let member = top.value["donations"] else { return nil }
        let object = try ConfigurationObject(
            member, in: file, name: "\"donations\"", keys: ["store", "application"])
        let store = try setting(object, object.required("store"), "store")
        let application = try object.text("application")
        guard application != nil || list.application != nil else {
            throw object.error(
                "\"donations\" needs an \"application\": the bundle identifier of the app")
        }
        return ContainerList.Donations(store: store, application: application)
    }

    private func sync(
        _ top: ConfigurationObject
    ) throws(ConfigurationError) -> ContainerList.Sync {
        var sync = ContainerList.Sync()
        guard let member = top.value["sync"] else { return sync }
        let object = try ConfigurationObject(
            member, in: file, name: "\"sync\"", keys: ["interval", "onEncryptedReset"])
        if let value = object.value["interval"] {
            let text = try object.text(value, "interval")
            guard let pause = DurationText.parse(text), pause >= .seconds(1) else {
                throw object.error(
                    "\"interval\" must be a duration of at least 1s, such as \"15m\" or \"1h30m\"",
                    at: value)
            }
            sync.interval = pause
        }
        if let value = object.value["onEncryptedReset"] {
            sync.keepsDonationsOnReset =
                try object.choice(value, "onEncryptedReset", among: ["drop", "keep"]) == "keep"
        }
        return sync
    }

    func setting(
        _ object: ConfigurationObject, _ value: JSONValue, _ key: String
    ) throws(ConfigurationError) -> ContainerList.Setting {
        let text = try object.text(value, key)
        let place = object.place(of: value)
        guard text.hasPrefix("env:") else {
            return ContainerList.Setting(value: .literal(text), place: place)
        }
        let name = try variableName(text, object, value, key)
        return ContainerList.Setting(value: .variable(name), place: place)
    }

    func variableName(
        _ text: String, _ object: ConfigurationObject, _ value: JSONValue, _ key: String
    ) throws(ConfigurationError) -> String {
        let name = String(text.dropFirst(4))
        let isName = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || byte == 0x5F
        }
        guard !name.isEmpty, isName, name.utf8.first.map({ !(0x30...0x39).contains($0) }) == true
        else { throw object.error("\"\(key)\" names no variable after \"env:\"", at: value) }
        return name
    }

    private func containers(
        _ top: ConfigurationObject
    ) throws(ConfigurationError) -> [ContainerList.Entry] {
        _ = try top.required("containers")
        var entries: [ContainerList.Entry] = []
        for element in try top.list("containers") ?? [] {
            let object = try ConfigurationObject(
                element, in: file, name: "a container",
                keys: [
                    "identifier", "default", "schema", "zones", "recordTypes", "retiredTypes",
                    "customZonesOnly",
                    "othersByCascade", "leaveShared", "credentials",
                ])
            let id = try identifier(object)
            guard !entries.contains(where: { $0.id == id }) else {
                throw object.error(
                    "the container \"\(id)\" is listed twice", at: object.value["identifier"])
            }
            var entry = ContainerList.Entry(
                id: id, place: object.value["identifier"].map(object.place),
                isDefault: try object.flag("default") ?? false,
                zones: try zones(object), recordTypes: try object.texts("recordTypes"),
                schema: try object.text("schema"), credentials: try credentials(object))
            try addSchema(to: &entry, object)
            // A schema without types is no word about the default zone.
            entry.knowsRecordTypes =
                object.value["recordTypes"] != nil || !entry.recordTypes.isEmpty
            entry.customZonesOnly = try object.flag("customZonesOnly") ?? false
            entry.retiredTypes = try retiredTypes(object, entry)
            entry.othersByCascade = try choice("othersByCascade", of: object)
            entry.leaveShared = try choice("leaveShared", of: object)
            entries.append(entry)
        }
        guard !entries.isEmpty else {
            throw top.error("\"containers\" is empty", at: top.value["containers"])
        }
        return entries
    }

    private func zones(_ object: ConfigurationObject) throws(ConfigurationError) -> [String] {
        let zones = try object.texts("zones")
        for (index, zone) in zones.enumerated() {
            // Apple's headers say ASCII, but its framework creates zones with other names, too.
            let hasControls = zone.unicodeScalars.contains {
                $0.properties.generalCategory == .control
            }
            guard !zone.hasPrefix("_"), zone.utf16.count <= 255, !hasControls else {
                let values = object.value["zones"].map { Array($0.elements) } ?? []
                throw object.error(
                    "\"\(ConfigurationObject.shown(zone))\" is not a valid zone name: at most "
                        + "255 UTF-16 units, no control characters, not beginning with \"_\"",
                    at: index < values.count ? values[index] : nil)
            }
        }
        return zones
    }

    func identifier(
        _ object: ConfigurationObject
    ) throws(ConfigurationError) -> Container.ID {
        let value = try object.required("identifier")
        let text = try object.text(value, "identifier")
        guard let id = Container.ID(text) else {
            let problem = Container.ID.problem(in: text) ?? "is malformed"
            let near =
                text.lowercased().hasPrefix("icloud.")
                ? "; did you mean \"iCloud.\(text.dropFirst(7))\"?" : ""
            throw object.error(
                "the identifier \"\(ConfigurationObject.shown(text))\" \(problem)"
                    + (text.hasPrefix("iCloud.") ? "" : near), at: value)
        }
        return id
    }

    /// Reads the schema file, which lies beside the list, and takes what a sweep needs of it.
    private func addSchema(
        to entry: inout ContainerList.Entry, _ object: ConfigurationObject
    ) throws(ConfigurationError) {
        guard let path = entry.schema else { return }
        let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
        let full = path.hasPrefix("/") || folder.isEmpty ? path : "\(folder)/\(path)"
        let schema: Schema
        do throws(FileError) {
            schema = try SchemaFile.read(full, files: files)
        } catch {
            throw object.error(
                "cannot use the schema: \(error.description)", at: object.value["schema"])
        }
        // Everybody has a record of the type that is left out; it is looked up by name.
        let types = schema.recordTypes.map(\.name).filter { $0 != "Users" }
        entry.recordTypes += types.filter { !entry.recordTypes.contains($0) }
        entry.assetFields = AssetFields(schema)
    }

    /// Types that are gone are neither looked for nor missed, so none can be in use as well.
    private func retiredTypes(
        _ object: ConfigurationObject, _ entry: ContainerList.Entry
    ) throws(ConfigurationError) -> [String] {
        let types = try object.texts("retiredTypes")
        if let type = types.first(where: { entry.recordTypes.contains($0) }) {
            throw object.error(
                "the record type \"\(ConfigurationObject.shown(type))\" is both in use and retired",
                at: object.value["retiredTypes"])
        }
        return types
    }

    /// One of the words that a key allows; nil where it is not there.
    private func choice<Word: CaseIterable & RawRepresentable<String>>(
        _ key: String, of object: ConfigurationObject
    ) throws(ConfigurationError) -> Word? {
        guard let value = object.value[key] else { return nil }
        return Word(
            rawValue: try object.choice(value, key, among: Word.allCases.map(\.rawValue)))
    }

    private func databases(
        _ top: ConfigurationObject
    ) throws(ConfigurationError) -> [Database.Scope] {
        // Whoever leaves one out says so: what is not looked at is not deleted.
        guard let elements = try top.list("databases") else { return Database.Scope.allCases }
        var scopes: [Database.Scope] = []
        for element in elements {
            let text = try top.choice(
                element, "databases", among: Database.Scope.allCases.map { $0.rawValue })
            guard let scope = Database.Scope(rawValue: text) else { continue }
            guard !scopes.contains(scope) else {
                throw top.error("\"\(text)\" is repeated in \"databases\"", at: element)
            }
            scopes.append(scope)
        }
        guard scopes.contains(.private) else {
            throw top.error(
                "\"databases\" must include \"private\", where a user's data is",
                at: top.value["databases"])
        }
        return scopes.sorted()
    }

    private func caps(_ top: ConfigurationObject) throws(ConfigurationError) -> Caps {
        guard let member = top.value["caps"] else { return Caps() }
        let object = try ConfigurationObject(
            member, in: file, name: "\"caps\"", keys: Caps.Kind.allCases.map(\.rawValue))
        let range = 0...1_000_000_000
        var caps = Caps(
            zones: try object.number("zones", in: range),
            records: try object.number("records", in: range),
            percent: try object.number("percent", in: 0...100))
        for kind in Caps.Kind.allCases {
            guard let value = object.value[kind.rawValue] else { continue }
            let place = object.place(of: value)
            caps.places[kind] = "\(file):\(place.line):\(place.column)"
        }
        return caps
    }
}
