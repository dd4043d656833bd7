import CloudModel

/// One round of the exchange: its stages in the order of ``next(_:)`` (R3).
///
/// Runs inside the machine of the private database of the app's default container, after the
/// content zones. Failures that have nothing to do with the exchange, such as no network, are
/// the machine's; every other answer comes here.
///
/// Each stage owns what it has found in this round, and no other can see it; everything else is
/// decided from the storage, so that a round can end anywhere.
struct ExchangeRound<Storage: SyncStorage> {
    typealias Turn = ExchangeTurn<Storage>

    let zone: DonationZone
    /// The stages of the round that is under way; a crash forgets them.
    private var zoneStage = ZoneStage<Storage>()
    private var reading = ReadingStage<Storage>()
    private var receiver = RowReceiver<Storage>()
    private var deletions = DeletionStage<Storage>()
    private var removals = RemovalStage<Storage>()
    private var rows = UploadStage<Storage>()
    private var register = RegisterStage<Storage>()
    private var collection = CollectionStage<Storage>()
    private var course = RoundCourse()
    /// What was asked last.
    private var open: ExchangeAsk?

    /// The exchange in a zone.
    init(zone: DonationZone) { self.zone = zone }

    /// Begins a round, or goes on after a crash; `isDirty`: the feed said the zone changed.
    mutating func start(
        _ sync: inout SyncTurn<Storage>, isDirty: Bool
    ) throws(Storage.Failure) -> ExchangeStep {
        self = ExchangeRound(zone: zone)
        return try run(&sync) { (round, turn) throws(Storage.Failure) in
            guard try turn.mayRun() else { return .finished }
            let hasWork = try round.hasWork(turn)
            guard isDirty || hasWork else { return .finished }
            turn.course.read(.now)
            return try round.next(&turn)
        }
    }

    /// Takes the answer to what was asked last.
    mutating func received(
        _ reply: Result<CloudReply, CloudError>, _ sync: inout SyncTurn<Storage>
    ) throws(Storage.Failure) -> ExchangeStep {
        guard let asked = open else { return .finished }
        open = nil
        return try run(&sync) { (round, turn) throws(Storage.Failure) in
            turn.course.note(isSuccess: reply.holdsSuccess)
            let result =
                switch reply {
                case .success(let reply): try round.takeReply(reply, to: asked, &turn)
                case .failure(let error): try round.takeFailure(error, of: asked, &turn)
                }
            if case .stop(let step) = result { return step }
            guard !turn.course.isStuck else { return .unexpected }
            return try round.follow(result, &turn)
        }
    }

    /// Runs a part of a round with the facts at hand, and stores them.
    private mutating func run(
        _ sync: inout SyncTurn<Storage>,
        _ body: (inout ExchangeRound, inout Turn) throws(Storage.Failure) ->
            ExchangeStep
    ) throws(Storage.Failure) -> ExchangeStep {
        let facts = try sync.storage.exchange()
        var turn = ExchangeTurn(consume sync, facts, zone, course)
        let step: Result<ExchangeStep, Storage.Failure>
        do throws(Storage.Failure) {
            let next = try body(&self, &turn)
            if turn.facts != facts { try turn.storage.setExchange(turn.facts) }
            step = .success(next)
        } catch {
            step = .failure(error)
        }
        course = turn.course
        sync = turn.sync
        return try step.get()
    }

    // MARK: The order of a round

    /// Whether there is something to do though the feed has nothing new.
    private func hasWork(_ turn: Turn) throws(Storage.Failure) -> Bool {
        let facts = turn.facts
        if facts.incarnation == nil || facts.token == nil || facts.isScanning { return true }
        if facts.zoneTag == nil || facts.zoneLacksBase || facts.needsConfirmation { return true }
        if try !turn.storage.pendingDeletes(limit: 1).isEmpty { return true }
        if try register.needsTime(turn) { return true }
        if try !deletions.unsent(turn, limit: 1).isEmpty { return true }
        return try !rows.waiting(turn, limit: 1).isEmpty
    }

    /// What is to be done next.
    private mutating func next(_ turn: inout Turn) throws(Storage.Failure) -> ExchangeStep {
        if let ask = zoneStage.next(turn) { return act(ask) }
        // Before anything is written, so that a device that was rolled back finds out (R9).
        if turn.course.isDue(.now) || turn.facts.isScanning { return act(reading.next(turn)) }
        if let ask = try deletions.next(turn) { return act(ask) }
        if let ask = try removals.next(turn) { return act(ask) }
        if turn.course.isDue(.beforeUpload) { return act(reading.next(turn)) }
        if let ask = rows.lookUp(turn) { return act(ask) }
        if try !rows.waiting(turn, limit: 1).isEmpty {
            let isKnown = turn.facts.isRegistered && !register.needsSignOfLife(turn)
            let ask = isKnown ? try rows.upload(&turn) : register.confirm(&turn)
            if let ask { return act(ask) }
        }
        if turn.course.isDue(.atEnd) { return act(reading.next(turn)) }
        var confirms = turn.facts.needsConfirmation
        if !confirms { confirms = try register.needsTime(turn) }
        if confirms, let ask = register.confirm(&turn) { return act(ask) }
        if let ask = try collection.next(&turn) { return act(ask) }
        // Before it collects, a device judges everything in the zone once more.
        return turn.facts.isScanning ? act(reading.next(turn)) : .finished
    }

    private mutating func act(_ ask: ExchangeAsk) -> ExchangeStep {
        open = ask
        return .act(ask.action)
    }

    private mutating func follow(
        _ result: StageResult, _ turn: inout Turn
    ) throws(Storage.Failure) -> ExchangeStep {
        switch result {
        case .proceed: break
        case .ask(let ask): return act(ask)
        case .stop(let step): return step
        case .doubtZone: zoneStage.doubt()
        case .restart:
            self = ExchangeRound(zone: zone)
            turn.course.restart()
        }
        return try next(&turn)
    }

    // MARK: Answers

    private mutating func takeReply(
        _ reply: CloudReply, to asked: ExchangeAsk, _ turn: inout Turn
    ) throws(Storage.Failure) -> StageResult {
        switch (asked.request, reply) {
        case (.zone(.createZone), .zones(let items)):
            return try zoneStage.created(items.first, &turn)
        case (.reading, .zoneChanges(let items)):
            switch items.first {
            case .page(let page): return try reading.received(page, &receiver, &turn)
            case .failure(_, let error): return try reading.failed(error, &turn)
            case nil: return .stop(.unexpected)
            }
        case (let request, .records(let answer)):
            for case .failure(_, let error) in answer.records where error.code == .zoneNotFound {
                return try turn.refused(error)
            }
            guard answer.records.count == asked.count else { return .stop(.unexpected) }
            return try takeItems(answer.records, of: request, &turn)
        default: return .stop(.unexpected)
        }
    }

    private mutating func takeItems(
        _ items: [Record.Item], of request: ExchangeRequest, _ turn: inout Turn
    ) throws(Storage.Failure) -> StageResult {
        switch request {
        case .zone(let request): try zoneStage.received(items.first, to: request, &turn)
        case .deletions(let request): try deletions.received(items, to: request, &turn)
        case .removals(let gone): try removals.received(items, to: gone, &turn)
        case .rows(let request): try rows.received(items, to: request, &receiver, &turn)
        case .registration(let context): try register.received(items.first, to: context, &turn)
        case .collection(let request): try collection.received(items, to: request, &turn)
        case .reading: .stop(.unexpected)
        }
    }

    /// A failure of the whole request.
    private mutating func takeFailure(
        _ error: CloudError, of asked: ExchangeAsk, _ turn: inout Turn
    ) throws(Storage.Failure) -> StageResult {
        guard error.code == .badRequest || error.code == .quotaExceeded else {
            return try turn.refused(error)
        }
        if case .reading = asked.request { return try reading.failed(error, &turn) }
        if turn.course.shrink(asked.count) { return .proceed }
        guard case .rows(.upload(let sent)) = asked.request, error.code == .badRequest,
            let upload = sent.first, let row = try turn.storage.row(upload.id)
        else { return try turn.refused(error) }
        try turn.park(row, .byService)
        return .proceed
    }
}

extension Result<CloudReply, CloudError> {
    /// Whether anything in it says that something was done or found.
    fileprivate var holdsSuccess: Bool {
        guard case .success(let reply) = self else { return false }
        return switch reply {
        case .records(let answer):
            answer.records.contains { if case .failure = $0 { false } else { true } }
        case .zones(let items): items.contains { if case .failure = $0 { false } else { true } }
        case .zoneChanges(let items):
            items.contains { if case .failure = $0 { false } else { true } }
        default: true
        }
    }
}
