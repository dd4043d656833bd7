import Basics
import CloudModel
import JSON

// Rules, exclusions and credentials
extension ContainerListReader {
    func exclusions(
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

    func rules(
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
                    "a protect rule needs a \"zone\", a \"recordType\" or a \"container\"; this "
                        + "one would keep everything")
            }
            try checkMatches(rule, object, list)
            guard !rules.contains(where: { $0.sameTarget(as: rule) }) else {
                throw object.error("this protect rule is repeated")
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
                    "the protect rule matches no record type \"\(ConfigurationObject.shown(type))\""
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

    func checkDefaults(
        _ top: ConfigurationObject, _ list: ContainerList
    ) throws(ConfigurationError) {
        let defaults = list.containers.filter { $0.isDefault }
        guard defaults.count <= 1 else {
            throw top.error(
                "only one container can be the default; \(defaults.count) are",
                at: top.value["containers"])
        }
    }

    func credentials(
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
            throw object.error("\"keyID\" needs \"privateKey\", and the reverse")
        }
        guard (credentials.apiToken == nil) != (credentials.keyID == nil) else {
            throw object.error(
                credentials.keyID == nil
                    ? "\"credentials\" needs an \"apiToken\", or a \"keyID\" with its "
                        + "\"privateKey\""
                    : "\"credentials\" has both an \"apiToken\" and a \"keyID\"; remove one")
        }
        guard credentials.keyID == nil || credentials.webAuthToken == nil else {
            throw object.error("a \"webAuthToken\" needs an \"apiToken\", not a key")
        }
        return credentials
    }

    /// Never shows what stands there: it may be the secret itself.
    func secret(
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
            "\"\(key)\" must be env:NAME, file:PATH or login; secrets are not allowed in this file",
            at: value)
    }
}

extension ProtectRule {
    /// Whether two rules keep the same, whatever their reasons.
    fileprivate func sameTarget(as other: ProtectRule) -> Bool {
        container == other.container && zone == other.zone && recordType == other.recordType
    }
}
