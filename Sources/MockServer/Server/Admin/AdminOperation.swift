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
        case object([String])
        /// JSON whose keys the request's own reader checks.
        case json(String)
        case text(String)
    }

    let method: String
    /// Below `/_mock/v1/`.
    let path: String
    let query: [String]
    let body: Body
    /// How long a request's body may be.
    let bodyBytesMax: Int
    /// The keys of the answer.
    let answers: [String]
    /// What it does, in a sentence.
    let about: String
    private let decode: @Sendable (AdminInput) throws(AdminError) -> AdminRequest

    private init(
        _ method: String, _ path: String, query: [String] = [], takes body: Body = .nothing,
        upTo bodyBytesMax: Int = 1 << 20, answers: [String], _ about: String,
        _ decode: @escaping @Sendable (AdminInput) throws(AdminError) -> AdminRequest
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.bodyBytesMax = bodyBytesMax
        self.answers = answers
        self.about = about
        self.decode = decode
    }

    /// The request, read from what was sent.
    func request(_ request: HTTPRequest) throws(AdminError) -> AdminRequest {
        let query = WireQuery(request.query ?? "")
        for item in query.items where !self.query.contains(item.name) {
            guard let nearest = NearestName.closest(to: item.name, among: self.query) else {
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
        if case .object(let keys) = self.body { try root.allow(keys) }
        return try decode(AdminInput(query: query, body: root, bytes: request.body))
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
            "lists every operation, and the switches"
        ) { _ in .index },
        AdminOperation(
            "GET", "health",
            answers: [
                "status", "takesNoWrites", "url", "store", "seed", "users", "requests", "faults",
                "commitFailures", "generation", "startedAt",
            ], "says how the server is"
        ) { _ in .health },
        AdminOperation("GET", "ca.pem", answers: [], "the certificate to trust") { _ in
            .certificate
        },
        AdminOperation("GET", "users", answers: ["users"], "lists the users") { _ in .listUsers },
        AdminOperation(
            "POST", "users", takes: .object(MockUser.keys),
            answers: ["name", "webToken", "apiToken"], "makes a user, or changes one",
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
            "makes a web token for a user, without a user an API token",
            AdminRequest.newToken),
        AdminOperation(
            "DELETE", "tokens", query: ["apiToken", "webToken"], answers: ["removed"],
            "takes an API token away, or a web token of somebody's choice", AdminRequest.oldToken),
        AdminOperation(
            "GET", "keys", answers: ["keys", "serverKeys"], "lists the server-to-server keys"
        ) { _ in .listKeys },
        AdminOperation(
            "POST", "keys", takes: .object(["publicKey", "keyID", "container", "environment"]),
            answers: ["keyID"], "admits a server-to-server key", AdminRequest.newKey),
        AdminOperation(
            "DELETE", "keys", query: ["keyID"], answers: ["removed"],
            "takes a server-to-server key away", AdminRequest.oldKey),
        AdminOperation(
            "POST", "seed",
            takes: .json(
                "a fixture, or profile, users, containers, environment, zones, records, seed"),
            upTo: seedBytesMax, answers: ["zones", "records", "subscriptions", "refused"],
            "puts data in",
            AdminRequest.seed),
        AdminOperation(
            "GET", "schema", query: ["container", "environment"], answers: ["schemas"],
            "lists where record types are known; with a container, shows them as a .ckdb text",
            AdminRequest.knownSchema),
        AdminOperation(
            "PUT", "schema", query: ["container"], takes: .text("a .ckdb text"),
            upTo: listBytesMax, answers: ["recordTypes"],
            "gives a container a schema, or with no text none",
            AdminRequest.schema),
        AdminOperation(
            "POST", "reset",
            takes: .object(["user", "container", "environment", "database", "zone", "also"]),
            answers: ["generation"], "empties the store, or the part that is named",
            AdminRequest.reset),
        AdminOperation(
            "GET", "act", answers: ["acts"], "lists what can happen, and what each act takes"
        ) { _ in .listActs },
        AdminOperation(
            "POST", "act", takes: .object(["act"] + MockAct.Parameter.allCases.map(\.rawValue)),
            answers: ["act", "message", "changed", "zones", "users", "webToken", "apiToken"],
            "something happens to an account"
        ) { input throws(AdminError) in .act(try MockAct(input.body)) },
        AdminOperation("GET", "faults", answers: ["rules"], "lists the faults") { _ in
            .listFaults
        },
        AdminOperation(
            "PUT", "faults", takes: .json("rules, or a list of rules, or one"),
            upTo: listBytesMax, answers: ["rules"], "replaces all faults, or none if one is wrong"
        ) { input throws(AdminError) in try AdminRequest.faults(input, replacing: true) },
        AdminOperation(
            "POST", "faults", takes: .json("rules, or a list of rules, or one"),
            upTo: listBytesMax, answers: ["rules"], "adds faults; one of the same id is replaced"
        ) { input throws(AdminError) in try AdminRequest.faults(input, replacing: false) },
        AdminOperation(
            "DELETE", "faults", query: ["id"], answers: ["rules"], "takes one fault or all away"
        ) { input in .removeFaults(id: input.query["id"]) },
        AdminOperation(
            "GET", "journal",
            query: [
                "operation", "container", "scope", "zone", "user", "status", "fault", "after",
                "limit", "last",
            ],
            answers: ["total", "kept", "dropped", "bytes", "matching", "entries"],
            "shows the last requests", AdminRequest.journal),
        AdminOperation("DELETE", "journal", answers: ["kept"], "forgets the requests") { _ in
            .clearJournal
        },
        AdminOperation(
            "GET", "pushes", query: ["user", "container", "token", "after", "limit"],
            answers: ["devices", "pushes", "lost"],
            "lists the devices that get pushes, and the last pushes of each", AdminRequest.pushes),
        AdminOperation(
            "GET", "summary", query: ["user"], answers: ["databases"],
            "counts what is stored, database by database"
        ) { input in .summary(user: input.query["user"]) },
        AdminOperation(
            "GET", "dump", query: ["user"],
            answers: ["database", "zone", "record", "subscription", "user"],
            "shows all that a user has, or what is in the public databases, as JSON lines"
        ) { input in .dump(user: input.query["user"]) },
        AdminOperation(
            "GET", "positions", query: ["user"], answers: ["positions"],
            "lists how far each device has been told of the feeds it follows"
        ) { input in .listPositions(user: input.query["user"]) },
        AdminOperation(
            "GET", "containers", answers: ["containers"], "lists the containers that were named"
        ) { _ in .listContainers },
        AdminOperation(
            "GET", "zones", query: AdminRequest.databaseKeys + ["after", "limit"],
            answers: ["zones", "more", "after"],
            "lists the zones of a database, the deleted among them, and counts what each holds",
            AdminRequest.zones),
        AdminOperation(
            "GET", "records",
            query: AdminRequest.zoneKeys + ["name", "type", "deleted", "after", "limit"],
            answers: ["records", "more", "after"],
            "lists the records of a zone by name, and those that were deleted",
            AdminRequest.records),
        AdminOperation(
            "GET", "record", query: AdminRequest.zoneKeys + ["name"],
            answers: [
                "record", "tombstone", "place", "bytes", "createdBy", "modifiedBy", "deletedBy",
                "referrers",
            ], "shows a record with all its fields, or what is left of a deleted one",
            AdminRequest.record),
        AdminOperation(
            "GET", "shares", query: AdminRequest.databaseKeys + ["after", "limit"],
            answers: ["shares", "more", "after"],
            "lists the shares of a private database with their participants", AdminRequest.shares),
        AdminOperation(
            "GET", "asset", query: ["downloadURL"], answers: [],
            "sends the file of an asset, whatever the faults, and notes nothing in the journal",
            AdminRequest.asset),
        AdminOperation("GET", "snapshots", answers: ["snapshots"], "lists the snapshots") { _ in
            .listSnapshots
        },
        AdminOperation("GET", "options", answers: ServerOptions.names, "shows all switches") {
            _ in .showOptions
        },
        AdminOperation(
            "PUT", "options", takes: .object(ServerOptions.names), answers: ServerOptions.names,
            "sets the switches that are named"
        ) { input in .changeOptions(input.body) },
        AdminOperation(
            "GET", "fidelity", query: ["area", "status", "number"],
            answers: ["rules", "sources", "totals"],
            "shows how each behaviour is known, and the test that holds it",
            AdminRequest.fidelity),
        AdminOperation(
            "GET", "clock", answers: ["mode", "now", "milliseconds"], "shows the server's time"
        ) { _ in .showClock },
        AdminOperation(
            "PUT", "clock", takes: .object(["mode", "now", "milliseconds"]),
            answers: ["mode", "now", "milliseconds"], "sets the server's time",
            AdminRequest.clock),
        AdminOperation(
            "POST", "clock/advance", takes: .object(["seconds", "milliseconds"]),
            answers: ["mode", "now", "milliseconds"], "moves the server's time",
            AdminRequest.clockStep),
    ]
}
