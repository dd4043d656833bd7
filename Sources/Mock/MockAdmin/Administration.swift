package import Basics
package import CloudModel
package import HTTPServer
import MockFaults
package import MockService
package import MockStore

/// The administration API: what tests and tools request of the server itself.
///
/// Each endpoint is a row of ``AdminEndpoint/all``; resources process them.
package final class Administration {
    package static let prefix = "/_mock/v1/"

    /// What does not change while the server runs.
    package struct Identity {
        let started: Timestamp
        /// What faults, UUIDs and names are drawn with; credentials only where it was asked for.
        package let seed: UInt64
        /// Opens the administration of all namespaces of the server.
        package let adminToken: AdminToken
        /// Whether nothing of the store survives a stop.
        let isInMemory: Bool

        package init(started: Timestamp, seed: UInt64, adminToken: AdminToken, isInMemory: Bool) {
            self.started = started
            self.seed = seed
            self.adminToken = adminToken
            self.isInMemory = isInMemory
        }
    }

    package let identity: Identity
    package let store: MockStore
    package let authenticator: Authenticator
    let address: ServerAddress
    let service: CloudKitService
    package let scheduler: ResponseScheduler
    /// Grows with every reset.
    var generation = 1
    /// All namespaces of the server; nil for a host that stands alone.
    package weak var namespaces: (any NamespaceDirectory)?
    /// The snapshot file that is being received; one at a time.
    weak var importSink: ImportSink?
    /// The certificate clients must trust, for `GET /_mock/v1/ca.pem`.
    package var caPEM: [UInt8] = []

    package init(
        _ identity: Identity, _ service: CloudKitService, _ scheduler: ResponseScheduler
    ) {
        self.identity = identity
        self.service = service
        self.scheduler = scheduler
        store = service.store
        authenticator = service.authenticator
        address = service.address
    }

    private var clock: ServerClock { scheduler.clock }
    private var observers: ExchangeObservers { scheduler.observers }

    /// Processes a request below ``prefix``.
    package func respond(to request: HTTPRequest) -> RequestOutcome {
        do throws(MockError) {
            try refuseBrowsers(request)
            guard request.method != "OPTIONS" else {
                let allow = Self.methods(at: request.path)
                return .respond(HTTPResponse(status: 200, headers: ["allow": allow]))
            }
            try requireToken(request)
            let endpoint = try Self.endpoint(request.method, request.path)
            let outcome = try endpoint.respond(
                to: request, self, baseURL: address.url(asCalledBy: request),
                isAuthorized: identity.adminToken.isCarried(by: request))
            return observing(endpoint, endpoint.isStored ? outcome : Self.surviving(outcome))
        } catch {
            return .respond(HTTPResponse(error))
        }
    }

    package static func endpoint(
        _ method: String, _ path: String
    ) throws(MockError) -> AdminEndpoint {
        let endpoints = AdminEndpoint.all.filter { prefix + $0.path == path }
        guard !endpoints.isEmpty else {
            let all = AdminEndpoint.all.map { prefix + $0.path } + [SignInService.path]
            let nearest = NearestName.closest(to: path, among: all) ?? prefix
            throw MockError(
                status: 404, "no such path; nearest: \(nearest); GET \(prefix) lists all")
        }
        guard let endpoint = endpoints.first(where: { $0.method == method }) else {
            let allowed = endpoints.map(\.method).sorted().joined(separator: ", ")
            throw MockError(status: 405, "use \(allowed)", allow: allowed)
        }
        return endpoint
    }

    /// Has a change observed, once it is done.
    private func observing(_ endpoint: AdminEndpoint, _ outcome: RequestOutcome) -> RequestOutcome {
        switch outcome {
        case .respond(let response, _) where response.status < 300,
            .release(_, let response) where response.status < 300:
            note(endpoint)
            return outcome
        case .job(let job, let respond) where endpoint.isChange:
            return .job(job) { [self] in
                let response = respond()
                if response.status < 300 { note(endpoint) }
                return response
            }
        case .respond, .job, .cut, .poll, .watch, .hold, .wait, .release: return outcome
        }
    }

    private func note(_ endpoint: AdminEndpoint) {
        guard endpoint.isChange else { return }
        if endpoint.path.hasPrefix("clock") { noteClock() }
        observers.note(
            .administration(
                method: endpoint.method, path: endpoint.path, isStored: endpoint.isStored))
    }

    private func noteClock() { observers.note(.clock(clock.setting, now: clock.now)) }

    /// A response that is sent even if the batch is rolled back.
    static func surviving(_ outcome: RequestOutcome) -> RequestOutcome {
        switch outcome {
        case .respond(var response, let delay):
            response.survivesRollback = true
            return .respond(response, after: delay)
        case .release(let released, var response):
            response.survivesRollback = true
            return .release(released, response)
        case .job(let job, let respond):
            return .job(job) {
                var response = respond()
                response.survivesRollback = true
                return response
            }
        case .cut, .poll, .watch, .hold, .wait: return outcome
        }
    }

    // MARK: - Who may send a request

    /// What below `/_mock` is answered without the token, and why that gives nothing away. Anything else needs
    /// it, but for the files of the console, which are those of the program, and `OPTIONS`, which names methods.
    static let openPaths: [(path: String, reason: String)] = [
        (SignInService.path, "users sign in there, with an API token instead"),
        (prefix + "health", "without the token it returns the status only"),
        (prefix + "ca.pem", "a certificate is public"),
        (prefix + "openapi.json", "static text of the program, the same for all servers"),
        (prefix + "rules", "static text of the program, the same for all servers"),
    ]

    /// Refuses a request that needs the administration's token and does not carry it.
    package func requireToken(_ request: HTTPRequest) throws(MockError) {
        guard !Self.openPaths.contains(where: { $0.path == request.path }) else { return }
        guard identity.adminToken.isCarried(by: request) else {
            let problem =
                request["authorization"] == nil
                ? "the administration API needs a token"
                : "the token is not valid for this server's administration API"
            throw MockError(
                status: 401,
                problem + "; send \"Authorization: Bearer TOKEN\" with the \"adminToken\" of "
                    + "the file that \"cloudkit-mock serve --ready-file\" names")
        }
    }

    /// Refuses requests of other sites' pages: every browser names the origin of a request.
    func refuseBrowsers(_ request: HTTPRequest) throws(MockError) {
        if let origin = request["origin"],
            !(WebOrigin(origin).map { address.isOwn($0, request) } ?? false)
        {
            throw MockError(status: 403, "requests from web pages are refused")
        }
        if request.isOfOtherOrigin {
            throw MockError(status: 403, "requests from web pages are refused")
        }
    }

    /// Refuses names of unknown users.
    package func requireAccount(_ user: String) throws(MockError) {
        guard store.hasAccount(user) else {
            let nearest = NearestName.closest(to: user, among: store.users.map(\.name))
            throw MockError(
                "there is no user \"\(user)\"" + (nearest.map { "; nearest: \($0)" } ?? ""))
        }
    }

    // MARK: - What several resources need

    /// A new web token for a user, as after a sign-in.
    package func issueWebToken(user: String, device: String? = nil) -> String {
        authenticator.issueWebToken(of: user, device: device, now: clock.now)
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

    /// The containers that can be asked for; nil: any, or those that a seed will name.
    package var servedContainers: [Container.ID]? {
        let known = store.knownContainers
        return store.options.autoCreateContainers || known.isEmpty ? nil : known
    }

    package var options: ServerOptions {
        get {
            ServerOptions(
                store: store.options, singleUseTokens: authenticator.webTokens.isSingleUse,
                takesUnboundTokens: authenticator.takesUnboundTokens,
                checksClockSkew: authenticator.checksClockSkew,
                webTokenSecondsMax: Int(authenticator.webTokens.millisecondsMax / 1000),
                throttle: service.throttle.rate, checksClients: observers.checksClients)
        }
        set {
            store.options = newValue.store
            authenticator.webTokens.isSingleUse = newValue.singleUseTokens
            authenticator.takesUnboundTokens = newValue.takesUnboundTokens
            authenticator.checksClockSkew = newValue.checksClockSkew
            authenticator.webTokens.millisecondsMax = Int64(newValue.webTokenSecondsMax) * 1000
            service.throttle.rate = newValue.throttle
            observers.checksClients = newValue.checksClients
        }
    }

    /// Forgets what is remembered of feeds, and begins a new generation.
    ///
    /// - Parameters:
    ///   - scope: What was reset.
    ///   - clockToo: Whether the clock changed too.
    func noteReset(_ scope: ResetScope = ResetScope(), clockToo: Bool) {
        scheduler.faults.pages.forget(scope)
        observers.forgetPositions(scope)
        generation += 1
        observers.note(.reset(generation: generation))
        if clockToo { noteClock() }
    }
}
