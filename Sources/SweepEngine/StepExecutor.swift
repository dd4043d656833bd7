import AsyncOperations
import CloudModel
import DeletionPlanning
import Journal

/// Carries out the steps of the one plan it has clearance for.
///
/// Each database is a lane of its own; lanes run side by side, and so do a few steps of a lane.
/// Intent is on disk before a request is sent, the outcome before anyone is told.
final class StepExecutor: Sendable {
    /// Deferred names kept in memory for one database; what comes beyond is reported as failed.
    static let deferredMax = 20_000

    let request: SweepRequest
    let journal: Journal
    let run: Int64
    let courier: Courier
    let events: EventWriter
    let databases: WritableDatabases
    /// Who is signed in, checked in this run: "not found" says nothing without it.
    let identities: [Container.ID: UserIdentity]
    let tell: @Sendable (SweepEvent) -> Void
    private let clearance: Clearance
    private let stage: PlanStage
    private let sizes = Locked<[String: Locked<Int>]>([:])

    init(
        _ clearance: consuming Clearance, for facts: PlanFacts, _ stage: PlanStage,
        courier: Courier, events: EventWriter, databases: @escaping WritableDatabases,
        identities: [Container.ID: UserIdentity], tell: @escaping @Sendable (SweepEvent) -> Void
    ) {
        precondition(clearance.planDigest == facts.digest, "clearance for another plan")
        self.clearance = clearance
        self.stage = stage
        request = stage.request
        journal = stage.journal
        run = stage.run
        self.courier = courier
        self.events = events
        self.databases = databases
        self.identities = identities
        self.tell = tell
    }

    /// Settles every step that is not settled or failed before, and what is there again of those
    /// that are.
    func run() async throws(SweepFailure) {
        let lanes = request.targets.indices.flatMap { index in
            Set(request.scopes).map { (index, $0) }
        }
        let results = await withTaskGroup(of: Result<Void, SweepFailure>.self) { group in
            for (index, scope) in lanes {
                group.addTask {
                    await attempt { () async throws(SweepFailure) in
                        try await self.runLane(index, scope)
                    }
                }
            }
            var results: [Result<Void, SweepFailure>] = []
            for await result in group { results.append(result) }
            return results
        }
        for result in results { try result.get() }
    }

    // MARK: One database

    private func runLane(_ index: Int, _ scope: Database.Scope) async throws(SweepFailure) {
        let container = request.targets[index].container
        let database = databases(
            Database.Address(
                container: container, environment: request.environment, scope: scope))
        var waiting: [StepRow] = []
        var next = 0
        var deferred: [Unsettled] = []
        var isExhausted = false
        let window = max(1, request.limits.perDatabase)
        let failure = await withTaskGroup(of: Result<Unsettled?, SweepFailure>.self) { group in
            var inFlight = 0
            var failure: SweepFailure?
            while true {
                if waiting.isEmpty && !isExhausted && failure == nil {
                    switch await steps(index, scope, from: next, limit: window) {
                    case .success(let rows): waiting = rows
                    case .failure(let error): failure = error
                    }
                    isExhausted = waiting.isEmpty
                    next = (waiting.last?.number ?? next) + 1
                }
                if let step = waiting.first, inFlight < window, failure == nil,
                    !courier.isStopped
                {
                    waiting.removeFirst()
                    inFlight += 1
                    group.addTask {
                        await attempt { () async throws(SweepFailure) in
                            try await self.execute(step, on: database)
                        }
                    }
                    continue
                }
                guard inFlight > 0, let ended = await group.next() else { break }
                inFlight -= 1
                switch ended {
                case .success(let unsettled): if let unsettled { deferred.append(unsettled) }
                case .failure(let error): failure = failure ?? error
                }
            }
            return failure
        }
        if let failure { throw failure }
        if courier.isStopped { throw .stopped }
        try await settle(deferred, on: database)
    }

    private func steps(
        _ index: Int, _ scope: Database.Scope, from number: Int, limit: Int
    ) async -> Result<[StepRow], SweepFailure> {
        do throws(JournalError) {
            return .success(
                try await journal.steps(
                    run: run, container: index, scope: scope.number, from: number,
                    in: Set(StepState.allCases).subtracting([.verified]), limit: limit))
        } catch {
            return .failure(.journal(error))
        }
    }

    // MARK: One step

    /// A step with items that wait for the other records of their zone.
    struct Unsettled: Sendable {
        let row: StepRow
        let step: DeletionStep
        var result: BatchResult
    }

    private func execute(
        _ row: StepRow, on database: any CloudDatabase
    ) async throws(SweepFailure) -> Unsettled? {
        let step = try decode(row)
        check(step, database.address)
        let names = try await unsettledNames(of: step, row)
        if names?.isEmpty == true {
            courier.note { $0.itemsDone += step.itemCount }
            return nil
        }
        let notice = notice(of: step)
        try await journal.keep(
            [
                .step(number: row.number, to: .intended, StepOutcome()),
                .event(events.intent(of: step, row)),
            ], run: run)
        tell(.stepBegan(notice))
        let result = try await send(step, only: names, to: database)
        let unsettled = Unsettled(row: row, step: step, result: result)
        if !result.deferred.isEmpty { return unsettled }
        try await settle(unsettled)
        return nil
    }

    /// What has to be sent of a step; nil: all of it.
    ///
    /// The server is believed about what is there: of a step that it acknowledged, only what the
    /// fresh look of a resumed run has seen all the same is sent again.
    private func unsettledNames(
        of step: DeletionStep, _ row: StepRow
    ) async throws(SweepFailure) -> [String]? {
        guard row.state == .acknowledged else { return nil }
        // It is always there; its records have steps of their own.
        if case .defaultZone = step.work { return [] }
        do throws(JournalError) {
            let seen = try await journal.seen(
                SeenRow.rows(of: .step(step), container: row.container), run: run,
                pass: SweepRun.freshPass, byNameOnly: SeenKind.subscription.rawValue)
            return seen.map { step.seenKind == .zone ? $0.zone : $0.name }
        } catch {
            throw .journal(error)
        }
    }

    /// Sends deferred items again, after everything else in their database.
    private func settle(
        _ deferred: [Unsettled], on database: any CloudDatabase
    ) async throws(SweepFailure) {
        var deferred = deferred
        var budget = RetryBudget(attempts: request.limits.attemptsMax)
        var kept = 0
        while !deferred.isEmpty {
            var still: [Unsettled] = []
            var hasProgressed = false
            for var unsettled in deferred {
                kept += unsettled.result.deferred.count
                let before = unsettled.result.deferred.count
                let again = try await send(
                    unsettled.step, only: unsettled.result.deferred, to: database)
                unsettled.result.add(again)
                if again.deferred.count < before { hasProgressed = true }
                if unsettled.result.deferred.isEmpty || kept > Self.deferredMax {
                    try await settle(unsettled)
                } else {
                    still.append(unsettled)
                }
            }
            deferred = still
            guard !hasProgressed, !deferred.isEmpty else { continue }
            do throws(SweepFailure) {
                let error = CloudError(
                    .validatingReferenceError, reason: "another record still refers to it")
                try await courier.waitOrGiveUp(error, &budget, at: database.address)
            } catch {
                guard case .refused = error else { throw error }
                for unsettled in deferred { try await settle(unsettled) }
                return
            }
        }
    }

    /// Writes a step's outcome, then tells of it.
    private func settle(_ unsettled: Unsettled) async throws(SweepFailure) {
        let (row, step) = (unsettled.row, unsettled.step)
        var result = unsettled.result
        result.failures += result.deferred.map {
            .init(name: $0, error: CloudError(.validatingReferenceError))
        }
        var outcome = StepOutcome()
        outcome.attempts = result.requests
        outcome.deleted = result.deleted
        outcome.alreadyGone = result.alreadyGone
        outcome.failed = result.failures.count
        let state: StepState =
            result.failures.isEmpty
            ? .acknowledged : result.failures.count == step.itemCount ? .failed : .partlyFailed
        let kind = step.seenKind.coverage(in: step.scope)
        let failures = result.failures.map {
            FailureRow(
                container: row.container, scope: row.scope, kind: kind.rawValue, name: $0.name,
                code: $0.error.code.rawValue, reason: $0.error.reason)
        }
        var changes: [JournalChange] = [
            .step(number: row.number, to: state, outcome),
            .event(events.outcome(of: step, row, state, outcome)),
        ]
        if !failures.isEmpty { changes.append(.failures(failures)) }
        try await journal.keep(changes, run: run)
        var counts = StepCounts()
        counts.deleted = outcome.deleted
        counts.alreadyGone = outcome.alreadyGone
        counts.failed = outcome.failed
        courier.note { [counts] in
            $0.itemsDone += step.itemCount
            $0.failed += counts.failed
        }
        tell(.stepEnded(notice(of: step), counts))
    }

    private func decode(_ row: StepRow) throws(SweepFailure) -> DeletionStep {
        do throws(PlanFileError) {
            if case .item(.step(let step), _) = try PlanLine(row.line, line: row.number + 1) {
                return step
            }
        } catch {
            throw .journal(JournalError(.corrupt, "step \(row.number) of the plan is damaged"))
        }
        throw .journal(JournalError(.corrupt, "step \(row.number) of the plan is none"))
    }

    /// The last look before sending: a step that must not be sent is a mistake of ours.
    private func check(_ step: DeletionStep, _ address: Database.Address) {
        precondition(
            stage.bounds.holds(step.container, step.scope), "a step is outside the sweep")
        precondition(
            step.container == address.container && step.scope == address.scope
                && request.environment == address.environment,
            "a step is for another database")
        precondition(
            step.forbidden(by: request.policy) == nil, "a step names something protected")
        precondition(
            identities[step.container] != nil, "nobody checked who is signed in there")
    }

    private func notice(of step: DeletionStep) -> StepNotice {
        StepNotice(
            container: step.container, scope: step.scope,
            kind: step.seenKind.coverage(in: step.scope), items: step.itemCount)
    }

    /// The batch size that the steps of a kind learn together.
    func batchSize(_ kind: SeenKind, _ address: Database.Address) -> Locked<Int> {
        sizes.withLock { sizes in
            let key = "\(kind.rawValue) \(address)"
            if let known = sizes[key] { return known }
            let made = Locked(DeletionStep.itemsMax)
            sizes[key] = made
            return made
        }
    }
}
