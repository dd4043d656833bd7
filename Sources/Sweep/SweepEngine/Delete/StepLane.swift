import AsyncOperations
import CloudCourier
import CloudModel
import DeletionPlanning
import Journal

/// The steps of one database, a few at a time, then those that had to wait for others.
struct StepLane: Sendable {
    let executor: StepExecutor
    /// The container's place in the run's list.
    let index: Int
    let scope: Database.Scope
    let channel: WriteChannel

    private var journal: any Journal { executor.journal }
    private var courier: SweepCourier { executor.courier }
    /// Outcomes wait for the disk while the next requests are under way.
    private var window: Int { 2 * max(1, executor.request.limits.perDatabase) }

    func run() async throws(SweepFailure) {
        try await settleAll { !$0.endsAccess }
        // Everything that could be reached is settled by now.
        if ItemKind.allCases.contains(where: { $0.endsAccess && Places.of($0, in: scope) != nil }) {
            try await settleAll { $0.endsAccess }
        }
    }

    /// Settles the steps about some kinds of items.
    ///
    /// A record that the service refuses may take too many others along by `DELETE_SELF` references. It
    /// is deferred: once those that refer to it are deleted, it can be, too.
    private func settleAll(
        _ isMeant: @escaping @Sendable (ItemKind) -> Bool
    ) async throws(SweepFailure) {
        try await eachStep(
            in: [.planned, .intended, .acknowledged, .partlyFailed, .failed, .deferred]
        ) { (row) async throws(SweepFailure) in
            if isMeant(row.kind) { _ = try await settle(row, .first) }
        }
        try await settleDeferred()
    }

    /// Sends deferred items again, after everything else, as long as it gets on. They stay on disk
    /// meanwhile, however many they are.
    ///
    /// When it does not get on although records were refused, they may refer to one another in a
    /// ring: then their references are cleared first. Where that deletes none, they fail.
    private func settleDeferred() async throws(SweepFailure) {
        var budget = RetryBudget(attempts: executor.request.limits.attemptsMax)
        var round = Round.again
        var hasCleared = false
        while true {
            let before = try await deferredItems()
            guard before > 0 else { return }
            let seen = Locked(Settled())
            let current = round
            try await eachStep(in: [.deferred]) { (row) async throws(SweepFailure) in
                let settled = try await settle(row, current)
                seen.withLock { $0.add(settled) }
            }
            let sum = seen.withLock { $0 }
            if try await deferredItems() < before {
                (round, hasCleared) = (.again, false)
                continue
            }
            if sum.cleared > 0 {
                round = .again
                continue
            }
            if sum.refused > 0 {
                (round, hasCleared) = (hasCleared ? .last : .clearing, true)
                continue
            }
            do throws(SweepFailure) {
                try await courier.waitOrGiveUp(
                    .stillReferredTo, &budget, at: channel.database.address)
            } catch {
                guard case .refused = error else { throw error }
                return try await eachStep(in: [.deferred]) { (row) async throws(SweepFailure) in
                    try await giveUp(row)
                }
            }
        }
    }

    private func deferredItems() async throws(SweepFailure) -> Int {
        var items = 0
        var next = 0
        while true {
            let page = try await steps(from: next, in: [.deferred])
            for row in page { items += row.outcome.items.count { $0 == .deferred } }
            guard let last = page.last else { return items }
            next = last.number + 1
        }
    }

    // MARK: One step after the other

    private func eachStep(
        in states: Set<StepState>,
        _ body: @escaping @Sendable (StepRow) async throws(SweepFailure) -> Void
    ) async throws(SweepFailure) {
        let failure = await withTaskGroup(of: Result<Void, SweepFailure>.self) { group in
            var waiting: [StepRow] = []
            var next = 0
            var isExhausted = false
            var inFlight = 0
            var failure: SweepFailure?
            while true {
                if waiting.isEmpty && !isExhausted && failure == nil {
                    let page = next
                    switch await attempt({ () async throws(SweepFailure) in
                        try await steps(from: page, in: states)
                    }) {
                    case .success(let rows): waiting = rows
                    case .failure(let error): failure = error
                    }
                    isExhausted = waiting.isEmpty
                    next = (waiting.last?.number ?? next) + 1
                }
                if let row = waiting.first, inFlight < window, failure == nil,
                    !courier.isStopped
                {
                    waiting.removeFirst()
                    inFlight += 1
                    group.addTask {
                        await attempt { () async throws(SweepFailure) in try await body(row) }
                    }
                    continue
                }
                guard inFlight > 0, let ended = await group.next() else { break }
                inFlight -= 1
                if case .failure(let error) = ended { failure = failure ?? error }
            }
            return failure
        }
        if let failure { throw failure }
        if courier.isStopped { throw .stopped }
    }

    private func steps(
        from number: Int, in states: Set<StepState>
    ) async throws(SweepFailure) -> [StepRow] {
        do throws(JournalError) {
            return try await journal.steps(
                run: executor.run, container: index, scope: scope, from: number, in: states,
                limit: window)
        } catch {
            throw .journal(error)
        }
    }

    // MARK: One step

    /// How items of a step are sent.
    private enum Round {
        case first
        /// The deferred ones once more.
        case again
        /// The deferred ones once more; of those that are refused, references are cleared.
        case clearing
        /// The deferred ones once more; those that are refused even alone fail.
        case last
    }

    /// Counts of one round of deferred items.
    private struct Settled {
        /// Refused and deferred again.
        var refused = 0
        /// Records whose references were cleared.
        var cleared = 0

        mutating func add(_ other: Settled) {
            refused += other.refused
            cleared += other.cleared
        }
    }

    /// Settles one step: everything of it that is there now is sent until it is settled.
    private func settle(_ row: StepRow, _ round: Round) async throws(SweepFailure) -> Settled {
        let isDeferred = round != .first
        var settled = Settled()
        let step = try decode(row)
        var ledger = StepLedger(step, row.outcome)
        let present = try await present(step)
        let spared = try await spared(step, besides: present)
        let candidates = isDeferred ? ledger.names(in: .deferred) : step.names
        let toSend = ledger.sort(
            candidates, present: present, spared: spared, isResumed: executor.isResumed)
        var requests = 0
        if !toSend.isEmpty {
            guard let place = Places.of(step.itemKind, in: scope) else {
                throw .journal(JournalError(.corrupt, "a step has no location"))
            }
            executor.tell(.stepBegan(notice(of: step, toSend.count)))
            // Those that refer come after those that are referred to in some lists: turn round.
            let order = isDeferred && row.outcome.attempts % 2 == 1 ? toSend.reversed() : toSend
            let result = try await sender(for: step, place, round) {
                (names) async throws(SweepFailure) in
                try await place.remove(names, of: step, through: channel)
            }.settle(order)
            requests = result.requests
            settled.refused = result.refused.count
            if round == .clearing, !result.refused.isEmpty {
                let cleared = try await sender(for: step, place, .last) {
                    (names) async throws(SweepFailure) in
                    try await RecordAccess.clearReferences(of: names, of: step, through: channel)
                }.settle(result.refused)
                requests += cleared.requests
                settled.cleared = cleared.outcomes.values.count { $0 == .deleted }
            }
            ledger.take(result, isTry: step.work == .defaultZone)
        }
        try await keep(ledger, row, requests)
        return settled
    }

    private func sender(
        for step: DeletionStep, _ place: any Place, _ round: Round,
        send: @escaping @Sendable ([String]) async throws(SweepFailure) -> [String: ItemAnswer]
    ) -> BatchSender {
        var sender = BatchSender(
            courier: courier, address: channel.database.address,
            attempts: step.work == .defaultZone ? 1 : executor.request.limits.attemptsMax,
            batchSize: executor.batchSize(place, step.itemKind, channel.database.address),
            zoneGoneMeansItemsGone: step.itemKind == .zoneRecord || step.itemKind == .sharedRecord,
            send: send)
        if case .records = step.work {
            sender.refusedItem =
                switch round {
                case .first, .again, .clearing: .isDeferred
                case .last: .failsAlone
                }
        }
        return sender
    }

    private func giveUp(_ row: StepRow) async throws(SweepFailure) {
        var ledger = StepLedger(try decode(row), row.outcome)
        ledger.giveUpDeferred()
        try await keep(ledger, row, 0)
    }

    /// What of a step a fresh look saw and no rule keeps: the last word before sending.
    private func present(_ step: DeletionStep) async throws(SweepFailure) -> Set<String> {
        let rows = SeenRow.rows(of: step, container: index, names: step.names)
        let names: Set<String>
        do throws(JournalError) {
            let found = try await journal.deletable(
                rows, run: executor.run, in: executor.current)
            names = Set(found.map(\.nameInStep))
        } catch {
            throw .journal(error)
        }
        guard executor.stage.bounds.holds(step.container, step.scope), step.scope == scope,
            step.limited(to: names).forbidden(by: executor.request.policy) == nil || names.isEmpty
        else {
            throw .refusedByGuard(
                Refusal(.outOfBounds, "a step names something kept or out of scope"))
        }
        return names
    }

    /// What of a step is there, and is kept by a rule that came after the plan.
    private func spared(
        _ step: DeletionStep, besides present: Set<String>
    ) async throws(SweepFailure) -> Set<String> {
        let names = step.names.filter { !present.contains($0) }
        guard !names.isEmpty, !executor.request.policy.protect.isEmpty else { return [] }
        let rows = SeenRow.rows(of: step, container: index, names: names)
        do throws(JournalError) {
            return Set(
                try await journal.seen(rows, run: executor.run, in: executor.current)
                    .map(\.nameInStep))
        } catch {
            throw .journal(error)
        }
    }

    private func decode(_ row: StepRow) throws(SweepFailure) -> DeletionStep {
        do throws(PlanFileError) {
            if case .item(.step(let step), _) = try PlanLine(row.line, line: row.number + 1) {
                return step
            }
        } catch {
            throw .journal(JournalError(.corrupt, "step \(row.number) of the plan is damaged"))
        }
        throw .journal(
            JournalError(
                .corrupt,
                "line \(row.number + 1) of the plan is not a deletion step"))
    }

    /// Writes a step's outcome, then tells of it.
    private func keep(
        _ ledger: StepLedger, _ row: StepRow, _ requests: Int
    ) async throws(SweepFailure) {
        var outcome = StepOutcome(items: ledger.items)
        outcome.attempts = row.outcome.attempts + requests
        let state = ledger.state
        guard state != row.state || outcome != row.outcome else { return progress(ledger, row) }
        let kind = executor.stage.key(of: ledger.step).kind
        var changes: [JournalChange] = [
            .step(number: row.number, to: .intended, row.outcome),
            .step(number: row.number, to: state, outcome),
            .event(executor.events.outcome(of: ledger.step, row, state, outcome)),
        ]
        let failures = ledger.failures.map {
            FailureRow(
                container: row.container, scope: row.scope, kind: kind.rawValue, name: $0.name,
                code: $0.error.code.rawValue, reason: $0.error.reason)
        }
        if !failures.isEmpty { changes.append(.failures(failures)) }
        try await journal.keep(changes, run: executor.run)
        progress(ledger, row)
    }

    private func progress(_ ledger: StepLedger, _ row: StepRow) {
        guard ledger.state != .deferred else { return }
        let counts = ledger.counts
        courier.note {
            $0.itemsDone += ledger.step.itemCount
            $0.failed += counts.failed
        }
        executor.tell(.stepEnded(notice(of: ledger.step, ledger.step.itemCount), counts))
    }

    private func notice(of step: DeletionStep, _ items: Int) -> StepNotice {
        StepNotice(
            container: step.container, scope: step.scope,
            kind: executor.stage.key(of: step).kind, items: items)
    }
}
