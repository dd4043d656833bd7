package import Basics
import CloudModel
import CloudWire
package import HTTPServer
import MockAdmin
import MockFaults
package import MockService
package import MockStore

/// One namespace of the mock server without sockets: connects the services, routes requests to them, and ends batches.
///
/// Used on one thread. Responses may be sent only after ``beforeAnswers(_:)``, which waits for the commit of
/// ``endOfTurn(_:)``.
package final class NamespaceHost: HTTPApplication {
    let configuration: MockServerConfiguration
    package let store: MockStore
    /// Ends each batch, in ``endOfTurn(_:)`` and ``beforeAnswers(_:)``.
    let batches: BatchCommitter
    let service: CloudKitService
    let scheduler: ResponseScheduler
    let transfers: AssetTransferService
    let signIn: SignInService
    let administration: Administration
    let credentialKey: CredentialKey
    var clock: ServerClock { scheduler.clock }
    /// Where clients reach the server; set once the port is known.
    package var baseURL: String {
        get { service.address.baseURL }
        set { service.address.baseURL = newValue }
    }
    package var adminToken: AdminToken { administration.identity.adminToken }
    package var seed: UInt64 { administration.identity.seed }
    private var responses: ResponseWriter { service.responses }
    private var observers: ExchangeObservers { service.observers }

    /// Puts the store, the users, fixtures and faults of the configuration in place.
    package convenience init(
        _ configuration: MockServerConfiguration, clock: WallClock
    ) throws(MockServerError) { try self.init(configuration, clock: clock, start: nil) }

    /// - Parameter start: What a namespace begins with.
    init(
        _ configuration: MockServerConfiguration, clock: WallClock, start: NamespaceStart?
    ) throws(MockServerError) {
        self.configuration = configuration
        let started = clock.now
        let clock = ServerClock(clock)
        let opened = try OpenedStore(configuration, clock, start)
        store = opened.store
        credentialKey = opened.credentialKey
        let observers = ExchangeObservers(
            store,
            journal: RequestJournal(
                entriesMax: max(1, configuration.journalEntriesMax),
                bytesMax: max(1, configuration.journalBytesMax)),
            checksClients: configuration.checksClients)
        let faults = FaultEngine(FaultPlan(seed: opened.seed), store)
        let authenticator = try opened.authenticator(configuration)
        let responses = ResponseWriter(seed: opened.seed, authenticator)
        let address = ServerAddress(
            names: configuration.names, certifiedNames: configuration.certifiedNames,
            namespace: start?.name)
        service = CloudKitService(
            store, clock, authenticator, RequestThrottle(configuration.throttle), faults, address,
            responses, observers)
        batches = BatchCommitter(opened.committer, observers, warn: configuration.warn)
        let timers = PacedTimers()
        scheduler = ResponseScheduler(
            batches, clock, faults, responses, observers,
            PushService(store, responses, timers, wait: configuration.courierWait), timers)
        transfers = AssetTransferService(store, address, scheduler)
        signIn = SignInService(store, clock, authenticator, address)
        administration = Administration(
            Administration.Identity(
                started: started, seed: opened.seed,
                adminToken: start?.adminToken ?? AdminToken(),
                isInMemory: configuration.storage == .memory),
            service, scheduler)
        try configuration.admitCredentials(administration)
        try setFaults()
    }

    /// Sets the faults of the configuration.
    private func setFaults() throws(MockServerError) {
        // Fixtures that are loaded later may bring containers.
        let containers =
            configuration.fixtures.isEmpty ? administration.servedContainers : nil
        for rule in configuration.faults {
            do throws(FaultError) {
                try service.faults.plan.set(rule, containers: containers, now: clock.now)
            } catch {
                throw MockServerError(.input, "fault \(rule.id): \(error)")
            }
        }
    }

    /// The server's own API token.
    package var apiToken: String { service.authenticator.defaultAPIToken }

    /// A new web token for a user, as after a sign-in.
    ///
    /// - Parameter device: The device they sign in on, which what they write is marked with.
    package func issueWebToken(user: String, device: String? = nil) -> String {
        administration.issueWebToken(user: user, device: device)
    }

    package func started(_ loop: HTTPLoop) { scheduler.loop = loop }

    package func use(
        ofBodyOf head: HTTPRequest, length: Int?, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPBodyUse {
        if let use = transfers.use(ofBodyOf: head, length: length, exchange, loop) { return use }
        if let use = administration.use(ofBodyOf: head, exchange, loop) { return use }
        // Most are shorter than what every route takes, and need not be looked at twice.
        if let length, length <= SignInService.formBytesMax { return .collect(bytesMax: length) }
        do {
            if isAdministrative(head) {
                try administration.requireToken(head)
                return .collect(
                    bytesMax: head.path == SignInService.path
                        ? SignInService.formBytesMax
                        : try Administration.endpoint(head.method, head.path).bodyBytesMax)
            }
            let route = try WireRoute.parse(method: head.method, path: head.path, query: "")
            return .collect(bytesMax: route.operation.facts.bodyBytesMax)
        } catch {
            // The request is refused: its body need not be read.
            if length != nil, case .respond(let response, _) = respond(head) {
                return .refuse(response)
            }
            return .collect(bytesMax: SignInService.formBytesMax)
        }
    }

    package func refusal(ofLongBodyOf head: HTTPRequest) -> HTTPResponse {
        let reason = "the body exceeds the limit of this request"
        if isAdministrative(head) { return HTTPResponse(MockError(status: 413, reason)) }
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
        try batches.commit()
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
            // The commit fails for the same reason, and reports it.
            loop.commitTurn()
            return false
        }
    }

    /// Processes a request. The caller must ``commit()`` before it sends the response.
    package func respond(_ request: HTTPRequest) -> RequestOutcome {
        if isAdministrative(request) {
            if let file = respondWithFile(to: request) { return file }
            guard request.path == SignInService.path, request.method != "OPTIONS" else {
                return administration.respond(to: request)
            }
            do throws(MockError) {
                return try signIn.respond(to: request)
            } catch {
                return .respond(HTTPResponse(error))
            }
        }
        if request.path == "/", let file = respondWithFile(to: request) { return file }
        if request.method == "OPTIONS" {
            return .respond(
                responses.preflight(request, allow: Administration.methods(at: request.path)))
        }
        if request.path == "/" {
            let error = CloudError(.badRequest, reason: "use GET, HEAD", httpStatus: 405)
            let wire = responses.write(error)
            return .respond(
                responses.response(
                    wire, to: request, uuid: responses.latestUUID,
                    allow: Administration.methods(at: "/")))
        }
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

    /// A file of the console; nil: the path is not one.
    private func respondWithFile(to request: HTTPRequest) -> RequestOutcome? {
        guard let file = ConsoleFile.find(request.path) else { return nil }
        guard request.method != "GET", request.method != "HEAD" else {
            return .respond(file.response)
        }
        // At "/", the service refuses other methods, and answers OPTIONS.
        guard request.path != "/", request.method != "OPTIONS" else { return nil }
        return .respond(
            HTTPResponse(MockError(status: 405, "use GET, HEAD", allow: "GET, HEAD")))
    }
}
