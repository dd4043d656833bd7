import Basics
import CloudModel
import CloudWire
import HTTPServer
import JSON

/// One request that can be made below `/_mock/v1/`.
struct AdminOperation: Sendable {
    /// What a body holds.
    enum Body: Sendable {
        case nothing
        /// An object with these keys and no others.
        case object([Shape.Member])
        /// JSON, in words, whose keys the request's own reader checks.
        case json(String, Shape = .any)
        case text(String)

        /// An object with these keys, which hold what the vocabulary says.
        static func object(_ keys: [String]) -> Body {
            .object(keys.map { Shape.Member(stringLiteral: $0) })
        }
    }

    /// What an answer holds.
    enum Answer: Sendable, ExpressibleByArrayLiteral {
        case object([Shape.Member])
        /// JSON objects with some of these keys, one on a line.
        case lines([Shape.Member])
        /// A body of these media types, of which the first is sent first.
        case bytes([String])
        /// Server-sent events of these names, each with such JSON as its data.
        case events([Shape.Member])
        /// JSON, or a text where the query asks for one.
        case objectOrText([Shape.Member])

        init(arrayLiteral members: Shape.Member...) { self = .object(members) }

        /// The keys of a JSON answer.
        var keys: [String] {
            switch self {
            case .object(let members), .lines(let members), .objectOrText(let members):
                members.map(\.name)
            case .bytes, .events: []
            }
        }
    }

    let method: String
    /// Below `/_mock/v1/`.
    let path: String
    let query: [Shape.Member]
    let body: Body
    /// How long a request's body may be.
    let bodyBytesMax: Int
    let answers: Answer
    /// Statuses of its refusals beside ``AdminError/statuses``.
    let refusing: [Int]
    /// The status of the same answer where not all of it could be done.
    let partly: Int?
    /// What it does, in a sentence.
    let about: String
    /// Whether it can leave the server other than it was, which those who watch are told of.
    let isChange: Bool
    private let decode: @Sendable (AdminInput) throws(AdminError) -> AdminRequest

    private init(
        _ method: String, _ path: String, query: [Shape.Member] = [],
        takes body: Body = .nothing, upTo bodyBytesMax: Int = 1 << 20, answers: Answer,
        refusing: some Collection<Int> = [], partly: Int? = nil, changes: Bool? = nil,
        _ about: String,
        _ decode: @escaping @Sendable (AdminInput) throws(AdminError) -> AdminRequest
    ) {
        self.method = method
        self.path = path
        self.query = query.map(AdminVocabulary.asked)
        self.body =
            switch body {
            case .object(let members): .object(members.map(AdminVocabulary.asked))
            case .nothing, .json, .text: body
            }
        self.bodyBytesMax = bodyBytesMax
        self.answers =
            switch answers {
            case .object(let members): .object(members.map(AdminVocabulary.answered))
            case .lines(let members): .lines(members.map(AdminVocabulary.answered))
            case .objectOrText(let members):
                .objectOrText(members.map(AdminVocabulary.answered))
            case .bytes, .events: answers
            }
        self.refusing = refusing.sorted()
        self.partly = partly
        self.about = about
        isChange = changes ?? (method != "GET")
        self.decode = decode
    }

    /// The request, read from what was sent.
    func request(_ request: HTTPRequest) throws(AdminError) -> AdminRequest {
        let query = WireQuery(request.query ?? "")
        let known = self.query.map(\.name)
        for item in query.items where !known.contains(item.name) {
            guard let nearest = NearestName.closest(to: item.name, among: known) else {
                throw AdminError("\(path) takes no \"?\(item.name)=\"")
            }
            throw AdminError("unknown \"?\(item.name)=\"; nearest: \"?\(nearest)=\"")
        }
        var body = Array("{}".utf8)
        switch self.body {
        case .nothing, .text: break
        case .object, .json: if !request.body.isEmpty { body = request.body }
        }
        let root = try parse(body)
        if case .object(let members) = self.body { try root.allow(members.map(\.name)) }
        return try decode(
            AdminInput(
                query: query, body: root, bytes: request.body, range: request["range"],
                lastEventID: request["last-event-id"]))
    }

    private func parse(_ body: [UInt8]) throws(AdminError) -> JSONValue {
        do throws(JSONError) {
            let document = try JSONDocument.parse(
                body, limits: JSONLimits(bytesMax: bodyBytesMax))
            if let member = document.repeatedKey {
                throw JSONError("a key is repeated", at: member.keyLocation)
            }
            return document.root
        } catch {
            throw AdminError("the body is not JSON: \(error)")
        }
    }

    /// A thousand faults, each with the longest text, or a large schema.
    static let listBytesMax = 3 << 20
    /// A fixture is read within one turn of the loop, so it may not be as long as in a file.
    private static let seedBytesMax = 2 << 20

    /// All of them.
    static let table: [AdminOperation] = [
        AdminOperation(
            "GET", "", answers: ["service", "transfers", "administration", "switches"],
            "lists every operation, and the settings"
        ) { _ in .index },
        AdminOperation(
            "GET", "openapi.json", answers: .object(OpenAPIDocument.members),
            "describes every request as OpenAPI 3.1"
        ) { _ in .describe },
        AdminOperation(
            "GET", "health",
            answers: [
                "status", "takesNoWrites", "url", "pid", "store", "seed", .count("users"),
                "requests", "faults", "commitFailures", "generation", "startedAt",
            ], "returns the state of the server"
        ) { _ in .health },
        AdminOperation(
            "GET", "ca.pem", answers: .bytes(["application/x-pem-file"]),
            "returns the certificate to trust"
        ) { _ in .certificate },
        AdminOperation("GET", "users", answers: ["users"], "lists the users") { _ in .listUsers },
        AdminOperation(
            "POST", "users", takes: .object(MockUser.keys),
            answers: ["name", "webToken", "apiToken"], "creates a user, or changes one",
            AdminRequest.newUser),
        AdminOperation(
            "GET", "tokens", answers: ["apiToken", "apiTokens"], "lists the API tokens"
        ) { _ in .listTokens },
        AdminOperation(
            "POST", "tokens",
            takes: .object([
                "user", "device", "webToken", "apiToken", "container", "environment", "origins",
                "callback", "callbacks",
            ]),
            answers: ["name", "device", "webToken", "apiToken"],
            "creates a web token for a user, or without a user an API token",
            AdminRequest.newToken),
        AdminOperation(
            "DELETE", "tokens", query: ["apiToken", "webToken"], answers: ["removed"],
            "removes an API token, or a chosen web token", AdminRequest.oldToken),
        AdminOperation(
            "GET", "keys", answers: ["keys", "serverKeys"], "lists the server-to-server keys"
        ) { _ in .listKeys },
        AdminOperation(
            "POST", "keys", takes: .object(["publicKey", "keyID", "container", "environment"]),
            answers: ["keyID"], "registers a server-to-server key", AdminRequest.newKey),
        AdminOperation(
            "DELETE", "keys", query: [.required("keyID")], answers: ["removed"],
            "removes a server-to-server key", AdminRequest.oldKey),
        AdminOperation(
            "POST", "seed",
            takes: .json(
                "a fixture, or profile, users, containers, environment, zones, records, seed, deleted, "
                    + "shares",
                .map(.any)),
            upTo: seedBytesMax,
            answers: [
                .count("zones"), .count("records"), .count("subscriptions"), .count("deleted"),
                .count("shares"), .list("refused", of: .text),
            ], partly: 422, "loads data",
            AdminRequest.seed),
        AdminOperation(
            "GET", "schema", query: ["container", "environment"],
            answers: .objectOrText(["schemas"]),
            "lists the containers with known record types; with a container, returns them as a "
                + ".ckdb text",
            AdminRequest.knownSchema),
        AdminOperation(
            "PUT", "schema", query: [.required("container")], takes: .text("a .ckdb text"),
            upTo: listBytesMax, answers: ["recordTypes"],
            "sets a container's schema, or removes it if the text is empty",
            AdminRequest.schema),
        AdminOperation(
            "POST", "reset",
            takes: .object([
                "user", "container", "environment", "database", "zone", "also", "to",
            ]),
            answers: ["generation"],
            "empties the store or the named part, or restores a snapshot",
            AdminRequest.reset),
        AdminOperation(
            "GET", "act", answers: ["acts"], "lists the account events, and the parameters of each"
        ) { _ in .listActs },
        AdminOperation(
            "POST", "act", takes: .object(["act"] + MockAct.Parameter.allCases.map(\.rawValue)),
            answers: [
                "act", "message", "changed", .list("zones", of: .text),
                .list("users", of: .text), "webToken", "apiToken",
            ],
            "simulates an account event"
        ) { input throws(AdminError) in .act(try MockAct(input.body)) },
        AdminOperation(
            "GET", "faults", answers: [.list("rules", of: "FaultRule")], "lists the faults"
        ) { _ in .listFaults },
        AdminOperation(
            "PUT", "faults", takes: .json("rules, or a list of rules, or one", "FaultRules"),
            upTo: listBytesMax, answers: [.list("rules", of: "FaultRule")],
            "replaces all faults, or none if one is invalid"
        ) { input throws(AdminError) in try AdminRequest.faults(input, replacing: true) },
        AdminOperation(
            "POST", "faults", takes: .json("rules, or a list of rules, or one", "FaultRules"),
            upTo: listBytesMax, answers: [.list("rules", of: "FaultRule")],
            "adds faults; one with the same id is replaced"
        ) { input throws(AdminError) in try AdminRequest.faults(input, replacing: false) },
        AdminOperation(
            "DELETE", "faults", query: ["id"], answers: [.list("rules", of: "FaultRule")],
            "removes one fault or all"
        ) { input in .removeFaults(id: input.query["id"]) },
        AdminOperation(
            "GET", "gates", answers: [.list("gates", of: "AdminGate"), "timedOut"],
            "lists the gates, and the requests held at each"
        ) { _ in .listGates },
        AdminOperation(
            "POST", "gates",
            takes: .object([
                Shape.Member("name", AdminVocabulary.name).required,
                Shape.Member("when", .oneOf([.text, .map(.any)])).required,
                Shape.Member("at", .choice(of: GatePoint.self)), .number("deadline"),
            ]),
            answers: [.list("gates", of: "AdminGate"), "timedOut"],
            "holds requests at a gate", AdminRequest.newGate),
        AdminOperation(
            "POST", "gates/release",
            takes: .object([
                Shape.Member("name", AdminVocabulary.name).required,
                .integer("count", 1...Int64(Gates.heldMax)), .list("numbers", of: .integer),
            ]),
            answers: [.list("released", of: .integer), .count("left")],
            "releases requests held at a gate: all, the first of them, or some in a given order",
            AdminRequest.gateRelease),
        AdminOperation(
            "DELETE", "gates", query: [Shape.Member("name", AdminVocabulary.name)],
            answers: [.list("gates", of: "AdminGate"), "timedOut"],
            "removes a gate or all, and releases the requests held there"
        ) { input in .removeGates(input.query["name"]) },
        AdminOperation(
            "GET", "journal",
            query: RequestPattern.members + ["after", "limit", "last"],
            answers: ["total", "kept", "dropped", "bytes", "matching", "entries"],
            "shows the last requests", AdminRequest.journal),
        AdminOperation(
            "POST", "journal/count", takes: .object(AdminRequest.journalQuestion),
            answers: ["matching", .flag("complete"), "total"], changes: false,
            "counts the matching requests", AdminRequest.journalCount),
        AdminOperation(
            "POST", "journal/find",
            takes: .object(AdminRequest.journalQuestion + ["limit", "last"]),
            answers: ["total", "kept", "dropped", "bytes", "matching", "entries"], changes: false,
            "lists the matching requests", AdminRequest.journalSearch),
        AdminOperation(
            "POST", "journal/verify",
            takes: .object([
                .list("expect", of: "JournalExpectation", max: JournalVerdict.expectationsMax)
                    .required, .flag("inOrder"), Shape.Member("after", .count),
            ]),
            answers: [
                Shape.Member("verdict", .choice(of: JournalVerdict.Answer.self)), .flag("holds"),
                .flag("complete"), "total", .list("expectations", of: "JournalFinding"),
            ], changes: false,
            "checks the requests against expectations, and shows near misses",
            AdminRequest.journalCheck),
        AdminOperation(
            "GET", "explain", query: [.text("request").required],
            answers: [
                .count("request"), .text("operation"), .integer("status", 0...599),
                .text("uuid"), .list("faults", of: .text), .flag("explained"), .count("more"),
                .list("findings", of: "Explanation"),
            ],
            "names the rule behind a response, and how that rule is known"
        ) { input in .explain(input.query["request"] ?? "") },
        AdminOperation("DELETE", "journal", answers: ["kept"], "discards the requests") { _ in
            .clearJournal
        },
        AdminOperation(
            "GET", "feed", query: [.text("after"), .text("kinds")],
            answers: .events(FeedEvent.members),
            "reports requests, changes and faults as they happen, as server-sent events",
            AdminRequest.watch),
        AdminOperation(
            "GET", "metrics", answers: .bytes(["application/openmetrics-text"]),
            "counts requests, faults and what is stored, as OpenMetrics"
        ) { _ in .showMetrics },
        AdminOperation(
            "GET", "findings",
            query: [
                Shape.Member("rule", .choice(of: ClientFinding.Rule.self)), "user", .flag("final"),
            ],
            answers: [
                .flag("check"), .list("findings", of: "ClientFinding"), .count("dropped"),
                .list("rules", of: "ClientRule"),
            ],
            "lists what clients did wrong, with the requests that prove it, and the checks",
            AdminRequest.findings),
        AdminOperation(
            "DELETE", "findings", answers: ["kept"],
            "discards the findings, and what clients have done so far"
        ) { _ in .clearFindings },
        AdminOperation(
            "GET", "pushes", query: ["user", .text("container"), "token", "after", "limit"],
            answers: ["devices", "pushes", "lost"],
            "lists the devices that get pushes, and the last pushes of each", AdminRequest.pushes),
        AdminOperation(
            "GET", "summary", query: ["user"], answers: ["databases"],
            "counts what is stored, database by database"
        ) { input in .summary(user: input.query["user"]) },
        AdminOperation(
            "GET", "dump", query: ["user"],
            answers: .lines([
                .text("database"), "zone", "record", .named("subscription", "Subscription"),
                .text("user"),
            ]),
            "returns everything that a user has, or the contents of the public databases, as "
                + "JSON lines"
        ) { input in .dump(user: input.query["user"]) },
        AdminOperation(
            "GET", "export", answers: .lines(ArchiveFormat.lines),
            "writes everything in the store as one archive, identical for identical data"
        ) { _ in .export },
        AdminOperation(
            "POST", "import", takes: .text("an archive, as export writes it"),
            upTo: ArchiveFormat.bytesMax,
            answers: [
                .count("users"), .count("databases"), .count("zones"), .count("records"),
                .count("assets"), "generation",
            ], "replaces everything in the store by an archive, or changes nothing"
        ) { input in .importArchive(input.bytes) },
        AdminOperation(
            "GET", "positions", query: ["user"], answers: ["positions"],
            "lists how far each device has read the feeds that it follows"
        ) { input in .listPositions(user: input.query["user"]) },
        AdminOperation(
            "GET", "position", query: [.required("token")],
            answers: [
                .choice("kind", ["zone", "database"]), "place", .integer("incarnation"),
                .count("epoch"), .count("epochNow"), .integer("scanStart"), .flag("newestFirst"),
                .flag("madeByFault"),
                .choice("standing", FeedStanding.names + ["unknown"]),
                Shape.Member("why", .choice(of: TokenExpiry.self)), .integer("end"),
                .integer("time"), "user", "container", "environment", "database", "zone", "owner",
            ], "decodes a change token, and shows what it would return",
            AdminRequest.token),
        AdminOperation(
            "GET", "containers", answers: ["containers"], "lists the containers that were named"
        ) { _ in .listContainers },
        AdminOperation(
            "GET", "zones", query: AdminRequest.databaseKeys + ["after", "limit"],
            answers: ["zones", "more", "after"],
            "lists the zones of a database, deleted ones included, with counts",
            AdminRequest.zones),
        AdminOperation(
            "GET", "records",
            query: AdminRequest.zoneKeys + ["name", "type", "deleted", .text("after"), "limit"],
            answers: ["records", "more", "after"],
            "lists the records of a zone by name, deleted ones included",
            AdminRequest.records),
        AdminOperation(
            "GET", "record",
            query: AdminRequest.zoneKeys + [.required("name"), .flag("numbersAsStrings")],
            answers: [
                "record", "tombstone", "place", "bytes", "createdBy", "modifiedBy", "deletedBy",
                "referrers",
            ], "returns a record with all its fields, or what is left of a deleted one",
            AdminRequest.record),
        AdminOperation(
            "POST", "record", query: AdminRequest.zoneKeys + ["by"],
            takes: .object([
                .text("operationType").required, Shape.Member("record", .map(.any)).required,
            ]),
            upTo: WireOperation.modifyRecords.facts.bodyBytesMax,
            answers: ["record", .flag("deleted")], refusing: OpenAPIRefusal.codes.keys,
            "executes an operation of records/modify by the service's rules",
            AdminRequest.recordChange),
        AdminOperation(
            "GET", "search", query: [.required("name"), "user", "container", "limit"],
            answers: [.list("matches", of: "AdminMatch"), "more"],
            "searches records by name in all zones, deleted ones included", AdminRequest.search),
        AdminOperation(
            "GET", "shares", query: AdminRequest.databaseKeys + ["after", "limit"],
            answers: ["shares", "more", "after"],
            "lists the shares of a private database with their participants", AdminRequest.shares),
        AdminOperation(
            "GET", "asset", query: [.required("downloadURL")],
            answers: .bytes(["application/octet-stream"]), refusing: [410, 416], partly: 206,
            "sends the file of an asset, regardless of faults, without a journal entry",
            AdminRequest.asset),
        AdminOperation("GET", "snapshots", answers: ["snapshots"], "lists the snapshots") { _ in
            .listSnapshots
        },
        AdminOperation(
            "DELETE", "snapshots", query: ["name"], answers: ["snapshots"],
            "discards one snapshot", AdminRequest.oldSnapshot),
        AdminOperation(
            "GET", "namespaces", answers: ["namespaces"], "lists the namespaces of the server"
        ) { _ in .listNamespaces },
        AdminOperation(
            "POST", "namespaces",
            takes: .object([
                Shape.Member("name", AdminVocabulary.namespace).required,
                Shape.Member("fork", AdminVocabulary.namespace), "snapshot",
            ]),
            answers: ["name", "url", "apiToken", "apiTokens", "webTokens"],
            "creates a namespace with the server's initial state, or with the state of another "
                + "namespace",
            AdminRequest.newNamespace),
        AdminOperation(
            "DELETE", "namespaces",
            query: [Shape.Member("name", AdminVocabulary.namespace).required],
            answers: ["removed"], "deletes a namespace with everything in it",
            AdminRequest.oldNamespace),
        AdminOperation(
            "GET", "options", answers: .object(ServerOption.members), "lists all settings"
        ) { _ in .showOptions },
        AdminOperation(
            "PUT", "options", takes: .object(ServerOption.members),
            answers: .object(ServerOption.members),
            "changes the named settings"
        ) { input in .changeOptions(input.body) },
        AdminOperation(
            "GET", "fidelity",
            query: [
                "area", Shape.Member("status", .choice(of: FidelityRule.Status.self)),
                .integer("number", 1...118),
            ], answers: [.list("rules", of: "FidelityRule"), "sources", "totals"],
            "lists how each behavior is known, and the test that covers it",
            AdminRequest.fidelity),
        AdminOperation(
            "GET", "clock", answers: ["mode", "rate", "now", "milliseconds"],
            "returns the server's time"
        ) { _ in .showClock },
        AdminOperation(
            "PUT", "clock", takes: .object(["mode", "now", "milliseconds", "rate"]),
            answers: ["mode", "rate", "now", "milliseconds"],
            "sets the server's time, and how it advances",
            AdminRequest.clock),
        AdminOperation(
            "POST", "clock/advance",
            takes: .object([
                .text("by"), "seconds",
                .integer("milliseconds", -ServerClock.stepMax...ServerClock.stepMax),
            ]),
            answers: ["mode", "rate", "now", "milliseconds"], "advances the server's time",
            AdminRequest.clockStep),
        AdminOperation(
            "GET", "ticks", answers: [.list("ticks", of: "AdminTick")],
            "lists the kinds of pending work, and how much of each there is"
        ) { _ in .listTicks },
        AdminOperation(
            "POST", "tick",
            takes: .object([.required("what"), .integer("count", 1...1_000_000_000)]),
            answers: ["what", .count("done"), .count("waiting")],
            "runs pending work now",
            AdminRequest.tick),
    ]
}
