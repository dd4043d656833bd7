import Basics
import CloudModel
import Configuration
import Donations
import JSON

/// The keys of one donation's object, and what they become.
struct DonationForm {
    private let kind: DonationKind
    let file: String
    private let now: Timestamp
    var row: Donation

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

    func texts(
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
                throw object.error("\"numbers\" must contain whole numbers", at: member.value)
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
