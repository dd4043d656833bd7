import Basics
import CloudWire
private import Glibc
import HTTPServer
import JSON

extension MockApplication {
    static let adminPrefix = "/_mock/v1/"

    /// Answers what is under our own prefix.
    func respondToAdmin(_ request: HTTPRequest, _ path: String) -> RequestOutcome {
        do throws(AdminError) {
            if request.method == "OPTIONS" {
                try refuseBrowsers(request)
                return ownOptions(path)
            }
            if path == SignInService.path { return try signIn.respond(to: request) }
            try refuseBrowsers(request)
            try requireAdminToken(request)
            let operation = try Self.operation(request.method, path)
            let asked = try operation.request(request)
            if case .health = asked, !adminToken.isCarried(by: request) { return healthInBrief() }
            let outcome = try carryOut(asked, at: address.url(asCalledBy: request))
            return observing(operation, asked.isStored ? outcome : alone(outcome), asked)
        } catch {
            return .respond(HTTPResponse(error), after: .zero)
        }
    }

    /// How long the body of a request below our own prefix may be.
    static func adminBodyBytesMax(_ method: String, _ path: String) throws(AdminError) -> Int {
        path == SignInService.path
            ? SignInService.formBytesMax : try operation(method, path).bodyBytesMax
    }

    private static func operation(
        _ method: String, _ path: String
    ) throws(AdminError) -> AdminOperation {
        let operations = AdminOperation.table.filter { adminPrefix + $0.path == path }
        guard !operations.isEmpty else {
            let all = AdminOperation.table.map { adminPrefix + $0.path } + [SignInService.path]
            let nearest = NearestName.closest(to: path, among: all) ?? adminPrefix
            throw AdminError(
                status: 404, "no such path; nearest: \(nearest); GET \(adminPrefix) lists all")
        }
        guard let operation = operations.first(where: { $0.method == method }) else {
            let allowed = operations.map(\.method).sorted().joined(separator: ", ")
            throw AdminError(status: 405, "use \(allowed)", allow: allowed)
        }
        return operation
    }

    /// Has a change observed, once it is done.
    private func observing(
        _ operation: AdminOperation, _ outcome: RequestOutcome, _ request: AdminRequest
    ) -> RequestOutcome {
        switch outcome {
        case .respond(let response, _) where response.status < 300,
            .release(_, let response) where response.status < 300:
            noteAdministration(operation, isStored: request.isStored)
            return outcome
        case .job(let job, let answer) where operation.isChange:
            return .job(job) { [self] in
                let response = answer()
                if response.status < 300 {
                    noteAdministration(operation, isStored: request.isStored)
                }
                return response
            }
        case .respond, .job, .cut, .poll, .watch, .hold, .wait, .release: return outcome
        }
    }

    /// - Parameter baseURL: What URLs in the response begin with.
    private func carryOut(
        _ request: AdminRequest, at baseURL: String
    ) throws(AdminError) -> RequestOutcome {
        switch request {
        case .index: index()
        case .describe: describe(at: baseURL)
        case .health: health()
        case .certificate: certificate()
        case .listUsers: listUsers()
        case .addUser(let user): try add(user)
        case .listTokens: listTokens()
        case .addWebToken(let user, let device, let chosen):
            try addWebToken(user: user, device: device, chosen: chosen)
        case .addAPIToken(let token, let chosen): try add(token, chosen: chosen)
        case .removeToken(let api, let web): try removeToken(api: api, web: web)
        case .listKeys: listKeys()
        case .addKey(let pem, let id, let place): try addKey(pem: pem, id: id, place)
        case .removeKey(let id): try removeKey(id: id)
        case .load(let fixture): answer(to: try begin(fixture))
        case .generate(let generator): answer(to: try begin(generator))
        case .listSchemas: try listSchemas()
        case .showSchema(let container, let environment): try schema(of: container, environment)
        case .setSchema(let schema, let container): try set(schema, of: container)
        case .reset(let scope, let also): try reset(scope, also: also)
        case .resetTo(let snapshot, let also): try reset(to: snapshot, also: also)
        case .act(let act): try carryOut(act)
        case .listFaults: listFaults()
        case .setFaults(let rules, let replacing): try setFaults(rules, replacing: replacing)
        case .removeFaults(let id): try removeFaults(id: id)
        case .listGates: listGates()
        case .setGate(let rule): try setGate(rule)
        case .releaseGate(let name, let count, let numbers):
            try releaseGate(name, count: count, numbers: numbers)
        case .removeGates(let name): try removeGates(name)
        case .listJournal(let filter): listJournal(filter)
        case .clearJournal: clearJournal()
        case .explain(let request): try explain(request)
        case .showMetrics: showMetrics()
        case .countJournal(let pattern, let after): countJournal(pattern, after: after)
        case .findJournal(let filter): listJournal(filter)
        case .verifyJournal(let expectations, let inOrder, let after):
            verifyJournal(expectations, inOrder: inOrder, after: after)
        case .listFindings(let filter): listFindings(filter)
        case .clearFindings: clearFindings()
        case .watch(let kinds, let after): try watch(kinds, after: after)
        case .listPushes(let filter): listPushes(filter)
        case .summary(let user): summary(user: user)
        case .dump(let user): try dump(user: user)
        case .export: try export()
        case .importArchive(let bytes): answer(to: ImportJob(bytes))
        case .listContainers: listContainers()
        case .listZones(let key, let after, let limit):
            try listZones(key, after: after, limit: limit)
        case .listRecords(let key, let zone, let request):
            try listRecords(key, zone, request)
        case .showRecord(let key, let zone, let name, let numbersAsStrings):
            try showRecord(
                key, zone, name: name, numbersAsStrings: numbersAsStrings, at: baseURL)
        case .changeRecord(let key, let zone, let user, let operation):
            try change(key, zone, by: user, operation, at: baseURL)
        case .search(let name, let scope, let limit): try search(name, in: scope, limit: limit)
        case .listShares(let key, let after, let limit):
            try listShares(key, after: after, limit: limit)
        case .showAsset(let address, let range): try showAsset(address, range: range)
        case .listPositions(let user): try listPositions(of: user)
        case .readToken(let text): try readToken(text)
        case .listActs: listActs()
        case .listSnapshots: listSnapshots()
        case .listNamespaces: listNamespaces()
        case .addNamespace(let name, let fork, let snapshot):
            try addNamespace(name, fork: fork, snapshot: snapshot)
        case .removeNamespace(let name): try removeNamespace(name)
        case .forgetSnapshot(let name): try forgetSnapshot(name)
        case .showOptions: showOptions()
        case .changeOptions(let body): try changeOptions(body)
        case .fidelity(let area, let status, let number):
            fidelity(FidelityLedger.rules(area: area, status: status, number: number))
        case .showClock: showClock()
        case .setClock(let mode, let moment, let rate): try setClock(mode, moment, rate: rate)
        case .advanceClock(let milliseconds): try advanceClock(milliseconds: milliseconds)
        case .listTicks: try listTicks()
        case .tick(let what, let count): try tick(what, count: count)
        }
    }

    /// Pages of other sites have no business here: every browser says where it comes from.
    func refuseBrowsers(_ request: HTTPRequest) throws(AdminError) {
        if let origin = request["origin"],
            !(WebOrigin(origin).map { address.isOwn($0, request) } ?? false)
        {
            throw AdminError(status: 403, "requests from web pages are refused")
        }
        if request.isOfOtherOrigin {
            throw AdminError(status: 403, "requests from web pages are refused")
        }
    }

    /// Runs something on the store.
    func storing<Result>(
        _ body: () throws(MockStoreError) -> Result
    ) throws(AdminError) -> Result {
        do throws(MockStoreError) {
            return try body()
        } catch {
            throw AdminError(error)
        }
    }

    /// Refuses names of nobody.
    func requireAccount(_ user: String) throws(AdminError) {
        guard store.hasAccount(user) else {
            let nearest = NearestName.closest(to: user, among: store.users.map(\.name))
            throw AdminError(
                "there is no user \"\(user)\"" + (nearest.map { "; nearest: \($0)" } ?? ""))
        }
    }

    /// Every operation of the service and of the administration, as their tables have them.
    private func index() -> RequestOutcome {
        .object { writer in
            writer.objects("service", WireOperation.allCases) { writer, operation in
                let facts = operation.facts
                writer.member("operation", operation.rawValue)
                writer.member("path", operation.pathTemplate)
                writer.member("methods", facts.methods)
                writer.member("credential", facts.credential.rawValue)
                writer.member("modifies", facts.isModifying)
                writer.member("takes", facts.request?.label)
                writer.member("answers", facts.answer.label)
            }
            writer.objects("transfers", WireTransfer.allCases) { writer, transfer in
                writer.member("operation", transfer.rawValue)
                writer.member("path", transfer.pathPrefix + "{token}")
                writer.member("methods", transfer.methods)
            }
            writer.objects("administration", AdminOperation.table) { writer, operation in
                writer.member("method", operation.method)
                writer.member("path", Self.adminPrefix + operation.path)
                writer.member("about", operation.about)
                if !operation.query.isEmpty {
                    writer.member("query", operation.query.map(\.name))
                }
                switch operation.body {
                case .nothing: break
                case .object(let members): writer.member("body", members.map(\.name))
                case .json(let words, _), .text(let words): writer.member("body", words)
                }
                writer.member("answers", operation.answers.keys)
            }
            writer.objects("switches", ServerOption.table) { writer, option in
                writer.member("name", option.name)
                writer.member("about", option.about)
                writer.member("values", option.values)
                writer.member("standard", option.standard)
            }
        }
    }

    private func health() -> RequestOutcome {
        .object { writer in
            writer.member("status", status)
            if let reason = batches.failure { writer.member("takesNoWrites", reason.description) }
            writer.member("url", baseURL)
            writer.member("pid", Int(getpid()))
            switch configuration.storage {
            case .memory: writer.member("store", "memory")
            case .directory: writer.member("store", "directory")
            }
            writer.member("seed", "\(seed)")
            writer.member("users", store.users.count)
            writer.member("requests", observers.journal.total)
            writer.member("faults", faults.plan.entries.count)
            writer.member("commitFailures", batches.failures)
            writer.member("generation", generation)
            writer.member("startedAt", started.iso8601)
        }
    }

    /// What a tool that polls learns without the token of the administration: the seed, for one, would give
    /// away the tokens that are made of it.
    private func healthInBrief() -> RequestOutcome {
        alone(.object { $0.member("status", status) })
    }

    private var status: String { batches.failure == nil ? "ok" : "failing" }

    /// A response that is sent even if the batch is rolled back.
    private func alone(_ outcome: RequestOutcome) -> RequestOutcome {
        switch outcome {
        case .respond(var response, let delay):
            response.survivesRollback = true
            return .respond(response, after: delay)
        case .release(let released, var response):
            response.survivesRollback = true
            return .release(released, response)
        case .job, .cut, .poll, .watch, .hold, .wait: return outcome
        }
    }

    private func certificate() -> RequestOutcome {
        .respond(
            HTTPResponse(
                status: 200, headers: ["content-type": "application/x-pem-file"], body: caPEM),
            after: .zero)
    }
}
