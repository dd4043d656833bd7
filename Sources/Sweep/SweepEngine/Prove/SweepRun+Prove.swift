import CloudCourier
import CloudModel
import DeletionPlanning
import Journal

extension SweepRun {
    /// The run whose deleted things a verification asks for; nil: none was named.
    func earlier(_ id: String?) async throws(SweepFailure) -> RunRow? {
        guard let id else { return nil }
        let other: RunRow
        do throws(JournalError) {
            other = try await journal.run(id: id)
            guard other.containers == request.targets.map(\.container),
                other.environment == request.environment
            else { throw JournalError(.noSuchRun, "run \(id) is about other containers") }
            guard !other.isForgotten else {
                throw JournalError(
                    .noSuchRun,
                    "the deleted items of run \(id) cannot be requested by name: its names were "
                        + "forgotten; \"cksweep verify\" scans everything")
            }
            guard other.planHeader != nil else {
                throw JournalError(
                    .noSuchRun,
                    "run \(id) has no plan and deleted nothing; \"cksweep verify\" scans everything"
                )
            }
        } catch {
            throw .journal(error)
        }
        guard other.server == world.server.url, other.isRehearsal == world.server.isRehearsal
        else {
            throw .refusedByGuard(
                Refusal(.otherServer, "run \(id) is about \(other.server), not \(world.server)"))
        }
        return other
    }

    // MARK: 7 Prove

    /// Looks until everything is clean so many times in a row, or time is up; then asks for the
    /// proof.
    ///
    /// - Parameters:
    ///   - plannedBy: The run whose plan says what must be gone, and what there.
    ///   - patience: How long to go on while something is still seen.
    mutating func prove(
        plannedBy earlier: RunRow?, patience: Duration, on databases: @escaping ReadableDatabases
    ) async throws(SweepFailure) {
        try await phase(.verify) { (run) async throws(SweepFailure) in
            try await run.passUntilClean(earlier, patience, databases)
        }
        let failed = try await failures(limit: 1).count
        do throws(VerifiedEmpty.Missing) {
            let proof = try VerifiedEmpty.prove(
                passes, of: binding, places: placesInScope,
                containers: request.targets.map(\.container),
                required: request.limits.cleanPasses, first: inventory,
                failures: failed, allowPartial: request.allowPartial != nil)
            self.proof = ProofSummary(proof)
        } catch {
            missing = error
            return
        }
        try await remember([.allVerified, .event(events.event("verified"))])
    }

    /// Every row that must be proven.
    private var placesInScope: [RowKey] {
        request.targets.indices.flatMap { index in
            Places.of(request).map {
                RowKey(container: index, scope: $0.scope, kind: $0.kind)
            }
        }
    }

    private mutating func passUntilClean(
        _ earlier: RunRow?, _ patience: Duration, _ databases: @escaping ReadableDatabases
    ) async throws(SweepFailure) {
        let began = courier.elapsed
        let failed = try await failures(limit: 1).count
        let excused = Set((inventory?.unread ?? []).map(\.place))
        var cleanInARow = 0
        while true {
            let pass = try await pass(earlier, databases)
            passes.append(pass)
            world.tell(.passEnded(pass.record))
            if courier.isStopped { throw .stopped }
            if pass.isSettled(excusing: excused) {
                cleanInARow += 1
                if cleanInARow >= max(1, request.limits.cleanPasses) { return }
            } else {
                cleanInARow = 0
                // What could not be deleted is not going to vanish by waiting, nor is what should
                // be there going to come back.
                if failed > 0 || !pass.keptMissing.isEmpty { return }
                if courier.elapsed - began >= patience { return }
            }
            try await courier.pause(request.limits.verifyPause)
        }
    }

    /// One fresh look at everything, and at everything that was planned.
    private mutating func pass(
        _ earlier: RunRow?, _ databases: @escaping ReadableDatabases
    ) async throws(SweepFailure) -> Pass {
        let began = world.wallClock.now
        let requestsBefore = courier.progress.requests
        try await remember([.forget(.verification)])
        let looking = looking(.verification, on: databases, tell: { _ in })
        var inventory = try await looking.take()
        if people.isEmpty { try await meetFirst(inventory.people, earlier) }
        var answer = PlannedCheck.Answer()
        var assets = AssetCheck.Answer()
        if let earlier {
            answer = try await PlannedCheck(stage: stage, looking: looking, people: people)
                .ask(earlier.key)
            assets = try await AssetCheck(
                stage: stage, looking: looking, probe: world.assetProbe
            ).ask(earlier.key)
            for (key, finding) in Array(answer.unread) + Array(assets.unproven) {
                inventory.findings[key, default: .complete].add(finding)
            }
        }
        // What was asked for by name can have told of types, too.
        try await looking.listNewTypes(&inventory)
        var (left, kept) = try await stage.leftover(.verification)
        if let donations {
            let (counts, unread) = await donations.left()
            inventory.remarks += unread
            for (index, count) in counts.enumerated() where count > 0 {
                left[RowKey(container: index, scope: .private, kind: .donations)] = count
            }
        }
        // Last, so that it vouches for all that was read.
        try await looking.vouch(for: &inventory)
        let record = VerificationPass(
            number: passes.count + 1, began: began, ended: world.wallClock.now,
            left: left.values.reduce(0, +) + answer.keptMissing.values.reduce(0, +),
            unread: inventory.unread.count,
            requests: courier.progress.requests - requestsBefore)
        try await remember([.event(events.event(of: record, donations: donations != nil))])
        var pass = Pass(
            record: record,
            binding: ProofBinding(
                run: row.id, environment: request.environment, server: world.server,
                serverKey: world.serverKey(), subjects: subjects(inventory.people)),
            left: left, kept: kept, keptMissing: answer.keptMissing,
            remarks: assets.remarks.merging(
                answer.answering.map { key, count in
                    (key, "\(count) of the deleted \(key.kind.things) exist again")
                }
            ) { first, _ in first }, inventory: inventory)
        pass.leftOfPlan = try await leftOfPlan(left)
        return pass
    }

    /// A verification learns with its first pass who is signed in. What an earlier run was about
    /// must be about the same.
    private mutating func meetFirst(
        _ found: [Container.ID: UserIdentity], _ earlier: RunRow?
    ) async throws(SweepFailure) {
        try await meet(found)
        guard let earlier, !found.isEmpty else { return }
        for (now, then) in zip(row.subjects, earlier.subjects)
        where now != Self.unknownPerson && now != then {
            throw .refusedByGuard(
                Refusal(
                    .otherUser,
                    "another user is signed in than run \(earlier.id) was about"))
        }
        guard earlier.subjects.count == row.subjects.count else {
            throw .refusedByGuard(
                Refusal(.otherUser, "run \(earlier.id) does not record its user"))
        }
    }

    /// Of what is left, what the run's own plan named: row by row, so that counts add up.
    private func leftOfPlan(
        _ left: [RowKey: Int]
    ) async throws(SweepFailure) -> [RowKey: Int] {
        guard verb.deletes, !left.isEmpty else { return [:] }
        do throws(JournalError) {
            var counts: [RowKey: Int] = [:]
            for count in try await journal.leftOfPlan(run: row.key) {
                // The default zone itself is always seen, and is none of its row's things.
                guard count.kind.isPlannable, count.kind != .defaultZone,
                    let kind = Places.kind(of: count.kind, in: count.scope)
                else { continue }
                let key = RowKey(container: count.container, scope: count.scope, kind: kind)
                counts[key, default: 0] += count.count
            }
            return counts
        } catch {
            throw .journal(error)
        }
    }
}
