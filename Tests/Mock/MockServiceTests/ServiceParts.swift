import Basics
import CloudModel
import CloudWire
import HTTPServer
import MockFaults
import MockSamples
import MockService
import MockStore

/// The services of a namespace on a store in memory: no host, no administration, no socket.
struct ServiceParts {
    let committer: StoreCommitter
    let store: MockStore
    let clock: ServerClock
    let authenticator: Authenticator
    let faults: FaultEngine
    let address: ServerAddress
    let responses: ResponseWriter
    let observers: ExchangeObservers
    let service: CloudKitService
    /// Ann's, on one device.
    private let webToken: String

    init(throttle: RequestThrottle.Rate = RequestThrottle.Rate()) throws {
        clock = ServerClock(.fixed(Samples.start))
        committer = try StoreCommitter(location: .memory, clock: clock.wallClock, seed: 7)
        store = committer.store
        try store.addUser(MockUser("ann"))
        try committer.commit()
        let key = CredentialKey(seed: 7)
        authenticator = try Authenticator(
            key, start: store.starts,
            webTokens: WebTokenIssuer(
                key, start: store.starts, isSingleUse: false, millisecondsMax: 1_800_000),
            checksClockSkew: true)
        faults = FaultEngine(FaultPlan(seed: 7), store)
        address = ServerAddress(names: ["localhost"], certifiedNames: ["localhost"])
        responses = ResponseWriter(seed: 7, authenticator)
        observers = ExchangeObservers(
            store, journal: RequestJournal(entriesMax: 100, bytesMax: 1 << 20))
        service = CloudKitService(
            store, clock, authenticator, RequestThrottle(throttle), faults, address, responses,
            observers)
        webToken = authenticator.issueWebToken(of: "ann", now: clock.now)
    }

    /// A request of an operation, with Ann's credentials or with none.
    func request(_ command: CloudCommand, isSigned: Bool = true) -> HTTPRequest {
        let wire = WireRequest(command, at: Samples.address())
        var target = wire.path
        if isSigned {
            target +=
                "?ckAPIToken=" + authenticator.defaultAPIToken + "&ckWebAuthToken="
                + WireQuery.encoded(webToken)
        }
        return HTTPRequest(method: wire.method, target: target, body: wire.body)
    }

    /// The response that the service decided on at once; nil: it decided otherwise.
    func response(to request: HTTPRequest) -> HTTPResponse? {
        guard case .respond(let response, _) = service.respond(to: request) else { return nil }
        return response
    }
}
