import CloudCourier
import CloudModel
import DeletionPlanning
import Journal

extension SweepRun {
    // MARK: 4 Begin

    /// Asks once more who is signed in, then writes down that deleting begins: the plan is used,
    /// and the fences stand.
    mutating func begin(
        on databases: @escaping ReadableDatabases, isResumed: Bool
    ) async throws(SweepFailure) {
        guard let facts = planned?.facts else { throw .stopped }
        try await askAgain(on: databases)
        if isResumed {
            try await keep([.event(events.event("resumed")), .stage(.deleting)])
        } else {
            try await fence()
            try await keep([
                .usePlan(digest: facts.digest, at: world.wallClock.now), .stage(.deleting),
                .event(events.event("approved", [("digest", .text(facts.digest))])),
            ])
        }
        row.stage = .deleting
        world.tell(.approved(run: row.id))
    }

    /// Puts up the fences of every zone that the plan deletes, here and in the donation store. Those
    /// here are on disk with the approval.
    private func fence() async throws(SweepFailure) {
        var fences: [JournalChange] = []
        try await eachPlanned(of: row) { (_, item) async throws(SweepFailure) in
            guard case .step(let step) = item, case .zones(let zones) = step.work else { return }
            let address = Database.Address(
                container: step.container, environment: request.environment, scope: step.scope)
            fences.append(.fences(address, zones: zones))
            try await donations?.fence(zones, at: address, by: row, of: people)
            guard fences.count >= Self.fencesAtOnce else { return }
            try await remember(fences)
            fences = []
        }
        if !fences.isEmpty { try await remember(fences) }
    }

    private static let fencesAtOnce = 50

    // MARK: 5 Delete, 6 Settle

    /// Deletes the donations, then sends everything of the plan that is there.
    mutating func delete(
        _ clearance: consuming Clearance, on databases: @escaping WritableDatabases
    ) async throws(SweepFailure) {
        guard let facts = planned?.facts else { throw .stopped }
        let executor = try StepExecutor(
            clearance, for: facts, stage, courier: courier, events: events, databases: databases,
            people: people, current: current, isResumed: verb == .resume, tell: world.tell)
        hasSent = true
        try await deleteDonations()
        courier.note { $0.itemsTotal = facts.totals.items }
        try await phase(.delete) { (run) async throws(SweepFailure) in
            try await executor.execute()
            try await run.remember([.stage(.verifying), .event(run.events.event("deleted"))])
            run.row.stage = .verifying
        }
    }

    /// Donations go before any of the content that they tell of, so that a crash never leaves a
    /// suggestion for something that is gone.
    private mutating func deleteDonations() async throws(SweepFailure) {
        guard var stage = donations else { return }
        for index in request.targets.indices {
            let changes = try await stage.deleteLinked(index, events)
            if !changes.isEmpty { try await keep(changes) }
        }
        if stage.hasUndecided {
            try await eachPlanned(of: row) { (index, item) async throws(SweepFailure) in
                guard case .step(let step) = item else { return }
                let changes = try await stage.deleteRecords(of: step, index, events)
                if !changes.isEmpty { try await keep(changes) }
            }
        }
        donations = stage
    }
}
