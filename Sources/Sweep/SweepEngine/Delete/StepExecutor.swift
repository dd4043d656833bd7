import AsyncOperations
import CloudCourier
import CloudModel
import DeletionPlanning
import Journal

/// Stages 5 and 6: carries out the steps of the one plan it has clearance for.
///
/// Each database is a lane of its own; lanes run side by side, and so do a few steps of a lane. The
/// approved plan is on disk: it is the intent. What is sent of a step is what a fresh look saw and
/// no rule keeps, asked of the journal just before sending. An outcome is on disk before anyone is
/// told of it.
final class StepExecutor: Sendable {
    let stage: PlanStage
    let courier: SweepCourier
    let events: EventWriter
    let databases: WritableDatabases
    /// Who was signed in just before: "not found" says nothing without it.
    let people: [Container.ID: UserIdentity]
    /// The look that says what is there now.
    let current: Look
    /// Whether the run was cut off before, so that anything may have been sent already.
    let isResumed: Bool
    let tell: @Sendable (SweepEvent) -> Void
    private let clearance: Clearance
    private let sizes = Locked<[String: Locked<Int>]>([:])

    init(
        _ clearance: consuming Clearance, for facts: PlanFacts, _ stage: PlanStage,
        courier: SweepCourier, events: EventWriter, databases: @escaping WritableDatabases,
        people: [Container.ID: UserIdentity], current: Look, isResumed: Bool,
        tell: @escaping @Sendable (SweepEvent) -> Void
    ) throws(SweepFailure) {
        guard clearance.planDigest == facts.digest else {
            throw .refusedByGuard(Refusal(.notApproved, "the authorization is for another plan"))
        }
        self.clearance = clearance
        self.stage = stage
        self.courier = courier
        self.events = events
        self.databases = databases
        self.people = people
        self.current = current
        self.isResumed = isResumed
        self.tell = tell
    }

    var request: SweepRequest { stage.request }
    var journal: any Journal { stage.journal }
    var run: Int64 { stage.run }

    /// Settles every step, lane by lane.
    func execute() async throws(SweepFailure) {
        let lanes = request.targets.indices.flatMap { index in
            Set(request.scopes).sorted().map { (index, $0) }
        }
        let results = await withTaskGroup(of: Result<Void, SweepFailure>.self) { group in
            for (index, scope) in lanes {
                group.addTask {
                    await attempt { () async throws(SweepFailure) in
                        guard let lane = self.lane(index, scope) else { return }
                        try await lane.run()
                    }
                }
            }
            var results: [Result<Void, SweepFailure>] = []
            for await result in group { results.append(result) }
            return results
        }
        for result in results { try result.get() }
    }

    /// nil where nobody said who is signed in, which discovery that was allowed to be partial may
    /// leave open: nothing is sent there.
    private func lane(_ index: Int, _ scope: Database.Scope) -> StepLane? {
        let container = request.targets[index].container
        guard let person = people[container] else { return nil }
        let address = Database.Address(
            container: container, environment: request.environment, scope: scope)
        return StepLane(
            executor: self, index: index, scope: scope,
            channel: WriteChannel(
                courier: courier, database: databases(address), person: person, request: request,
                planned: PlannedRows(
                    journal: journal, run: run, container: index, scope: scope)))
    }

    /// The batch size that the steps of a place learn together.
    func batchSize(
        _ place: any Place, _ kind: ItemKind, _ address: Database.Address
    ) -> Locked<Int> {
        sizes.withLock { sizes in
            let key = "\(kind.rawValue) \(address)"
            if let known = sizes[key] { return known }
            let made = Locked(place.batchMax)
            sizes[key] = made
            return made
        }
    }
}
