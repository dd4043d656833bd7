import Basics
import ClientLinter
import CloudModel
import CloudWire
package import HTTPServer
import MockFaults
package import MockStore

/// CloudKit Web Services: processes requests of its operations.
///
/// Each goes the same way: route, caller, throttle, body, faults, store, response. What was observed of it goes to the
/// ``ExchangeObservers`` at the end.
package final class CloudKitService {
    package let store: MockStore
    let clock: ServerClock
    package let authenticator: Authenticator
    /// How many requests each client can send.
    package var throttle: RequestThrottle
    package let faults: FaultEngine
    package let address: ServerAddress
    package let responses: ResponseWriter
    package let observers: ExchangeObservers

    package init(
        _ store: MockStore, _ clock: ServerClock, _ authenticator: Authenticator,
        _ throttle: RequestThrottle, _ faults: FaultEngine, _ address: ServerAddress,
        _ responses: ResponseWriter, _ observers: ExchangeObservers
    ) {
        self.store = store
        self.clock = clock
        self.authenticator = authenticator
        self.throttle = throttle
        self.faults = faults
        self.address = address
        self.responses = responses
        self.observers = observers
    }

    // MARK: - A request

    /// Processes a request.
    ///
    /// - Parameter stage: How far it came before it was held; it is processed again from there.
    package func respond(to request: HTTPRequest, from stage: RequestProgress.Stage = .new)
        -> RequestOutcome
    {
        var entry = RequestJournal.Entry(
            time: clock.now, method: request.method, operation: "", status: 0)
        entry.requestBytes = request.body.count
        var progress = RequestProgress(ExchangeRecord(entry), stage)
        progress.record.request = request
        responses.begin()
        var wire: WireResponse?
        var allow: String?
        do throws(WireRouteError) {
            let route = try WireRoute.parse(
                method: request.method, path: request.path, query: request.query ?? "")
            do throws(CloudError) {
                wire = try answer(request, route, &progress)
            } catch {
                progress.record.fail(error)
                wire = responses.write(error)
            }
        } catch {
            progress.record.operation = .failure(error)
            progress.record.entry.operation = String(request.path.prefix(300))
            progress.record.fail(error.cloudError)
            wire = responses.write(error.cloudError)
            allow = error.allow
        }
        if let pause = progress.pause {
            return Self.holding(pause.holds, HeldFacts(progress.record.entry)) { [self] in
                respond(to: request, from: pause.stage)
            }()
        }
        return finish(request, wire, allow, &progress)
    }

    /// Makes the response to a request, has it observed, and says what happens with it.
    private func finish(
        _ request: HTTPRequest, _ wire: consuming WireResponse?, _ allow: String?,
        _ progress: inout RequestProgress
    ) -> RequestOutcome {
        let decision = progress.decision
        let nextToken = nextToken(after: &wire, &progress)
        if progress.record.failure != nil {
            progress.record.entry.uuid = responses.latestUUID
        } else if let status = wire?.status, status >= 400 {
            progress.record.entry.uuid = responses.firstUUID
        }
        let (uuid, made) = (progress.record.entry.uuid, wire.take())
        var response = made.map {
            responses.response($0, to: request, nextToken: nextToken, uuid: uuid, allow: allow)
        }
        decision.alter(&response)
        progress.record.finish(response)
        progress.record.delay = decision.delay
        progress.record.isLost =
            response == nil || decision.substitute != nil || response?.source is CutBody
        observers.note(progress.record)
        return Self.outcome(response, decision, HeldFacts(progress.record.entry))
    }

    /// What happens with a response that waits for its delay, and at the gates after the commit.
    private static func outcome(
        _ response: HTTPResponse?, _ decision: FaultPlan.Decision, _ facts: HeldFacts
    ) -> RequestOutcome {
        let outcome = RequestOutcome(response, decision)
        let holds = decision.holds.filter(\.point.isAfterCommit)
        guard !holds.isEmpty else { return outcome }
        let last = RequestOutcome(response, FaultPlan.Decision())
        let end = holding(holds.filter { $0.point == .beforeReply }, facts) { last }
        return holding(holds.filter { $0.point == .afterCommit }, facts) {
            decision.delay > .zero ? .wait(decision.delay, then: end) : end()
        }()
    }

    /// Waits at gates, one after another, and continues.
    private static func holding(
        _ holds: [GateHold], _ facts: HeldFacts, then next: @escaping () -> RequestOutcome
    ) -> () -> RequestOutcome {
        holds.reversed().reduce(next) { next, hold in
            { .hold(hold, facts, then: next) }
        }
    }

    /// The web token for the next request; nil if the one that was sent stays valid. A client that receives no response,
    /// or only an error, continues with that one.
    private func nextToken(
        after wire: inout WireResponse?, _ progress: inout RequestProgress
    ) -> String? {
        guard let session = progress.session, wire?.status == 200,
            progress.decision.substitute == nil
        else { return nil }
        do throws(CloudError) {
            if authenticator.webTokens.isSingleUse { try store.spend(session.token) }
            return authenticator.webTokens.issue(
                user: session.user, now: progress.record.entry.time)
        } catch {
            progress.record.fail(error)
            wire = responses.write(error)
            return nil
        }
    }

    /// The response to a request that leads to an operation; nil cuts the connection.
    private func answer(
        _ request: HTTPRequest, _ route: WireRoute, _ progress: inout RequestProgress
    ) throws(CloudError) -> WireResponse? {
        progress.record.note(route)
        try store.require(route.address.container)
        let context = try authenticate(request, route, &progress)
        try admit(context, progress.stage)
        guard request.body.count <= store.options.bodyBytesMax else {
            throw .tooLongARequest(store.options.bodyBytesMax)
        }
        let (command, options) = try CommandDecoder(itemsMax: store.options.operationsMax)
            .decode(route, body: request.body)
        let reply = try faults.reply(to: command, in: context, &progress)
        // A fault's substitute is sent instead.
        guard progress.decision.isCarriedOut || progress.decision.substitute == nil else {
            return responses.write(CloudReply.done, to: .restrict, caller: "", options: options)
        }
        guard var reply else { return nil }
        if case .pushToken(var token) = reply, route.operation == .createToken {
            token.courierURL = PushService.url(of: token.token, at: context.baseURL)
            reply = .pushToken(token)
        }
        if options.currentSyncTokenAsked { try addSyncToken(&reply, command, context) }
        progress.record.reply = reply
        return responses.write(
            reply, to: route.operation,
            caller: store.recordName(
                of: context.caller, in: context.address.container, context.address.environment),
            options: options)
    }

    /// Authenticates the caller of a request.
    private func authenticate(
        _ request: HTTPRequest, _ route: WireRoute, _ progress: inout RequestProgress
    ) throws(CloudError) -> RequestContext {
        let (time, baseURL) = (progress.record.entry.time, address.url(asCalledBy: request))
        func signIn(_ apiToken: String) -> SignInLink {
            SignInLink(
                baseURL: baseURL, apiToken: apiToken, container: route.address.container,
                origin: request["origin"].flatMap { WebOrigin($0) })
        }
        let identity = try authenticator.authenticate(
            request, route, now: time, isAccount: store.hasAccount, isSpent: store.isSpent,
            isExpired: store.isExpired, signInURL: { signIn($0).url })
        progress.session = identity.session
        progress.record.note(identity.caller)
        if case .user(let user, let device) = identity.caller,
            let problem = store.signInProblem(of: user, device: device)
        {
            throw CloudError(
                .authenticationRequired, reason: problem,
                redirectURL: signIn(route.query.apiToken ?? "").url)
        }
        let (user, id) = (progress.record.entry.user, route.query.clientID)
        let client = ClientName(
            session: identity.session?.user ?? user ?? "", user: user,
            device: identity.caller.device, clientID: id)
        progress.record.client = client
        return RequestContext(
            address: route.address, caller: identity.caller, client: client,
            pushClient: PushClient(signIn: identity.session?.user, id: id), time: time,
            baseURL: baseURL,
            signIn: signIn(route.query.apiToken ?? authenticator.defaultAPIToken))
    }

    /// Counts a request for the throttle. One that was held was counted when it arrived.
    func admit(
        _ context: RequestContext, _ stage: RequestProgress.Stage
    ) throws(CloudError) {
        guard case .new = stage,
            let wait = throttle.take(context.client, now: context.time)
        else { return }
        throw CloudError(.throttled, reason: "too many requests", retryAfter: wait)
    }

    /// Adds the zone's token to the result of a query or lookup.
    private func addSyncToken(
        _ reply: inout CloudReply, _ command: CloudCommand, _ context: RequestContext
    ) throws(CloudError) {
        let zone: RecordZone.ID?
        switch command {
        case .read(.queryRecords(let request)): zone = request.zoneID
        case .read(.lookUpRecords(let request)): zone = request.zoneID
        default: return
        }
        let token = try store.currentSyncToken(
            of: zone, at: context.address, by: context.caller)
        switch reply {
        case .recordPage(var page):
            page.token = token
            reply = .recordPage(page)
        case .records(var records):
            records.token = token
            reply = .records(records)
        default: break
        }
    }
}

extension RequestOutcome {
    /// Without a response the connection is cut.
    init(_ response: HTTPResponse?, _ decision: FaultPlan.Decision) {
        self =
            response.map { .respond($0, after: decision.delay) } ?? .cut(after: decision.delay)
    }
}
