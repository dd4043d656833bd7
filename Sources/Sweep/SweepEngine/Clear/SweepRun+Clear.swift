import Basics
import DeletionPlanning
import Evidence
import Journal

extension SweepRun {
    // MARK: 0 Take

    /// Reads a plan file into the journal: what may be deleted at most.
    mutating func take(planFile path: String) async throws(SweepFailure) {
        let taken = try await PlanImport(stage: stage, server: world.server).read(path)
        // A plan that is made later than clocks may differ is refused before it is carried out.
        if taken.planned.facts.created <= world.wallClock.now.advanced(by: Guard.clockSkewMax) {
            world.steadyClock?.goOn(from: taken.planned.facts.created)
        }
        planned = taken.planned
        signatures = try PlanSignatures.beside(path)
        try answer(taken.header.conditions.request)
        row.planDigest = taken.planned.facts.digest
        try await keep(
            [
                .plan(
                    digest: taken.planned.facts.digest, header: PlanLine.header(taken.header).bytes,
                    footer: stage.key.footer(taken.planned.facts).bytes),
                .stage(.planned),
                .event(events.event("plan", [("digest", .text(taken.planned.facts.digest))])),
            ] + ErasureNote.changes(erasureRequest) + signatures.changes)
        world.tell(.planned(taken.planned.facts))
    }

    /// Takes over the request that a plan was made for.
    private mutating func answer(_ request: ErasureRequest?) throws(SweepFailure) {
        guard let request else { return }
        guard erasureRequest == nil || erasureRequest == request else {
            throw .unusable(
                "the plan is for a request of \(request.receivedOn.iso8601) under "
                    + "\(request.regime.rawValue), and another one was given")
        }
        erasureRequest = request
    }

    /// Takes up the plan of an interrupted run from the journal: its lines must have the digest that was
    /// approved. What the run says of its server and its chain of events must be whole before anything is
    /// added to it.
    mutating func takeUpPlan() async throws(SweepFailure) {
        guard row.server == world.server.url, row.isRehearsal == world.server.isRehearsal else {
            throw .refusedByGuard(
                Refusal(
                    .otherServer, "run \(row.id) is about \(row.server), this is \(world.server)"))
        }
        let kept: [UInt8]?
        let last: EventRow?
        do throws(JournalError) {
            let chain = try await journal.verifyChain(run: row.key)
            last = try await journal.events(run: row.key, from: chain.count - 1, limit: 1).last
            kept = try await journal.note(run: row.key, key: PlanSignatures.note)
        } catch {
            throw .journal(error)
        }
        if let last { try goOn(after: last) }
        signatures = try PlanSignatures(kept: kept)
        planned = try await PlanImport(stage: stage, server: world.server).takeUp(row)
    }

    /// Lets time go on from the run's last event. With a clock that is far behind it, the run could not be
    /// shown to others afterwards.
    private func goOn(after event: EventRow) throws(SweepFailure) {
        var log = EventLog()
        do throws(EvidenceError) {
            try log.take(event.body)
        } catch {
            throw .journal(
                JournalError(.corrupt, "cannot read the run's last event: \(error.reason)"))
        }
        guard let moment = log.finish().tally.last else { return }
        try goOn(from: moment, of: row.id)
    }

    /// Lets time go on from a moment that is on record about a run.
    ///
    /// - Throws: `unusable` when the machine's clock is further behind it than clocks may differ.
    func goOn(from moment: Timestamp, of run: String) throws(SweepFailure) {
        let now = world.wallClock.now
        guard moment <= now.advanced(by: Guard.clockSkewMax) else {
            throw .unusable(
                "this machine's clock says \(now.iso8601), and run \(run) was active at "
                    + "\(moment.iso8601): set the clock, then run the same command again")
        }
        world.steadyClock?.goOn(from: moment)
    }

    // MARK: 3 Clear

    /// Makes sure that no other run works on the same data.
    func lock() async throws(SweepFailure) {
        let keys =
            subjects.map { LockKey.person($0, request.environment) } + [LockKey.run(row.id)]
        let holder = LockHolder(run: row.id, process: world.process, since: world.wallClock.now)
        try await keep([.lock(keys: keys, holder)])
    }

    /// Asks a person, once everything but the yes is in order: nobody is asked in vain.
    ///
    /// - Returns: nil when there is nothing to delete.
    func clear(asking confirm: Sweep.Confirmation) async throws(SweepFailure) -> Clearance? {
        guard let facts = planned?.facts else { throw .stopped }
        let circumstances = try await circumstances(facts)
        guard
            !facts.totals.nothingToDelete || circumstances.unplannedItems > 0
                || donations?.toDelete ?? 0 > 0
        else {
            // Nothing is asked, but what cannot be carried out is still said.
            try checkPlan()
            return nil
        }
        let rehearsal = try await authorize(facts, .digest(facts.digest), circumstances)
        _ = consume rehearsal
        let report = try await ReportBuilder(run: self)
            .report(.short(.somethingToDelete, "waiting for an approval"))
        let approval = await confirm(report)
        if courier.isStopped { throw .stopped }
        // Time has passed at the question.
        return try await authorize(facts, approval, try await self.circumstances(facts))
    }

    /// Clears a run that was approved before, against what the journal noted then.
    func clearAgain() async throws(SweepFailure) -> Clearance? {
        guard let facts = planned?.facts else { throw .stopped }
        let approved: (digest: String, at: Timestamp)?
        do throws(JournalError) {
            approved = try await journal.approval(run: row.key)
        } catch {
            throw .journal(error)
        }
        guard let approved else {
            throw .refusedByGuard(Refusal(.notApproved, "the run was never approved"))
        }
        return try await authorize(
            facts, .resumed(digest: approved.digest), try await circumstances(facts))
    }

    /// What is true now.
    private func circumstances(_ facts: PlanFacts) async throws(SweepFailure) -> Circumstances {
        guard let outline, let inventory else { throw .stopped }
        var circumstances = Circumstances(
            now: world.wallClock.now, environment: request.environment, server: world.server,
            subjects: subjects, scopes: request.scopes, policy: request.policy,
            freshTotals: outline.totals, census: outline.census, cascade: outline.cascade,
            unlisted: inventory.unread.count, partialAllowed: request.allowPartial != nil)
        do throws(JournalError) {
            let user = try await journal.run(usingPlan: facts.digest)
            circumstances.planUsed = user != nil && user?.key != row.key
            if verb.hasEarlierPlan {
                circumstances.unplannedItems = try await journal.unplanned(run: row.key)
                    .reduce(0) { $0 + $1.count }
            }
        } catch {
            throw .journal(error)
        }
        circumstances.signers = Set(
            try countingApprovals(facts).map { Hexadecimal.encode($0.key.key.bytes) })
        circumstances.export = try readExport()?.manifestDigest
        circumstances.unplannedUnproven =
            outline.unproven.subtracting(planned?.unproven ?? []).count
        return circumstances
    }

    /// The approvals that count for a plan: good signatures by keys that the list names.
    func countingApprovals(_ facts: PlanFacts) throws(SweepFailure) -> [PlanApproval] {
        try signatures.counting(
            for: facts, under: request.policy.approvals, at: world.wallClock.now)
    }

    private func authorize(
        _ facts: PlanFacts, _ approval: Approval?, _ circumstances: Circumstances
    ) async throws(SweepFailure) -> Clearance {
        do throws(Refusal) {
            return try Guard.authorize(facts, approval: approval, under: circumstances)
        } catch {
            guard error.code == .planUsed else { throw .refusedByGuard(error) }
            throw .refusedByGuard(try await withUser(error, facts))
        }
    }

    /// Says which run used the plan, and whether it can be continued.
    private func withUser(
        _ refusal: Refusal, _ facts: PlanFacts
    ) async throws(SweepFailure) -> Refusal {
        do throws(JournalError) {
            guard let user = try await journal.run(usingPlan: facts.digest) else { return refusal }
            let advice =
                user.canResume ? "; \"cksweep resume \(user.id)\" continues that run" : ""
            return Refusal(.planUsed, "\(refusal.reason), by run \(user.id)\(advice)")
        } catch {
            throw .journal(error)
        }
    }
}
