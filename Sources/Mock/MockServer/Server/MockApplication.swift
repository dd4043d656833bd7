package import Basics
import CloudModel
import CloudWire
import FileSystem
package import HTTPServer
import OpenSSL

/// The mock server without its sockets: one request in, one answer out.
///
/// Lives on one thread. Answers may be sent only after ``beforeAnswers(_:)``, which waits for
/// the commit of ``endOfTurn(_:)``.
package final class MockApplication: HTTPApplication {
    let configuration: MockServerConfiguration
    /// The one that ends a batch: ``endOfTurn(_:)`` and ``beforeAnswers(_:)`` do.
    private let committer: StoreCommitter
    package var store: MockStore { committer.store }
    let clock: ServerClock
    let authenticator: Authenticator
    let faults: FaultEngine
    let address: ServerAddress
    let responses: ResponseWriter
    let observers: ExchangeObservers
    let service: CloudKitService
    var polls = CourierPolls()
    var gates = Gates()
    /// Requests that were released in the open batch, and continue in the next turn.
    var freed: [Gates.Held] = []
    let timers = PacedTimers()
    let uploads = UploadBacklog()
    /// The archive that is being received; one at a time.
    weak var importSink: ImportSink?
    /// The loop it runs on, once there is one.
    private(set) weak var loop: HTTPLoop?
    var readings = ReadQueue<ExchangeID>()
    /// Grows with every reset.
    var generation = 1
    /// The batch that is open.
    private(set) var batch = CommitBatch()
    let started: Timestamp
    /// What faults, UUIDs and names are drawn with; credentials only where it was asked for.
    let seed: UInt64
    /// Where clients reach the server; set once the port is known.
    package var baseURL: String {
        get { address.baseURL }
        set { address.baseURL = newValue }
    }
    /// What this namespace is called; nil: it is the server's own.
    var namespace: NamespaceName? { address.namespace }
    /// All namespaces of the server; nil without sockets.
    weak var namespaces: Namespaces?
    let credentialKey: CredentialKey
    /// Opens the administration of all namespaces of the server.
    package let adminToken: AdminToken
    /// The certificate clients must trust, for `GET /_mock/v1/ca.pem`.
    package var caPEM: [UInt8] = []

    /// Puts the store, the users, fixtures and faults of the configuration in place.
    package convenience init(
        _ configuration: MockServerConfiguration, clock: WallClock
    ) throws(MockServerError) { try self.init(configuration, clock: clock, start: nil) }

    /// - Parameter start: What a namespace begins with.
    init(
        _ configuration: MockServerConfiguration, clock: WallClock, start: NamespaceStart?
    ) throws(MockServerError) {
        adminToken = start?.adminToken ?? AdminToken()
        self.configuration = configuration
        self.clock = ServerClock(clock)
        started = clock.now
        let location: MockStore.Location
        var key =
            start?.key ?? configuration.seed.map { CredentialKey(seed: $0) } ?? CredentialKey()
        switch configuration.storage {
        case .memory: location = .memory
        case .directory(let path):
            location = .directory(path)
            let files = Files(workingFolder: ".")
            do throws(FileError) {
                try files.makeFolder(path)
                if configuration.seed == nil { key = try CredentialKey(keptIn: path, files) }
            } catch {
                throw MockServerError(.storage, error.description)
            }
        }
        credentialKey = key
        var options = configuration.options
        if configuration.containers != nil { options.autoCreateContainers = false }
        var generator = SecureGenerator()
        do {
            committer = try StoreCommitter(
                location: location, options: options, clock: self.clock.wallClock,
                // As many bits as JSON's readers all keep of a number.
                seed: start?.seed ?? configuration.seed ?? generator.next() >> 11,
                image: start?.image)
            let store = committer.store
            observers = ExchangeObservers(configuration, store)
            // A store that is opened again keeps its own seed, and with it the names made of it.
            let seed = start?.seed ?? configuration.seed ?? store.seed
            self.seed = seed
            store.assets.addresses = AssetAddresses(key: key.derived(for: "asset addresses"))
            faults = FaultEngine(FaultPlan(seed: seed), store)
            // What a namespace begins with has all of it.
            if start == nil { try Self.prepare(store, configuration) }
            try committer.commit()
        } catch {
            throw MockServerError(.storage, error.description)
        }
        do throws(AdminError) {
            let start = committer.store.starts
            authenticator = try Authenticator(
                key, start: start,
                webTokens: WebTokenIssuer(
                    key, start: start, isSingleUse: configuration.singleUseTokens,
                    millisecondsMax: configuration.webTokenSecondsMax * 1000),
                checksClockSkew: configuration.checksClockSkew,
                callback: configuration.signInCallback)
        } catch {
            throw MockServerError(.input, error.reason)
        }
        authenticator.takesUnboundTokens = configuration.takesUnboundTokens
        responses = ResponseWriter(seed: seed, authenticator)
        address = ServerAddress(configuration, start?.name)
        service = CloudKitService(
            committer.store, self.clock, authenticator, RequestThrottle(configuration.throttle),
            faults, address, responses, observers)
        try admitChosenCredentials()
        for rule in configuration.faults {
            do {
                // Fixtures that are loaded later may bring containers.
                try faults.plan.set(
                    rule, containers: configuration.fixtures.isEmpty ? servedContainers : nil,
                    now: self.clock.now)
            } catch {
                throw MockServerError(.input, "fault \(rule.id): \(error)")
            }
        }
    }

    static func prepare(
        _ store: MockStore, _ configuration: MockServerConfiguration
    ) throws(MockStoreError) {
        for container in configuration.containers ?? [] { try store.addContainer(container) }
        for (container, schema) in configuration.schemas {
            try store.setSchema(schema, of: container)
        }
        // A store that is opened again may know more of them than their names.
        for name in configuration.users where !store.hasAccount(name) {
            try store.addUser(MockUser(name))
        }
    }

    /// The containers that can be asked for; nil: any, or those that a seed will name.
    var servedContainers: [Container.ID]? {
        let known = store.knownContainers
        return store.options.autoCreateContainers || known.isEmpty ? nil : known
    }

    /// The API tokens of the containers that were named.
    package var containerTokens: [(place: ContainerPlace, token: String)] {
        store.knownContainers.flatMap { container in
            Container.Environment.allCases.map { environment in
                let place = ContainerPlace(container, environment)
                return (place, authenticator.apiToken(of: place))
            }
        }.filter { !authenticator.isRevoked($0.token) }
    }

    /// The server's own API token.
    package var apiToken: String { authenticator.defaultAPIToken }

    /// A new web token for a user, as after a sign-in.
    ///
    /// - Parameter device: The device they sign in on, which what they write is marked with.
    package func issueWebToken(user: String, device: String? = nil) -> String {
        let session = authenticator.session(of: user, device: device, now: clock.now)
        return authenticator.webTokens.issue(user: session, now: clock.now)
    }

    package func started(_ loop: HTTPLoop) { self.loop = loop }

    package func use(
        ofBodyOf head: HTTPRequest, length: Int?, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPBodyUse {
        if let use = use(ofUpload: head, length: length, exchange, loop) { return use }
        if let use = use(ofImport: head, exchange, loop) { return use }
        // Most are shorter than what every route takes, and need not be looked at twice.
        if let length, length <= Self.formBytesMax { return .collect(bytesMax: length) }
        do {
            if isAdministrative(head) {
                try requireAdminToken(head)
                return .collect(bytesMax: try Self.adminBodyBytesMax(head.method, head.path))
            }
            let route = try WireRoute.parse(method: head.method, path: head.path, query: "")
            return .collect(bytesMax: route.operation.facts.bodyBytesMax)
        } catch {
            // The request leads nowhere, and is told so without its body.
            if length != nil, case .respond(let response, _) = respond(head) {
                return .refuse(response)
            }
            return .collect(bytesMax: Self.formBytesMax)
        }
    }

    package func refusal(ofLongBodyOf head: HTTPRequest) -> HTTPResponse {
        let reason = "the body exceeds the limit of this request"
        if isAdministrative(head) { return adminResponse(AdminError(status: 413, reason)) }
        let error = CloudError(
            .badRequest, reason: reason, httpStatus: 413, rule: "body-over-the-limit")
        let wire = responses.write(error)
        var record = ExchangeRecord(
            RequestJournal.Entry(
                time: clock.now, method: head.method, operation: String(head.path.prefix(300)),
                status: wire.status))
        record.fail(error)
        let uuid = responses.latestUUID
        record.entry.uuid = uuid
        record.entry.replyBytes = wire.body.count
        observers.note(record)
        return responses.response(wire, to: head, uuid: uuid)
    }

    package func handle(
        _ request: HTTPRequest, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPAnswer {
        if let answer = beginEmptyUpload(request, exchange, loop) { return answer }
        return carryOut(respond(request), exchange, loop)
    }

    /// Does what is to happen after a request, or sees to it that it is done later.
    func carryOut(
        _ outcome: RequestOutcome, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPAnswer {
        switch outcome {
        case .respond(let response, let delay):
            guard delay > .zero else { return .respond(response) }
            timers.schedule(after: delay, loop) { [self, batch] loop in
                guard batch.outcome == .committed else { return fail(exchange, batch, loop) }
                // Its batch is committed; the one that is open now does not matter to it.
                var late = response
                late.survivesRollback = true
                loop.respond(to: exchange, late)
            }
        case .cut(let delay):
            guard delay > .zero else { return .cut }
            timers.schedule(after: delay, loop) { $0.cut(exchange) }
        case .poll(let token, let headers):
            polls.add(exchange, for: token, headers, configuration.courierWait, self, loop)
        case .watch(let listener):
            observers.listeners.add(listener, exchange, observers, loop)
            return .respond(listener.response)
        case .job(let job, let answer):
            begin(job, answer, exchange, loop)
        case .hold(let hold, let facts, let next):
            return wait(at: hold, facts, exchange, loop, then: next)
        case .wait(let delay, let next):
            timers.schedule(after: delay, loop) { [self, batch] loop in
                guard batch.outcome == .committed else { return fail(exchange, batch, loop) }
                switch carryOut(next(), exchange, loop) {
                case .respond(var response):
                    response.survivesRollback = true
                    loop.respond(to: exchange, response)
                case .cut: loop.cut(exchange)
                case .later: break
                }
            }
        case .release(let released, let response):
            goOn(released, loop)
            return .respond(response)
        }
        return .later
    }

    /// Responds to a request that waited and whose batch was not committed.
    func fail(_ exchange: ExchangeID, _ batch: CommitBatch, _ loop: HTTPLoop) {
        switch batch.outcome {
        case .committed, .rolledBack: loop.respond(to: exchange, responses.rollback)
        case .indeterminate: loop.cut(exchange)
        }
    }

    /// Does a whole job at once, and commits it; for the time before the server listens.
    package func finish(_ job: any StoreJob) throws(MockStoreError) {
        while try job.runSlice(store) { try commit() }
        try commit()
    }

    /// Removes what is kept for the time of the process only.
    package func close() {
        // Their responses would keep this object.
        readings = ReadQueue()
        store.close()
    }

    // MARK: - The end of a batch

    package func endOfTurn(_ loop: HTTPLoop) throws {
        do throws(MockStoreError) {
            try beginCommit()
        } catch {
            observers.listeners.wake(loop, newest: observers.events.newest)
            throw error
        }
        timers.follow(clock, loop)
        goOnFreed(loop)
        deliverPushes(loop)
    }

    package func beforeAnswers(_ loop: HTTPLoop) throws {
        defer { observers.listeners.wake(loop, newest: observers.events.newest) }
        try finishCommit()
    }

    package func failure(_ error: any Error) -> HTTPResponse { responses.rollback }

    /// Commits the open batch, where there is no loop.
    package func commit() throws(MockStoreError) {
        try beginCommit()
        try finishCommit()
    }

    private func beginCommit() throws(MockStoreError) {
        observers.noteChanges()
        do throws(MockStoreError) {
            try telling(committer.begin)
        } catch {
            end(.rolledBack)
            throw error
        }
    }

    private func finishCommit() throws(MockStoreError) {
        do throws(MockStoreError) {
            try telling(committer.finish)
        } catch {
            end(.indeterminate)
            throw error
        }
        end(.committed)
    }

    private func end(_ outcome: CommitBatch.Outcome) {
        batch.outcome = outcome
        batch = CommitBatch()
        observers.settle(outcome)
    }

    /// Commits that failed, and why the latest did; nil when it did not.
    var commitFailures: (count: Int, latest: MockStoreError?) {
        (committer.failures, committer.failure)
    }

    /// Says so when the store begins to fail.
    private func telling(_ step: () throws(MockStoreError) -> Void) throws(MockStoreError) {
        let was = committer.failure
        do throws(MockStoreError) {
            try step()
        } catch {
            if was == nil {
                let cure = error.code == .diskFull ? "free space" : "restart the server"
                configuration.warn("the store accepts no writes: \(error.description); \(cure)")
            }
            throw error
        }
    }

    package func idle(_ loop: HTTPLoop) -> Bool {
        // What is left of deleted zones can wait until the disk takes something again.
        guard committer.failure == nil else { return false }
        do throws(MockStoreError) {
            guard try store.purgeSome() else { return false }
            loop.commitTurn()
            return true
        } catch {
            // The commit fails for the same reason, and tells of it.
            loop.commitTurn()
            return false
        }
    }

    /// Answers a request; whoever calls this must ``commit()`` before passing the answer on.
    package func respond(_ request: HTTPRequest) -> RequestOutcome {
        if isAdministrative(request) {
            return respondToConsole(request) ?? respondToAdmin(request, request.path)
        }
        if request.path == "/", let page = respondToConsole(request) { return page }
        if request.method == "OPTIONS" {
            return .respond(
                responses.preflight(request, allow: Self.allow(at: request.path)), after: .zero)
        }
        if request.path == "/" { return .respond(pageRefusal(request), after: .zero) }
        if request.path == CourierPolls.path { return respondToCourier(request) }
        switch WireTransfer(path: request.path) {
        case .upload: return respondToUpload(request)
        case .download: return respondToDownload(request)
        case nil: return service.respond(to: request)
        }
    }

    private func isAdministrative(_ request: HTTPRequest) -> Bool {
        request.target.hasPrefix("/_mock")
    }
}
