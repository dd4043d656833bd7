import CloudModel
import CloudWire
import HTTPServer

extension MockApplication {
    /// What is known of a request by the time it is answered.
    struct Progress {
        /// The web token that was taken, and who it is of.
        var session: Authenticator.Session?
        var decision = FaultPlan.Decision()
        /// Which of the caller's clients asks.
        var client = PushClient()
        /// Where a fault that asks for a user sends the client.
        var signInURL = ""
        /// For who watches: where it leads, what it asks for, and what came of it.
        var exchange = WatchedExchange()
        /// How far it had come when it was held last.
        var stage = Stage.new
        /// Where it is to wait, and how it goes on then.
        var pause: (holds: [GateHold], stage: Stage)?
    }

    /// How far a request has come that was held.
    enum Stage {
        case new
        /// It has waited where it was received.
        case arrived(held: [String])
        /// Faults are decided.
        case decided(FaultPlan.Decision)
    }

    /// Answers a request of CloudKit's own: route, caller, command, faults, store, reply.
    func respondToService(_ request: HTTPRequest, from stage: Stage = .new) -> Outcome {
        let begin = MonotonicTime.now()
        var entry = RequestJournal.Entry(
            time: clock.now, method: request.method, operation: "", status: 0)
        var progress = Progress()
        progress.stage = stage
        entry.requestBytes = request.body.count
        var wire: WireResponse?
        var allow: String?
        identifiers.begin()
        do throws(WireRouteError) {
            let route = try WireRoute.parse(
                method: request.method, path: request.path, query: request.query ?? "")
            progress.exchange.route = route
            do throws(CloudError) {
                wire = try answer(request, route, &entry, &progress)
            } catch {
                entry.note(error)
                progress.exchange.failure = error
                wire = writer.write(error)
            }
        } catch {
            progress.exchange.dead = error
            progress.exchange.failure = error.cloudError
            entry.operation = String(request.path.prefix(300))
            entry.note(error.cloudError)
            wire = writer.write(error.cloudError)
            allow = error.allow
        }
        if let pause = progress.pause {
            let next = Self.holding(pause.holds, HeldFacts(entry)) { application in
                application.respondToService(request, from: pause.stage)
            }
            return next(self)
        }
        // What stands in for the answer has no token.
        if progress.decision.substitute != nil { progress.session = nil }
        let nextToken = nextToken(after: &wire, &progress, &entry)
        if entry.failure != nil {
            entry.uuid = identifiers.latest
        } else if let status = wire?.status, status >= 400 {
            entry.uuid = identifiers.first
        }
        var response = wire.take().map {
            self.response(
                $0, to: request, nextToken: nextToken, uuid: entry.uuid, allow: allow)
        }
        progress.decision.alter(&response)
        entry.microseconds = (MonotonicTime.now() - begin) / 1000
        entry.note(response)
        note(entry)
        if watch.isOn {
            // Of an answer that is replaced or cut off the client has nothing.
            let isLost =
                response == nil || progress.decision.substitute != nil
                || response?.source is CutBody
            watch(
                progress.exchange, request, isLost: isLost, time: entry.time, began: begin,
                delay: progress.decision.delay)
        }
        let outcome = Self.outcome(response, progress.decision)
        let holds = progress.decision.holds.filter(\.point.isAfterCommit)
        guard !holds.isEmpty else { return outcome }
        let facts = HeldFacts(entry)
        let delay = progress.decision.delay
        let last = Self.outcome(response, FaultPlan.Decision())
        let end = Self.holding(holds.filter { $0.point == .beforeReply }, facts) { _ in last }
        let next = Self.holding(holds.filter { $0.point == .afterCommit }, facts) { application in
            delay > .zero ? .wait(delay, then: end) : end(application)
        }
        return next(self)
    }

    /// What is to happen after a request that is over but for its delay; without a response the connection is
    /// cut.
    static func outcome(_ response: HTTPResponse?, _ decision: FaultPlan.Decision) -> Outcome {
        response.map { .respond($0, after: decision.delay) } ?? .cut(after: decision.delay)
    }

    /// Waits at gates, one after another, and goes on.
    private static func holding(
        _ holds: [GateHold], _ facts: HeldFacts, then next: @escaping (MockApplication) -> Outcome
    ) -> (MockApplication) -> Outcome {
        holds.reversed().reduce(next) { next, hold in
            { _ in .hold(hold, facts, then: next) }
        }
    }

    /// The web token for the next request; nil where the one that was sent stays good. Who gets no answer, or
    /// reads of an error only that it is one, goes on with that.
    private func nextToken(
        after wire: inout WireResponse?, _ progress: inout Progress,
        _ entry: inout RequestJournal.Entry
    ) -> String? {
        guard let session = progress.session, wire?.status == 200 else { return nil }
        do throws(CloudError) {
            if authenticator.webTokens.isSingleUse { try store.spend(session.token) }
            return authenticator.webTokens.issue(user: session.user, now: entry.time)
        } catch {
            entry.note(error)
            progress.exchange.failure = error
            wire = writer.write(error)
            return nil
        }
    }

    /// The answer to a request that leads to an operation; nil cuts the connection.
    private func answer(
        _ request: HTTPRequest, _ route: WireRoute,
        _ entry: inout RequestJournal.Entry, _ progress: inout Progress
    ) throws(CloudError) -> WireResponse? {
        let address = route.address
        entry.operation = route.operation.rawValue
        entry.container = address.container.rawValue
        entry.environment = address.environment
        entry.scope = address.scope
        try store.require(address.container)
        let identity = try authenticator.authenticate(
            request, route, now: entry.time, isAccount: store.hasAccount,
            isSpent: store.isSpent, isExpired: store.isExpired,
            signInURL: { signInURL(apiToken: $0, container: address.container, request) })
        progress.session = identity.session
        entry.user = Self.name(of: identity.caller)
        entry.device = identity.caller.device
        if case .user(let user, let device) = identity.caller,
            let problem = store.signInProblem(of: user, device: device)
        {
            throw CloudError(
                .authenticationRequired, reason: problem,
                redirectURL: signInURL(
                    apiToken: route.query.apiToken ?? "", container: address.container, request))
        }
        store.assets.addresses.base = ownURL(asCalledBy: request)
        progress.client = PushClient(signIn: identity.session?.user, id: route.query.clientID)
        let client = ClientName(
            session: identity.session?.user ?? entry.user ?? "", user: entry.user,
            device: entry.device, clientID: route.query.clientID)
        progress.exchange.client = client
        // What was held has been counted when it came.
        if case .new = progress.stage, let wait = throttle.take(client, now: entry.time) {
            throw CloudError(.throttled, reason: "too many requests", retryAfter: wait)
        }
        guard request.body.count <= store.options.bodyBytesMax else {
            throw .tooLongARequest(store.options.bodyBytesMax)
        }
        let (command, options) = try CommandDecoder(itemsMax: store.options.operationsMax)
            .decode(route, body: request.body)
        progress.exchange.command = command
        let reply = try reply(
            to: command, at: address, by: identity.caller, &entry, &progress
        ) {
            signInURL(
                apiToken: route.query.apiToken ?? authenticator.defaultAPIToken,
                container: address.container, request)
        }
        // Its place is taken later.
        guard progress.decision.isCarriedOut || progress.decision.substitute == nil else {
            return writer.write(CloudReply.done, to: .restrict, caller: "", options: options)
        }
        guard var reply else { return nil }
        if case .pushToken(var token) = reply, route.operation == .createToken {
            token.courierURL = courierURL(of: token.token, at: ownURL(asCalledBy: request))
            reply = .pushToken(token)
        }
        if options.currentSyncTokenAsked {
            try addSyncToken(&reply, command, address, identity.caller)
        }
        progress.exchange.reply = reply
        return writer.write(
            reply, to: route.operation,
            caller: store.recordName(
                of: identity.caller, in: address.container, address.environment),
            options: options)
    }

    /// The reply to a command, with what the faults make of it; nil cuts the connection. Where something else
    /// goes out in its place, and the command is not carried out, it means nothing.
    ///
    /// - Parameter signInURL: Where a fault that asks for a user sends the client.
    func reply(
        to command: CloudCommand, at address: Database.Address, by caller: Caller,
        _ entry: inout RequestJournal.Entry, _ progress: inout Progress, signInURL: () -> String
    ) throws(CloudError) -> CloudReply? {
        entry.items = command.itemCount
        entry.zones = Array(command.zoneNames.prefix(RequestJournal.Entry.zonesMax))
        entry.recordTypes = Array(
            command.recordTypes.sorted().prefix(RequestJournal.Entry.zonesMax)
                .map { String($0.prefix(RequestJournal.Entry.textMax)) })
        if !faults.isEmpty {
            let context = FaultContext(
                command: command, address: address, user: Self.userName(of: caller),
                device: caller.device, now: entry.time)
            progress.signInURL = signInURL()
            progress.pause = decide(
                on: context, progress.stage,
                hasGoneZones: pages.hasGoneZones(at: address, of: caller), &progress.decision)
            entry.faults = progress.decision.fired
            guard progress.pause == nil else { return nil }
        }
        guard progress.decision.isCarriedOut || progress.decision.substitute == nil else {
            return .done
        }
        guard let reply = try carryOut(command, address, caller, progress) else { return nil }
        positions.note(reply, to: command, at: address, of: caller, now: entry.time)
        let outcome = reply.outcome
        entry.note(outcome.count, outcome.failures)
        return reply
    }

    /// Decides on faults as far as the request has come.
    ///
    /// - Returns: Where it is to wait first.
    private func decide(
        on context: FaultContext, _ stage: Stage, hasGoneZones: Bool,
        _ decision: inout FaultPlan.Decision
    ) -> (holds: [GateHold], stage: Stage)? {
        var held: [String] = []
        switch stage {
        case .new:
            let arrival = faults.holdsOnArrival(of: context)
            guard arrival.isEmpty else {
                return (arrival.map(\.hold), .arrived(held: arrival.map(\.rule)))
            }
        case .arrived(let rules): held = rules
        case .decided(let made):
            decision = made
            return nil
        }
        decision = faults.decide(context, hasGoneZones: hasGoneZones)
        decision.fired = held + decision.fired
        let holds = decision.holds.filter { $0.point == .beforeCommit }
        return holds.isEmpty ? nil : (holds, .decided(decision))
    }

    /// Applies the command with what the faults decided; nil cuts the connection.
    private func carryOut(
        _ command: CloudCommand, _ address: Database.Address, _ caller: Caller,
        _ progress: Progress
    ) throws(CloudError) -> CloudReply? {
        func answer(_ command: CloudCommand) throws(CloudError) -> CloudReply {
            try pages.answer(
                command, at: address, by: caller, from: store, fault: progress.decision.ending,
                client: progress.client, behind: progress.decision.rule?.age ?? .zero)
        }
        guard let rule = progress.decision.rule else { return try answer(command) }
        func changing(_ change: AnswerFaults.Change) throws(CloudError) -> CloudReply {
            AnswerFaults(change, rule.items, of: command, among: rule.itemFilter)
                .applied(to: try answer(command))
        }
        let error = rule.error(signInURL: progress.signInURL)
        switch rule.action {
        case .error: throw error
        case .throttle: throw progress.decision.throttled ?? CloudError(.throttled)
        case .cutBeforeCommit: return nil
        case .cutAfterCommit:
            _ = try answer(command)
            return nil
        case .dropItems: return try changing(.drop)
        case .repeatItems: return try changing(.repeat)
        case .itemError:
            guard rule.items.unit == .items, ItemFaults.names(itemsOf: command) else {
                return try changing(.fail(error))
            }
            let owner = store.recordName(
                of: caller, in: address.container, address.environment)
            let split = ItemFaults(
                command, error: error, items: rule.items.count, among: rule.itemFilter,
                isPublic: address.scope == .public,
                resolved: { $0.resolved(in: address.scope, owner: owner) },
                atomicFailure: store.options.atomicFailure)
            return split.merge(try split.remaining.map(answer))
        case .recreateZone:
            let reply = try answer(command)
            if case .zones(let items) = reply {
                let deleted = items.compactMap {
                    if case .deleted(let id, _) = $0 { id } else { nil }
                }
                recreate(deleted, rule.whole(.newRecords) ?? 1, address, caller, rule.zone)
            }
            return reply
        case .expireToken, .purgeZone, .deleteZone:
            try prepare(rule, for: command, address, caller)
            return try answer(command)
        case .delay, .staleZoneList, .emptyPage, .repeatPage, .status, .wrongContent, .cutBody,
            .stalePage, .hold:
            return try answer(command)
        }
    }

    /// Has happen before the request is carried out what a rule says.
    private func prepare(
        _ rule: FaultRule, for command: CloudCommand, _ address: Database.Address, _ caller: Caller
    ) throws(CloudError) {
        guard let user = Self.userName(of: caller) else { return }
        let zones = command.zoneNames.filter { rule.losesZone(named: $0) }
        switch rule.action {
        case .deleteZone:
            _ = try pages.answer(
                .write(.modifyZones(zones.map { .delete(RecordZone.ID($0)) })), at: address,
                by: caller, from: store)
        case .purgeZone:
            for zone in zones {
                try finishNow(EraseJob(zone, of: user, at: address, .purged))
            }
        case .expireToken:
            let isOfZones = command.items != nil
            for zone in isOfZones ? zones.map(Optional.some) : [nil] {
                try finishNow(
                    ExpireJob(
                        ResetScope(
                            user: user, container: address.container,
                            environment: address.environment, scope: address.scope,
                            zoneName: zone)))
            }
        default: break
        }
    }

    /// Does all of a job in the open turn.
    private func finishNow(_ job: any StoreJob) throws(CloudError) {
        do throws(MockStoreError) {
            try job.finish(store)
        } catch {
            throw CloudError(.internalError, reason: "the store failed")
        }
    }

    /// Plays another device that still has the zones and uploads them again.
    private func recreate(
        _ zones: [RecordZone.ID], _ records: Int, _ address: Database.Address, _ caller: Caller,
        _ glob: Glob?
    ) {
        // In one turn, so all zones together get as many as one may.
        let records = min(records, max(1, FaultParameter.newRecordsMax / max(1, zones.count)))
        for zone in zones where glob?.matches(zone.zoneName) ?? true {
            _ = try? pages.answer(
                .write(.modifyZones([.create(zone)])), at: address, by: caller, from: store)
            for start in stride(from: 0, to: records, by: WireLimits.operationsMax) {
                let operations = (start..<min(start + WireLimits.operationsMax, records)).map {
                    number in
                    RecordOperation(
                        .forceReplace, recordName: "from-another-device-\(number)",
                        recordType: "Note",
                        fields: ["title": Field(.string("uploaded again"))])
                }
                let request = RecordModifyRequest(operations: operations, zoneID: zone)
                _ = try? store.apply(.write(.modifyRecords(request)), at: address, by: caller)
            }
        }
    }

    /// Puts the zone's token beside the result of a query or lookup.
    private func addSyncToken(
        _ reply: inout CloudReply, _ command: CloudCommand, _ address: Database.Address,
        _ caller: Caller
    ) throws(CloudError) {
        let zone: RecordZone.ID?
        switch command {
        case .read(.queryRecords(let request)): zone = request.zoneID
        case .read(.lookUpRecords(let request)): zone = request.zoneID
        default: return
        }
        let token = try store.currentSyncToken(of: zone, at: address, by: caller)
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

    private static func userName(of caller: Caller) -> String? {
        if case .user(let name, _) = caller { name } else { nil }
    }

    /// As the journal shows it: of a key the first digits only.
    static func name(of caller: Caller) -> String? {
        switch caller {
        case .user(let name, _): name
        case .serverKey(let id): "key " + id.prefix(8)
        case .anonymous: nil
        }
    }
}

extension CloudReply {
    /// How many items a request named, and which of them failed.
    var outcome: (count: Int, failures: [(name: String, error: CloudError)]) {
        func list<Item>(
            _ items: [Item], _ failure: (Item) -> (String, CloudError)?
        ) -> (Int, [(name: String, error: CloudError)]) {
            (items.count, items.compactMap { failure($0).map { (name: $0.0, error: $0.1) } })
        }
        return switch self {
        case .zones(let items):
            list(items) {
                if case .failure(let id, let error) = $0 { (id.zoneName, error) } else { nil }
            }
        case .zoneChanges(let items):
            list(items) {
                if case .failure(let id, let error) = $0 { (id.zoneName, error) } else { nil }
            }
        case .records(let reply):
            list(reply.records) {
                if case .failure(let name, let error) = $0 { (name, error) } else { nil }
            }
        case .shares(let items):
            list(items) {
                if case .failure(let guid, let error) = $0 { (guid, error) } else { nil }
            }
        case .subscriptions(let items):
            list(items) {
                if case .failure(let name, let error) = $0 { (name, error) } else { nil }
            }
        case .recordPages(let items):
            list(items) { if case .failure(let error) = $0 { ("", error) } else { nil } }
        case .users(let items):
            list(items) {
                if case .failure(let info, let error) = $0 { ("\(info)", error) } else { nil }
            }
        case .assetUploads(let items):
            list(items) {
                if case .failure(let field, let error) = $0 {
                    (field.recordName, error)
                } else {
                    nil
                }
            }
        case .assets(let items):
            list(items) {
                if case .failure(let field, let error) = $0 {
                    (field.recordName, error)
                } else {
                    nil
                }
            }
        case .zonePage, .recordPage, .user, .pushToken, .done: (0, [])
        }
    }
}
