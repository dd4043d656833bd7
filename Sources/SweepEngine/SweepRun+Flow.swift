import CloudModel
import DeletionPlanning
import Journal

extension SweepRun {
    /// Under which number the rows are that the report counts.
    var seenPass: Int {
        row.verb == "verify" ? VerificationStage.pass : Self.plannedPass
    }

    /// Fails closed: what could not be listed stops the run, unless that was allowed.
    func checkDiscovery() throws(SweepFailure) {
        if courier.isStopped || inventory.forbidden != nil { throw .stopped }
        guard inventory.unlisted.isEmpty || request.allowPartial != nil else {
            let first = inventory.unlisted[0]
            let count = inventory.unlisted.count
            throw .refusedByGuard(
                Refusal(
                    .discoveryIncomplete,
                    (count == 1 ? "something" : "\(count) things")
                        + " in scope could not be listed" + (count == 1 ? ": " : ", first: ")
                        + "\(first.kind.rawValue) of \(first.container) (\(first.reason ?? ""))"))
        }
    }

    /// A rule that matches nothing is probably misspelled, and what it should keep would go.
    func checkRules() throws(SweepFailure) {
        guard let rules = planned?.unmatchedRules, !rules.isEmpty else { return }
        let first = rules[0]
        let name = [first.container?.rawValue, first.zone, first.recordType]
            .compactMap { $0 }.joined(separator: " ")
        throw .unusable(
            "\(rules.count) protect rules match nothing that is there, first: \(name)")
    }

    /// Holds the rules against a fresh look: they may have changed since the plan was made.
    mutating func checkRulesAnew() async throws(SweepFailure) {
        guard !request.policy.protect.isEmpty else { return }
        let (_, unmatched) = try await stage.leftover(pass: Self.freshPass)
        planned?.unmatchedRules = unmatched
        try checkRules()
    }

    /// Asks, and with a yes deletes what the plan names; then verifies.
    mutating func carryOut(
        unplanned: Int, on databases: @escaping WritableDatabases,
        confirm: Sweep.Confirmation
    ) async throws(SweepFailure) {
        guard let facts = planned?.facts else { return }
        try await decideDonations()
        if !facts.totals.nothingToDelete || unplanned > 0 || donationsToDelete > 0 {
            // Everything but the yes is checked first: nobody is asked in vain.
            let rehearsal = try await clearance(
                for: facts, .digest(facts.digest), unplanned: unplanned)
            _ = consume rehearsal
            let report = await ReportBuilder(run: self, deletes: false)
                .report(.somethingToDelete, "waiting for an approval")
            let approval = await confirm(report)
            if courier.isStopped { throw .stopped }
            let clearance = try await clearance(for: facts, approval, unplanned: unplanned)
            try await beginDeleting(facts)
            try await deleteDonations()
            try await delete(clearance, facts, on: databases)
        }
        try await verifyAfterwards(on: databases)
    }

    /// Goes on with a plan that was approved before.
    mutating func carryOn(
        on databases: @escaping WritableDatabases
    ) async throws(SweepFailure) {
        guard let facts = planned?.facts else { return }
        let unplanned = try await unplanned()
        let clearance = try await clearance(
            for: facts, .resumed(digest: facts.digest), unplanned: unplanned)
        try await keep([.event(events.event("resumed")), .stage(.deleting)])
        row.stage = .deleting
        world.tell(.approved(run: row.id))
        try await decideDonations()
        try await deleteDonations()
        try await delete(clearance, facts, on: databases)
        try await verifyAfterwards(on: databases)
    }

    private mutating func verifyAfterwards(
        on databases: @escaping WritableDatabases
    ) async throws(SweepFailure) {
        try await verify(
            zonesOf: row.key, patience: request.limits.verifyTimeout,
            on: { ReadOnlyDatabase(databases($0)) })
    }

    /// The run whose zones a verification asks for.
    func zonesOwner(_ id: String?) async throws(SweepFailure) -> Int64? {
        guard let id else { return nil }
        do throws(JournalError) {
            let other = try await journal.run(id: id)
            guard other.containers == request.targets.map(\.container),
                other.environment == request.environment
            else { throw JournalError(.noSuchRun, "run \(id) is about other containers") }
            return other.key
        } catch {
            throw .journal(error)
        }
    }

    // MARK: The end

    /// Whether everything was looked at, and nothing was found.
    private var isAllDone: Bool {
        isVerifiedEmpty
            && [inventory, look?.inventory ?? Inventory()].allSatisfy {
                $0.unlisted.isEmpty && $0.unreachable.isEmpty
            }
    }

    /// Ends the run: report, evidence, and the last words in the journal.
    mutating func end(verb: String, _ failure: SweepFailure?) async -> SweepReport {
        let failureCount = (try? await failures(limit: 1).count) ?? 0
        let (status, explanation) =
            failure.map { Conclusion.of($0, in: self) }
            ?? Conclusion.of(self, verb: verb, failureCount: failureCount)
        let deletes = verb != "plan" && verb != "verify" && row.stage.rawValue >= 2
        var report = await ReportBuilder(run: self, deletes: deletes || isVerifiedEmpty)
            .report(status, explanation)
        for row in report.rows where row.left > 0 { world.tell(.leftover(row)) }
        // A run that left something undone can be continued.
        report.canResume =
            !isAllDone && row.stage.rawValue >= RunRow.Stage.deleting.rawValue
        do throws(SweepFailure) {
            try await keep([
                .event(
                    events.event(
                        "ended",
                        [("status", .number(Int64(status.rawValue))), ("verb", .text(verb))]))
            ])
            if deletes || isVerifiedEmpty {
                let (path, head) = try await Evidence(run: self, report: report).write()
                report.evidencePath = path
                report.chainHead = head
            }
            var changes: [JournalChange] = [
                .ended(
                    world.wallClock.now, status: Int(status.rawValue), report: report.json()),
                .unlock,
            ]
            if !report.canResume {
                changes += [.stage(.ended), .forget(pass: Self.plannedPass)]
            }
            changes += [.forget(pass: Self.freshPass), .forget(pass: VerificationStage.pass)]
            try await keep(changes)
        } catch {
            // Nobody is told of an outcome that is not on disk.
            guard failure == nil else { return report }
            let (status, explanation) = Conclusion.of(error, in: self)
            report.status = status
            report.explanation = explanation
            report.canResume = row.stage.rawValue >= RunRow.Stage.deleting.rawValue
        }
        return report
    }
}
