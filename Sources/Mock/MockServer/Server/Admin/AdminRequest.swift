import Basics
import CloudModel
import CloudWire
import JSON

/// A request below `/_mock/v1/`, decoded.
enum AdminRequest {
    case index
    case describe
    case health
    case certificate
    case listUsers
    case addUser(MockUser)
    case listTokens
    /// - Parameter chosen: A token of the caller's choice.
    case addWebToken(user: String, device: String?, chosen: String?)
    case addAPIToken(Authenticator.APIToken, chosen: String?)
    case removeToken(api: String?, web: String?)
    case listKeys
    case addKey(pem: String, id: String?, ContainerPlace?)
    case removeKey(id: String)
    case load(Fixture)
    case generate(SeedGenerator)
    case listSchemas
    case showSchema(of: Container.ID, Container.Environment)
    case setSchema(Schema?, of: Container.ID)
    case reset(ResetScope, also: [Resettable])
    /// - Parameter snapshot: What all of the store goes back to.
    case resetTo(snapshot: String, also: [Resettable])
    case act(MockAct)
    case listFaults
    case setFaults([NewFault], replacing: Bool)
    case removeFaults(id: String?)
    case listGates
    case setGate(FaultRule)
    /// - Parameters:
    ///   - count: Of the first that came; nil: all.
    ///   - numbers: Those alone, in this order.
    case releaseGate(String, count: Int?, numbers: [Int]?)
    case removeGates(String?)
    case listJournal(RequestJournal.Filter)
    case clearJournal
    case explain(String)
    case showMetrics
    case countJournal(RequestPattern, after: Int)
    case findJournal(RequestJournal.Filter)
    case verifyJournal([JournalExpectation], inOrder: Bool, after: Int)
    case listFindings(FindingFilter)
    case clearFindings
    case watch(Set<FeedEvent.Kind>?, after: FeedPlace?)
    case listPushes(PushFilter)
    case summary(user: String?)
    case dump(user: String?)
    case export
    case importArchive([UInt8])
    case listContainers
    /// - Parameter after: The place of the last zone of the page before, or -1.
    case listZones(DatabaseKey, after: Int64, limit: Int)
    case listRecords(DatabaseKey, RecordZone.ID, RecordListing.Request)
    case showRecord(DatabaseKey, RecordZone.ID, name: String, numbersAsStrings: Bool)
    /// - Parameter by: Who changes it.
    case changeRecord(DatabaseKey, RecordZone.ID, by: String, [UInt8])
    case search(Glob, ResetScope, limit: Int)
    case listShares(DatabaseKey, after: Int64, limit: Int)
    case showAsset(String, range: String?)
    case listPositions(user: String?)
    case readToken(String)
    case listActs
    case listSnapshots
    case listNamespaces
    case addNamespace(NamespaceName, fork: String?, snapshot: String?)
    case removeNamespace(NamespaceName)
    case forgetSnapshot(String)
    case showOptions
    case changeOptions(JSONValue)
    case fidelity(area: FidelityArea?, status: FidelityRule.Status?, number: Int?)
    case showClock
    /// Without a time the clock stays at the one it shows.
    case setClock(ServerClock.Mode?, Timestamp?, rate: Double?)
    case advanceClock(milliseconds: Int64)
    case listTicks
    /// - Parameter count: How much of what waits; nil: all.
    case tick(Tick, count: Int?)

    /// Whether it reads or changes the store: then its response is true only if its batch is committed. What is outside
    /// of the store changes at once.
    var isStored: Bool {
        switch self {
        case .index, .describe, .health, .certificate, .fidelity, .listActs,
            .addAPIToken, .listKeys, .addKey, .removeKey, .listFaults, .setFaults, .removeFaults,
            .listGates, .setGate, .releaseGate, .removeGates, .listJournal, .clearJournal,
            .explain, .countJournal, .findJournal, .verifyJournal, .listFindings, .clearFindings,
            .showOptions, .changeOptions, .showClock, .setClock, .advanceClock, .addNamespace,
            .removeNamespace:
            false
        // An API token is kept outside; a web token is used up in the store.
        case .removeToken(let api, _): api == nil
        case .listUsers, .addUser, .listTokens, .addWebToken, .load, .generate, .listSchemas,
            .showSchema, .setSchema, .reset, .resetTo, .act, .showMetrics, .watch, .listPushes,
            .summary, .dump, .export, .importArchive, .listContainers, .listZones, .listRecords,
            .showRecord, .changeRecord, .search, .listShares, .showAsset, .listPositions,
            .readToken, .listSnapshots, .listNamespaces, .forgetSnapshot,
            .listTicks, .tick:
            true
        }
    }

    /// A rule; one that was sent without an id is to get one.
    struct NewFault {
        var rule: FaultRule
        let hasID: Bool
    }

    /// What a reset empties besides data.
    enum Resettable: String, CaseIterable {
        case faults, journal, clock, findings
    }

    /// Which devices and pushes to show; nil fits all.
    struct PushFilter {
        var user: String?
        var container: String?
        var token: String?
        /// Only pushes with a greater number.
        var after = 0
        var limit = 1000

        func fits(_ device: PushRegistration) -> Bool {
            (user ?? device.account) == device.account
                && (container ?? device.container.rawValue) == device.container.rawValue
                && (token ?? device.token.token) == device.token.token
        }
    }
}

/// What an administrative request is decoded from.
struct AdminInput {
    let query: WireQuery
    /// An empty object where the body is not JSON or there is none.
    let body: JSONValue
    let bytes: [UInt8]
    /// Which part of a file is wanted, as the header field says it.
    let range: String?
    /// What a client that follows the feed again says it has got.
    let lastEventID: String?
}

// How each request is read from its query and body; the keys were checked against the table.
extension AdminRequest {
    static func newUser(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        .addUser(try MockUser(input.body))
    }

    /// A web token where a user is named, an API token otherwise.
    static func newToken(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        let body = input.body
        if let user = try body.text("user") {
            return .addWebToken(
                user: user, device: try body.name("device", of: "device"),
                chosen: try body.text("webToken"))
        }
        return .addAPIToken(
            Authenticator.APIToken(
                place: try place(body), origins: try origins(body), callbacks: try callbacks(body)),
            chosen: try body.text("apiToken"))
    }

    /// Whose pages may use an API token; nil: everybody's.
    private static func origins(_ body: JSONValue) throws(AdminError) -> [AllowedOrigin]? {
        let origins = try body.list(
            "origins", of: "an origin like https://app.example:3000 or a host like app.example"
        ) { AllowedOrigin($0) }
        try requireCount(origins?.count ?? 0, of: "origins")
        return origins
    }

    /// The one under `callback`, then those under `callbacks`.
    private static func callbacks(_ body: JSONValue) throws(AdminError) -> [SignInCallback] {
        let what = "an absolute address without a fragment, such as https://app.example/back"
        var callbacks = try body.list("callbacks", of: what) { SignInCallback($0) } ?? []
        if let text = try body.text("callback") {
            guard let callback = SignInCallback(text) else {
                throw body.refusal("callback must be \(what)")
            }
            callbacks.insert(callback, at: 0)
        }
        try requireCount(callbacks.count, of: "callbacks")
        return callbacks
    }

    private static func requireCount(_ count: Int, of what: String) throws(AdminError) {
        guard count <= Authenticator.APIToken.listMax else {
            throw AdminError("an API token has at most \(Authenticator.APIToken.listMax) \(what)")
        }
    }

    static func newKey(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        .addKey(
            pem: try input.body.requiredText("publicKey"), id: try input.body.text("keyID"),
            try place(input.body))
    }

    /// A container, in development unless the environment is named.
    private static func place(_ body: JSONValue) throws(AdminError) -> ContainerPlace? {
        let environment: Container.Environment? = try body.choice("environment")
        guard let container = try body.container() else {
            guard environment == nil else { throw body.refusal("needs \"container\"") }
            return nil
        }
        return ContainerPlace(container, environment ?? .development)
    }

    static func oldToken(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        let (api, web) = (input.query["apiToken"], input.query["webToken"])
        guard (api == nil) != (web == nil) else {
            throw AdminError("needs either ?apiToken=TOKEN or ?webToken=TOKEN")
        }
        return .removeToken(api: api, web: web)
    }

    static func oldKey(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        guard let id = input.query["keyID"] else { throw AdminError("needs ?keyID=ID") }
        return .removeKey(id: id)
    }

    /// A fixture, or a profile for the generator.
    static func seed(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        let body = input.body
        guard body.present("profile") != nil else {
            return .load(try Fixture(body["fixture"] ?? body))
        }
        try body.allow([
            "profile", "users", "containers", "environment", "zones", "records", "seed", "deleted",
            "shares",
        ])
        var generator = SeedGenerator()
        generator.profile = try body.choice("profile") ?? generator.profile
        generator.zones = try body.number("zones", in: 0...10_000_000)
        generator.records = try body.number("records", in: 0...10_000_000)
        generator.deleted = try body.number("deleted", in: 0...100) ?? 0
        generator.shares = try body.number("shares", in: 0...1000) ?? 0
        if let seed = try body.number("seed", in: 0...Int64.max) { generator.seed = UInt64(seed) }
        if let environment: Container.Environment = try body.choice("environment") {
            generator.environment = environment
        }
        if let value = body.present("users"), value.kind == .integer {
            generator.users = SeedGenerator.userNames(
                try body.number("users", in: 1...10_000) ?? 1)
        } else if let users = try body.list(
            "users", of: "a user's name", { MockUser.isValid(name: $0) ? $0 : nil })
        {
            generator.users = users
        }
        if let containers = try body.list(
            "containers", of: "a container's identifier", { Container.ID($0) })
        {
            generator.containers = containers
        }
        guard generator.shares == 0 || generator.users.count > 1 else {
            throw AdminError("shares need two users")
        }
        return .generate(generator)
    }

    static func oldSnapshot(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        guard let name = input.query["name"] else { throw AdminError("needs ?name=SNAPSHOT") }
        return .forgetSnapshot(name)
    }

    static func knownSchema(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        guard let text = input.query["container"] else {
            guard input.query["environment"] == nil else {
                throw AdminError("?environment= needs ?container=IDENTIFIER")
            }
            return .listSchemas
        }
        let container = try Container.ID(asked: text)
        let name = input.query["environment"] ?? Container.Environment.development.rawValue
        guard let environment = Container.Environment(rawValue: name) else {
            throw AdminError("environment must be development or production")
        }
        return .showSchema(of: container, environment)
    }

    /// A `.ckdb` text for a container; an empty one takes its schema away.
    static func schema(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        guard let container = input.query["container"].flatMap({ Container.ID($0) }) else {
            throw AdminError("needs ?container=IDENTIFIER")
        }
        guard !input.bytes.isEmpty else { return .setSchema(nil, of: container) }
        do throws(SchemaError) {
            let text = String(decoding: input.bytes, as: UTF8.self)
            return .setSchema(try Schema(parsing: text), of: container)
        } catch {
            throw AdminError(error.description)
        }
    }

    static func reset(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        let body = input.body
        let scope = ResetScope(
            user: try body.text("user"), container: try body.container(),
            environment: try body.choice("environment"), scope: try body.choice("database"),
            zoneName: try body.text("zone"))
        let also = try body.list("also", of: "faults, journal, clock or findings") {
            Resettable(rawValue: $0)
        }
        guard let snapshot = try body.text("to") else { return .reset(scope, also: also ?? []) }
        guard scope == ResetScope() else {
            throw AdminError(
                "a snapshot is restored as a whole: \"to\" takes no user, container, "
                    + "environment, database or zone")
        }
        return .resetTo(snapshot: snapshot, also: also ?? [])
    }

    /// The id of a rule that is to get one; no text names a rule so.
    private static let unnamed = "not named yet"

    /// `{"rules": […]}`, a list of rules or one rule.
    static func faults(
        _ input: AdminInput, replacing: Bool
    ) throws(AdminError) -> AdminRequest {
        let body = input.body
        var values = [body]
        if body.kind == .array {
            values = Array(body.elements)
        } else if body["rules"] != nil {
            try body.allow(["rules"])
            values = try body.list("rules")
        }
        var rules: [NewFault] = []
        for value in values {
            let rule = try FaultRule(json: value, id: Self.unnamed)
            rules.append(
                NewFault(
                    rule: rule,
                    hasID: value.kind == .object
                        ? value.present("id") != nil : rule.id != Self.unnamed))
        }
        return .setFaults(rules, replacing: replacing)
    }

    static func journal(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        var filter = RequestJournal.Filter()
        for item in input.query.items {
            if let key = RequestPattern.Key(rawValue: item.name) {
                try filter.pattern.set(key, to: item.value)
                continue
            }
            guard let number = Int(item.value), number >= 0 else {
                throw AdminError("\(item.name) must be a whole number")
            }
            switch item.name {
            case "after": filter.after = number
            case "limit": filter.limit = min(number, RequestJournal.Filter.limitMax)
            default: filter.last = min(number, RequestJournal.Filter.limitMax)
            }
        }
        return .listJournal(filter)
    }

    static func pushes(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        var filter = PushFilter()
        for item in input.query.items {
            switch item.name {
            case "user": filter.user = item.value
            case "container": filter.container = item.value
            case "token": filter.token = item.value
            default:
                guard let number = Int(item.value), (0...1_000_000_000).contains(number) else {
                    throw AdminError("\(item.name) must be a whole number")
                }
                if item.name == "after" {
                    filter.after = number
                } else {
                    filter.limit = min(number, 1000)
                }
            }
        }
        return .listPushes(filter)
    }
}
