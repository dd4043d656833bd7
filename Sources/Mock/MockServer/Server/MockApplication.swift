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
    package let store: MockStore
    /// Ends each batch, in ``endOfTurn(_:)`` and ``beforeAnswers(_:)``.
    let batches: BatchCommitter
    let clock: ServerClock
    let authenticator: Authenticator
    let faults: FaultEngine
    let address: ServerAddress
    let responses: ResponseWriter
    let observers: ExchangeObservers
    let service: CloudKitService
    let scheduler: ResponseScheduler
    let transfers: AssetTransferService
    let signIn: SignInService
    /// The archive that is being received; one at a time.
    weak var importSink: ImportSink?
    /// The loop it runs on, once there is one.
    private(set) weak var loop: HTTPLoop?
    /// Grows with every reset.
    var generation = 1
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
        let committer: StoreCommitter
        do {
            committer = try StoreCommitter(
                location: location, options: options, clock: self.clock.wallClock,
                // As many bits as JSON's readers all keep of a number.
                seed: start?.seed ?? configuration.seed ?? generator.next() >> 11,
                image: start?.image)
            store = committer.store
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
            let start = store.starts
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
            store, self.clock, authenticator, RequestThrottle(configuration.throttle),
            faults, address, responses, observers)
        batches = BatchCommitter(committer, observers, warn: configuration.warn)
        let timers = PacedTimers()
        scheduler = ResponseScheduler(
            batches, self.clock, faults, responses, observers,
            PushService(store, responses, timers, wait: configuration.courierWait), timers)
        transfers = AssetTransferService(store, address, scheduler)
        signIn = SignInService(store, self.clock, authenticator, address)
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
        authenticator.issueWebToken(of: user, device: device, now: clock.now)
    }

    package func started(_ loop: HTTPLoop) { self.loop = loop }

    package func use(
        ofBodyOf head: HTTPRequest, length: Int?, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPBodyUse {
        if let use = transfers.use(ofBodyOf: head, length: length, exchange, loop) { return use }
        if let use = use(ofImport: head, exchange, loop) { return use }
        // Most are shorter than what every route takes, and need not be looked at twice.
        if let length, length <= SignInService.formBytesMax { return .collect(bytesMax: length) }
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
            return .collect(bytesMax: SignInService.formBytesMax)
        }
    }

    package func refusal(ofLongBodyOf head: HTTPRequest) -> HTTPResponse {
        let reason = "the body exceeds the limit of this request"
        if isAdministrative(head) { return HTTPResponse(AdminError(status: 413, reason)) }
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
        if let answer = transfers.handleEmptyUpload(request, exchange, loop) { return answer }
        return scheduler.run(respond(request), exchange, loop)
    }

    /// Does a whole job at once, and commits it; for the time before the server listens.
    package func finish(_ job: any StoreJob) throws(MockStoreError) {
        while try job.runSlice(store) { try commit() }
        try commit()
    }

    /// Removes what is kept for the time of the process only.
    package func close() {
        scheduler.close()
        store.close()
    }

    // MARK: - The end of a batch

    package func endOfTurn(_ loop: HTTPLoop) throws {
        do throws(MockStoreError) {
            try batches.begin()
        } catch {
            observers.listeners.wake(loop, newest: observers.events.newest)
            throw error
        }
        scheduler.batchDidCommit(loop)
    }

    package func beforeAnswers(_ loop: HTTPLoop) throws {
        defer { observers.listeners.wake(loop, newest: observers.events.newest) }
        try batches.finish()
    }

    package func failure(_ error: any Error) -> HTTPResponse { responses.rollback }

    /// Commits the open batch, where there is no loop.
    package func commit() throws(MockStoreError) {
        try batches.begin()
        try batches.finish()
    }

    package func willStop(_ loop: HTTPLoop) { scheduler.stop(loop) }

    package func idle(_ loop: HTTPLoop) -> Bool {
        // What is left of deleted zones can wait until the disk takes something again.
        guard batches.failure == nil else { return false }
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
        if request.path == PushService.path { return scheduler.pushes.respond(to: request) }
        switch WireTransfer(path: request.path) {
        case .upload: return transfers.respond(toUpload: request)
        case .download: return transfers.respond(toDownload: request)
        case nil: return service.respond(to: request)
        }
    }

    private func isAdministrative(_ request: HTTPRequest) -> Bool {
        request.target.hasPrefix("/_mock")
    }
}
