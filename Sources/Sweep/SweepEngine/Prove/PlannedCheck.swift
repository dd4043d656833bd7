import CloudModel
import DeletionPlanning
import Journal

/// Asks for what a plan named, by name: what was to be deleted must not answer, whatever the lists
/// say, and what is kept must be there.
struct PlannedCheck: Sendable {
    let stage: PlanStage
    let looking: LookStage
    let people: [Container.ID: UserIdentity]

    /// What asking by name found out.
    struct Answer: Sendable {
        /// What answers although it was deleted: noted in the journal as seen.
        var answering: [RowKey: Int] = [:]
        var keptMissing: [RowKey: Int] = [:]
        /// What could not be asked.
        var unread: [RowKey: Finding] = [:]
    }

    /// Asks for everything that the plan of a run named.
    func ask(_ run: Int64) async throws(SweepFailure) -> Answer {
        var answer = Answer()
        var pending: [DeletionStep] = []
        // What is kept stands in single lines; as many as fit are asked for together.
        var kept: DeletionStep?
        try await PlanLines(stage: stage).each(of: run) {
            (_, item, _) async throws(SweepFailure) in
            switch item {
            case .step(let step): pending.append(step)
            case .kept(let item):
                guard let step = item.asStep else { return }
                if let joined = kept?.joined(with: step) {
                    kept = joined
                } else {
                    if let full = kept { try await expect(full, &answer) }
                    kept = step
                }
            case .unproven: return
            }
            guard pending.count >= Self.stepsAtOnce else { return }
            try await askAll(pending, &answer)
            pending = []
        }
        try await askAll(pending, &answer)
        if let last = kept { try await expect(last, &answer) }
        return answer
    }

    /// Enough to keep every request place in use, although not every step is asked for.
    private static let stepsAtOnce = 64

    private func askAll(
        _ steps: [DeletionStep], _ answer: inout Answer
    ) async throws(SweepFailure) {
        let results = await withTaskGroup(
            of: (DeletionStep, Result<[String], SweepFailure>).self
        ) { group in
            for step in steps {
                group.addTask {
                    (
                        step,
                        await attempt { () async throws(SweepFailure) in
                            try await answering(step)
                        }
                    )
                }
            }
            var results: [(DeletionStep, Result<[String], SweepFailure>)] = []
            for await result in group { results.append(result) }
            return results
        }
        for (step, result) in results {
            do throws(SweepFailure) {
                let there = try result.get()
                guard !there.isEmpty, let index = stage.place(of: step.container) else { continue }
                answer.answering[stage.key(of: step), default: 0] += there.count
                let rows = SeenRow.rows(of: step, container: index, names: there)
                try await stage.journal.remember([.seen(looking.look, rows)], run: stage.run)
            } catch {
                try note(error, of: step, &answer)
            }
        }
    }

    /// Something that is kept must be there.
    private func expect(
        _ step: DeletionStep, _ answer: inout Answer
    ) async throws(SweepFailure) {
        do throws(SweepFailure) {
            let missing = step.itemCount - (try await answering(step).count)
            if missing > 0 { answer.keptMissing[stage.key(of: step), default: 0] += missing }
        } catch {
            try note(error, of: step, &answer)
        }
    }

    private func answering(_ step: DeletionStep) async throws(SweepFailure) -> [String] {
        guard let index = stage.place(of: step.container), let person = people[step.container],
            let place = Places.of(step.itemKind, in: step.scope)
        else {
            throw .refused(CloudError(.authenticationRequired, reason: "the user there is unknown"))
        }
        return try await place.answering(step, looking.placeLook(index, step.scope, person))
    }

    private func note(
        _ error: SweepFailure, of step: DeletionStep, _ answer: inout Answer
    ) throws(SweepFailure) {
        guard case .refused(let refusal) = error else { throw error }
        let key = stage.key(of: step)
        var row = CoverageRow(
            container: step.container, scope: step.scope, kind: key.kind, outcome: .notLookedAt,
            reason: "the deleted items could not be requested: \(refusal.inWords)")
        row.code = refusal.code
        answer.unread[key] = Finding(remarks: [row])
    }
}

extension DeletionStep {
    /// One step for both, where they are about the same place and fit into one request.
    fileprivate func joined(with other: DeletionStep) -> DeletionStep? {
        guard container == other.container, scope == other.scope,
            itemCount + other.itemCount <= Self.itemsMax
        else { return nil }
        let work: DeletionStep.Work
        switch (self.work, other.work) {
        case (.zones(let left), .zones(let right)): work = .zones(left + right)
        case (.subscriptions(let left), .subscriptions(let right)):
            work = .subscriptions(left + right)
        case (.records(let zone, let type, let left), .records(let itsZone, let itsType, let right)):
            guard zone == itsZone, type == itsType else { return nil }
            work = .records(zone: zone, type: type, names: left + right)
        default: return nil
        }
        return DeletionStep(container: container, scope: scope, work: work)
    }
}
