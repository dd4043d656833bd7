import CloudModel
import Donations
import JSON

/// The keys of one donation's object, and what they become.
struct DonationForm {
    private let kind: DonationKind
    private let file: String
    private let now: Timestamp
    private var row: Donation

    init(_ kind: DonationKind, file: String, now: Timestamp) {
        self.kind = kind
        self.file = file
        self.now = now
        row = Donation(kind, type: "", at: now)
    }

    private static let common = [
        "kind", "type", "begin", "end", "donatedAt", "expires", "title", "displayName", "keywords",
        "description", "phrase", "mentions", "action", "link", "payload", "prediction", "numbers",
        "fromSiri",
    ]

    private static func keys(of kind: DonationKind) -> [String] {
        switch kind {
        case .interaction:
            common + [
                "identifier", "group", "parameters", "combinations", "nestedActivity", "images",
            ]
        case .activity:
            common + [
                "persistentIdentifier", "relatedIdentifier", "weakRelatedIdentifier",
                "domain", "eligible", "webpageURL", "target", "userInfo", "requiredKeys",
            ]
        case .searchableItem:
            common + [
                "identifier", "domain", "index", "protectionClass", "eligible", "webpageURL",
                "entityType", "entityIdentifier",
            ]
        default: common + ["identifier", "entityType", "entityIdentifier"]
        }
    }

    /// The donation that an object describes.
    mutating func read(
        _ value: JSONValue, names: inout SeededGenerator
    ) throws(ConfigurationError) -> Donation {
        let object = try ConfigurationObject(
            value, in: file, name: "\(Self.article(kind)) \(kind.rawValue)",
            keys: Self.keys(of: kind))
        let defaultType = kind == .searchableItem ? "public.item" : nil
        guard let type = try object.text("type") ?? defaultType else {
            throw object.error("\(object.name) needs the key \"type\"")
        }
        row.type = type
        try readTimes(object)
        try readTexts(object)
        try readKeys(object)
        try readLink(object)
        try readPayload(object)
        if kind != .activity, row.identifier.isEmpty { row.identifier = names.uuid() }
        return row
    }

    private static func article(_ kind: DonationKind) -> String {
        "aeiou".contains(kind.rawValue.prefix(1)) ? "an" : "a"
    }

    private mutating func readTimes(_ object: ConfigurationObject) throws(ConfigurationError) {
        row.begin = try moment(object, "begin") ?? now
        row.end = try moment(object, "end") ?? row.begin
        row.donatedAt = try moment(object, "donatedAt") ?? now
        row.expiration = try moment(object, "expires")
        guard row.end >= row.begin else {
            throw object.error("\"end\" is before \"begin\"", at: object.value["end"])
        }
    }

    private func moment(
        _ object: ConfigurationObject, _ key: String
    ) throws(ConfigurationError) -> Timestamp? {
        guard let value = object.value[key] else { return nil }
        if let milliseconds = value.int64, abs(milliseconds) < 1 << 52 {
            return Timestamp(milliseconds: milliseconds)
        }
        if let moment = value.string.flatMap({ Timestamp(iso8601: $0) }) { return moment }
        throw object.error(
            "\"\(key)\" must be a date such as \"2026-01-15T08:30:00Z\", or milliseconds since "
                + "1970", at: value)
    }

    private mutating func readTexts(_ object: ConfigurationObject) throws(ConfigurationError) {
        row.title = try object.text("title")
        row.displayName = try object.text("displayName")
        row.description = try object.text("description")
        row.suggestedInvocationPhrase = try object.text("phrase")
        row.keywords = try texts(object, "keywords")
        row.mentions = try texts(object, "mentions")
        row.webpageURL = try object.text("webpageURL")
        if let url = row.webpageURL, !Self.isWebAddress(url) {
            throw object.error(
                "\"webpageURL\" must begin with http:// or https://",
                at: object.value["webpageURL"])
        }
    }

    private static func isWebAddress(_ text: String) -> Bool {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        return (scheme == "http" || scheme == "https")
            && text.dropFirst(scheme.count)
                .hasPrefix("://")
    }

    private func texts(
        _ object: ConfigurationObject, _ key: String
    ) throws(ConfigurationError) -> [String] {
        var texts: [String] = []
        for element in try object.list(key) ?? [] { texts.append(try object.text(element, key)) }
        return texts
    }

    private mutating func readKeys(_ object: ConfigurationObject) throws(ConfigurationError) {
        row.identifier = try object.text("identifier") ?? ""
        row.group = try object.text("group")
        row.persistentIdentifier = try object.text("persistentIdentifier")
        row.relatedIdentifier = try object.text("relatedIdentifier")
        row.weakRelatedIdentifier = try object.text("weakRelatedIdentifier")
        row.domain = try object.text("domain")
        row.indexName = try object.text("index")
        row.protectionClass = try object.text("protectionClass")
        row.targetContentIdentifier = try object.text("target")
        row.entityType = try object.text("entityType")
        row.entityIdentifier = try object.text("entityIdentifier")
        row.actionID = try object.text("action")
        row.isFromSiri = try object.flag("fromSiri") ?? false
        if object.value["eligible"] == nil, kind == .activity {
            row.eligibility = [.handoff, .search, .prediction]
        }
        let names = ExportWriter.eligibilities.map { $0.name }
        for element in try object.list("eligible") ?? [] {
            let name = try object.choice(element, "eligible", among: names)
            for (known, flag) in ExportWriter.eligibilities where known == name {
                row.eligibility.insert(flag)
            }
        }
        guard let numbers = object.value["numbers"] else { return }
        for member in numbers.members {
            guard let number = member.value.int64 else {
                throw object.error("\"numbers\" must hold whole numbers", at: member.value)
            }
            row.numbers[member.key] = number
        }
    }

    private mutating func readLink(_ object: ConfigurationObject) throws(ConfigurationError) {
        guard let member = object.value["link"] else { return }
        let link = try ConfigurationObject(
            member, in: file, name: "\"link\"",
            keys: ["container", "scope", "zone", "zoneOwner", "record"])
        let container = try link.text(link.required("container"), "container")
        if let problem = Container.ID.problem(in: container) {
            throw link.error("the container \(problem)", at: link.value["container"])
        }
        var scope: String?
        if let value = link.value["scope"] {
            scope = try link.choice(
                value, "scope", among: Database.Scope.allCases.map { $0.rawValue })
        }
        row.link = ContentLink(
            container: container, scope: scope, zone: try link.text("zone"),
            zoneOwner: try link.text("zoneOwner"), record: try link.text("record"))
        if row.link?.record != nil, row.link?.zone == nil {
            throw link.error("a \"record\" needs its \"zone\"")
        }
    }
}

// What a donation holds
extension DonationForm {
    private mutating func readPayload(_ object: ConfigurationObject) throws(ConfigurationError) {
        let reader = PayloadReader(file: file)
        if let value = object.value["payload"] { row.payload = try reader.read(value).encoded }
        if let value = object.value["prediction"] {
            let key = try reader.read(value)
            if case .data(let bytes) = key {
                row.predictionKey = bytes
            } else {
                row.predictionKey = key.encoded
            }
        }
        try readUserInfo(object, reader)
        try readParameters(object, reader)
        try readImages(object)
        guard let member = object.value["nestedActivity"] else { return }
        let nested = try ConfigurationObject(
            member, in: file, name: "\"nestedActivity\"",
            keys: ["type", "persistentIdentifier", "payload"])
        let type = try nested.text(nested.required("type"), "type")
        var payload: [UInt8] = []
        if let value = nested.value["payload"] { payload = try reader.read(value).encoded }
        row.nestedActivity = Donation.NestedActivity(
            activityType: type, persistentIdentifier: try nested.text("persistentIdentifier"),
            payload: payload)
    }

    private mutating func readUserInfo(
        _ object: ConfigurationObject, _ reader: PayloadReader
    ) throws(ConfigurationError) {
        guard let value = object.value["userInfo"] else {
            if object.value["requiredKeys"] != nil {
                throw object.error(
                    "\"requiredKeys\" needs \"userInfo\"", at: object.value["requiredKeys"])
            }
            return
        }
        try refuseBoth(object, "userInfo")
        let userInfo = PayloadValue.dictionary(try reader.dictionary(value, "userInfo"))
        let required =
            object.value["requiredKeys"] == nil
            ? nil : Set(try texts(object, "requiredKeys"))
        let kept = userInfo.pruned(to: required)
        row.predictionKey = userInfo.equalityKey(requiredKeys: required)
        row.mentions = Set(row.mentions + kept.strings).sorted()
        var entries = ["userInfo": kept]
        if let required { entries["requiredUserInfoKeys"] = .set(required.map { .string($0) }) }
        row.payload = PayloadValue.dictionary(entries).encoded
    }

    private mutating func readParameters(
        _ object: ConfigurationObject, _ reader: PayloadReader
    ) throws(ConfigurationError) {
        guard let value = object.value["parameters"] else { return }
        try refuseBoth(object, "parameters")
        let parameters = try reader.dictionary(value, "parameters")
        var combinations: [Set<String>] = []
        for element in try object.list("combinations") ?? [] {
            guard element.kind == .array else {
                throw object.error("\"combinations\" must hold arrays of names", at: element)
            }
            var names: Set<String> = []
            for name in element.elements { names.insert(try object.text(name, "combinations")) }
            combinations.append(names)
        }
        let held = PayloadValue.dictionary(parameters)
        row.predictionKey = Donation.predictionKey(
            parameters: parameters, combinations: combinations)
        row.mentions = Set(row.mentions + held.strings).sorted()
        row.payload = PayloadValue.dictionary(["parameters": held]).encoded
    }

    private mutating func readImages(_ object: ConfigurationObject) throws(ConfigurationError) {
        for element in try object.list("images") ?? [] {
            let image = try ConfigurationObject(
                element, in: file, name: "an image", keys: ["parameter", "bytes"])
            guard let value = image.value["bytes"] else { continue }
            guard let bytes = value.string.flatMap({ Base64.decode($0) }) else {
                throw image.error("\"bytes\" must be base64", at: value)
            }
            let parameter = try image.text(image.required("parameter"), "parameter")
            row.images.append(Donation.Image(parameter: parameter, bytes: bytes))
        }
    }

    /// Both would say what the payload is.
    private func refuseBoth(
        _ object: ConfigurationObject, _ key: String
    ) throws(ConfigurationError) {
        for other in ["payload", "prediction"] {
            guard let value = object.value[other] else { continue }
            throw object.error("\"\(key)\" and \"\(other)\" exclude each other", at: value)
        }
    }
}
