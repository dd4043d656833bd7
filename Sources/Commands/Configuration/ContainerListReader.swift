import CloudModel
import DeletionPlanning
package import FileSystem
import JSON

/// Reads a container list, strictly.
package struct ContainerListReader {
    private let file: String
    private let files: Files

    private static let bytesMax = 4 << 20
    private static let keys = [
        "version", "application", "environment", "server", "containers", "databases", "protect",
        "notInScope", "caps", "credentials", "donations", "sync",
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
            throw top.error("\"version\" must be 1: this is the only one there is", at: version)
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
        list.donations = try donations(top, list)
        list.sync = try sync(top)
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
                "\"donations\" needs an \"application\": the bundle identifier whose they are")
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
                    "\"interval\" must be a time of at least 1s, such as \"15m\" or \"1h30m\"",
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

    private func setting(
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

    private func variableName(
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
                    "identifier", "default", "schema", "zones", "recordTypes", "credentials",
                ])
            let id = try identifier(object)
            guard !entries.contains(where: { $0.id == id }) else {
                throw object.error(
                    "the container \"\(id)\" is listed twice", at: object.value["identifier"])
            }
            var entry = ContainerList.Entry(
                id: id, isDefault: try object.flag("default") ?? false,
                zones: try zones(object), recordTypes: try object.texts("recordTypes"),
                schema: try object.text("schema"), credentials: try credentials(object))
            try addSchema(to: &entry, object)
            entry.knowsRecordTypes = object.value["recordTypes"] != nil || entry.schema != nil
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
            let isASCII = zone.utf8.allSatisfy { (0x20...0x7E).contains($0) }
            guard !zone.hasPrefix("_"), zone.utf8.count <= 255, isASCII else {
                let values = object.value["zones"].map { Array($0.elements) } ?? []
                throw object.error(
                    "\"\(ConfigurationObject.shown(zone))\" cannot be a zone's name: at most 255 "
                        + "ASCII characters, not beginning with \"_\"",
                    at: index < values.count ? values[index] : nil)
            }
        }
        return zones
    }

    private func identifier(
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

    /// Reads the schema file, which lies beside the list, and takes its record types.
    private func addSchema(
        to entry: inout ContainerList.Entry, _ object: ConfigurationObject
    ) throws(ConfigurationError) {
        guard let path = entry.schema else { return }
        let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
        let full = path.hasPrefix("/") || folder.isEmpty ? path : "\(folder)/\(path)"
        let types: [String]
        do throws(FileError) {
            types = try SchemaFile.recordTypes(in: full, files: files)
        } catch {
            throw object.error(
                "the schema cannot be used: \(error.description)", at: object.value["schema"])
        }
        entry.recordTypes += types.filter { !entry.recordTypes.contains($0) }
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
                throw top.error("\"\(text)\" stands twice in \"databases\"", at: element)
            }
            scopes.append(scope)
        }
        guard scopes.contains(.private) else {
            throw top.error(
                "\"databases\" must name \"private\": that is where a person's data is",
                at: top.value["databases"])
        }
        return scopes.sorted()
    }

    private func caps(_ top: ConfigurationObject) throws(ConfigurationError) -> Policy.Caps {
        guard let member = top.value["caps"] else { return Policy.Caps() }
        let object = try ConfigurationObject(
            member, in: file, name: "\"caps\"", keys: ["zones", "records"])
        let range = 0...1_000_000_000
        return Policy.Caps(
            zones: try object.number("zones", in: range),
            records: try object.number("records", in: range))
    }
}

// Rules, exclusions and credentials
extension ContainerListReader {
    private func exclusions(
        _ top: ConfigurationObject, _ list: ContainerList
    ) throws(ConfigurationError) -> [ContainerList.Exclusion] {
        var exclusions: [ContainerList.Exclusion] = []
        for element in try top.list("notInScope") ?? [] {
            let object = try ConfigurationObject(
                element, in: file, name: "a container not in scope", keys: ["identifier", "reason"])
            let id = try identifier(object)
            let place = object.value["identifier"]
            guard !list.containers.contains(where: { $0.id == id }) else {
                throw object.error(
                    "the container \"\(id)\" is both listed and not in scope", at: place)
            }
            guard !exclusions.contains(where: { $0.id == id }) else {
                throw object.error("the container \"\(id)\" is listed twice", at: place)
            }
            let reason = try object.text(object.required("reason"), "reason")
            exclusions.append(ContainerList.Exclusion(id: id, reason: reason))
        }
        return exclusions
    }

    private func rules(
        _ top: ConfigurationObject, _ list: ContainerList
    ) throws(ConfigurationError) -> [ProtectRule] {
        var rules: [ProtectRule] = []
        for element in try top.list("protect") ?? [] {
            let object = try ConfigurationObject(
                element, in: file, name: "a protect rule",
                keys: ["container", "zone", "recordType", "reason"])
            var rule = ProtectRule(
                zone: try object.text("zone"), recordType: try object.text("recordType"),
                reason: try object.text(object.required("reason"), "reason"))
            if let value = object.value["container"] {
                rule.container = try known(object.text(value, "container"), object, value, list)
            }
            guard rule.container != nil || rule.zone != nil || rule.recordType != nil else {
                throw object.error(
                    "a protect rule needs a \"zone\", a \"recordType\" or a \"container\"; "
                        + "this one would keep everything")
            }
            try checkMatches(rule, object, list)
            guard !rules.contains(where: { $0.sameTarget(as: rule) }) else {
                throw object.error("this protect rule stands twice")
            }
            rules.append(rule)
        }
        return rules
    }

    /// A rule that names what is nearly, but not quite, something the list knows is a slip that
    /// would delete what should be kept.
    private func checkMatches(
        _ rule: ProtectRule, _ object: ConfigurationObject, _ list: ContainerList
    ) throws(ConfigurationError) {
        let entries = list.containers.filter { rule.concerns($0.id) }
        if let zone = rule.zone, zone != RecordZone.ID.default.zoneName {
            let names = entries.flatMap { $0.zones }
            if !names.contains(zone), let near = NearestName.find(zone, among: names) {
                throw object.error(
                    "the protect rule matches no zone \"\(ConfigurationObject.shown(zone))\"; "
                        + "did you mean \"\(near)\"?", at: object.value["zone"])
            }
        }
        if let type = rule.recordType {
            let names = entries.flatMap { $0.recordTypes } + ["Users"]
            let allKnown = entries.allSatisfy { $0.schema != nil }
            let near = NearestName.find(type, among: names)
            if !names.contains(type), allKnown || near != nil {
                throw object.error(
                    "the protect rule matches no record type "
                        + "\"\(ConfigurationObject.shown(type))\""
                        + (near.map { "; did you mean \"\($0)\"?" } ?? ""),
                    at: object.value["recordType"])
            }
        }
    }

    private func known(
        _ text: String, _ object: ConfigurationObject, _ value: JSONValue, _ list: ContainerList
    ) throws(ConfigurationError) -> Container.ID {
        let names = list.containers.map { $0.id.rawValue }
        guard let id = Container.ID(text), names.contains(text) else {
            throw object.error(
                "no container \"\(ConfigurationObject.shown(text))\" is listed"
                    + NearestName.hint(for: text, among: names), at: value)
        }
        return id
    }

    private func checkDefaults(
        _ top: ConfigurationObject, _ list: ContainerList
    ) throws(ConfigurationError) {
        let defaults = list.containers.filter { $0.isDefault }
        guard defaults.count <= 1 else {
            throw top.error(
                "only one container can be the default; \(defaults.count) are",
                at: top.value["containers"])
        }
    }

    private func credentials(
        _ owner: ConfigurationObject
    ) throws(ConfigurationError) -> ContainerList.Credentials? {
        guard let member = owner.value["credentials"] else { return nil }
        let object = try ConfigurationObject(
            member, in: file, name: "\"credentials\"",
            keys: ["apiToken", "webAuthToken", "keyID", "privateKey"])
        let credentials = ContainerList.Credentials(
            apiToken: try secret(object, "apiToken"),
            webAuthToken: try secret(object, "webAuthToken"),
            keyID: try secret(object, "keyID"), privateKey: try secret(object, "privateKey"))
        guard (credentials.keyID == nil) == (credentials.privateKey == nil) else {
            throw object.error("\"keyID\" and \"privateKey\" belong together")
        }
        guard (credentials.apiToken == nil) != (credentials.keyID == nil) else {
            throw object.error(
                credentials.keyID == nil
                    ? "\"credentials\" needs an \"apiToken\", or a \"keyID\" with its "
                        + "\"privateKey\""
                    : "\"credentials\" has both an \"apiToken\" and a \"keyID\"; one is right")
        }
        guard credentials.keyID == nil || credentials.webAuthToken == nil else {
            throw object.error("a \"webAuthToken\" goes with an \"apiToken\", not with a key")
        }
        return credentials
    }

    /// Never shows what stands there: it may be the secret itself.
    private func secret(
        _ object: ConfigurationObject, _ key: String
    ) throws(ConfigurationError) -> ContainerList.Secret? {
        guard let value = object.value[key] else { return nil }
        let text = try object.text(value, key)
        let place = object.place(of: value)
        if text.hasPrefix("env:") {
            let name = try variableName(text, object, value, key)
            return ContainerList.Secret(source: .variable(name), place: place)
        }
        if text.hasPrefix("file:"), text.count > 5 {
            return ContainerList.Secret(source: .file(String(text.dropFirst(5))), place: place)
        }
        if text == "login" { return ContainerList.Secret(source: .login, place: place) }
        throw object.error(
            "\"\(key)\" must be env:NAME, file:PATH or login; a secret must not stand in this file",
            at: value)
    }
}

extension ProtectRule {
    /// Whether two rules keep the same, whatever their reasons.
    fileprivate func sameTarget(as other: ProtectRule) -> Bool {
        container == other.container && zone == other.zone && recordType == other.recordType
    }
}
