import AsyncOperations
import CloudModel
import DeletionPlanning
import Journal
import OpenSSL

/// One run under way: its parts, and what it knows so far.
struct SweepRun: Sendable {
    let request: SweepRequest
    let world: SweepWorld
    let journal: Journal
    let courier: Courier
    let pseudonyms: Pseudonyms
    let events: EventWriter
    var row: RunRow

    var inventory = Inventory()
    /// nil: the list names no donation store, or it could not be read.
    var donations: DonationFindings?
    var planned: Planned?
    var look: VerificationStage.Look?
    var passes: [VerificationPass] = []
    var timings: [SweepReport.Timing] = []
    /// Whether verification ended with enough clean passes.
    var isVerifiedEmpty = false

    /// The number under which the rows that a plan was made of are kept.
    static let plannedPass = 0
    /// The number of the fresh look that a plan is held against.
    static let freshPass = 1

    init(
        _ request: SweepRequest, _ world: SweepWorld, _ journal: Journal, _ pseudonyms: Pseudonyms,
        _ row: RunRow
    ) {
        self.request = request
        self.world = world
        self.journal = journal
        self.pseudonyms = pseudonyms
        self.row = row
        stage = PlanStage(request: request, journal: journal, run: row.key)
        courier = Courier(request.limits, in: world)
        events = EventWriter(
            environment: request.environment, pseudonyms: pseudonyms, wallClock: world.wallClock)
    }

    let stage: PlanStage

    func keep(_ changes: [JournalChange]) async throws(SweepFailure) {
        try await journal.keep(changes, run: row.key)
    }

    /// Runs one phase, telling of its beginning and end.
    mutating func phase(
        _ phase: SweepPhase, _ body: (inout SweepRun) async throws(SweepFailure) -> Void
    ) async throws(SweepFailure) {
        courier.note { $0.phase = phase }
        world.tell(.phaseBegan(phase))
        let began = courier.elapsed
        let result: Result<Void, SweepFailure>
        do throws(SweepFailure) {
            try await body(&self)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        let took = courier.elapsed - began
        timings.append(SweepReport.Timing(phase: phase, took: took))
        world.tell(.phaseEnded(phase, took: took))
        try result.get()
    }

    // MARK: 1 Inventory

    /// Looks at everything in scope.
    mutating func takeInventory(
        pass: Int, on databases: @escaping ReadableDatabases
    ) async throws(SweepFailure) {
        try await phase(.inventory) { (run) async throws(SweepFailure) in
            let taker = InventoryTaker(
                request: run.request, courier: run.courier, journal: run.journal,
                run: run.row.key, pass: pass, databases: databases, tell: run.world.tell)
            run.inventory = try await taker.take()
            try await run.lookAtDonations()
            let subjects = run.subjects
            run.row.subjects = subjects.map(\.userPseudonym)
            try await run.keep([
                .subjects(run.row.subjects),
                .event(
                    run.events.event(
                        "inventory",
                        [
                            ("unlisted", .number(Int64(run.inventory.unlisted.count))),
                            ("unreachable", .number(Int64(run.inventory.unreachable.count))),
                            ("users", .list(subjects.map { .text($0.userPseudonym) })),
                        ])),
            ])
        }
    }

    /// The configured containers and who is signed in there, in the order of rows.
    var subjects: [PlanFacts.Subject] {
        request.targets.map { target in
            let user = inventory.identities[target.container]?.userRecordName
            return PlanFacts.Subject(
                container: target.container,
                userPseudonym: user.map {
                    pseudonyms.user($0, in: target.container, request.environment)
                } ?? "unknown")
        }
    }

    /// The lock of a run itself: two processes must not write to one run.
    static func lockKey(ofRun id: String) -> String { "run\n\(id)" }

    /// Makes sure that no other run works on the same data.
    func lock() async throws(SweepFailure) {
        let keys =
            subjects.map {
                "\(request.environment.rawValue)\n\($0.container)\n\($0.userPseudonym)"
            } + [Self.lockKey(ofRun: row.id)]
        let holder = LockHolder(
            run: row.id, process: world.process, since: world.wallClock.now)
        try await keep([.lock(keys: keys, holder)])
    }

    // MARK: 2 Plan

    mutating func plan() async throws(SweepFailure) {
        try await phase(.plan) { (run) async throws(SweepFailure) in
            let now = run.world.wallClock.now
            let header = PlanHeader(
                toolVersion: run.world.toolVersion, environment: run.request.environment,
                subjects: run.subjects, scopes: Set(run.request.scopes).sorted(), created: now,
                expires: now.advanced(by: run.request.limits.planLifetime),
                nonce: Hexadecimal.encode(SecureRandom.bytes(16)))
            let planned = try await run.stage.plan(header, pass: Self.plannedPass)
            run.planned = planned
            run.row.planDigest = planned.facts.digest
            try await run.keep([
                .event(
                    run.events.event(
                        "plan", [("digest", .text(planned.facts.digest))]))
            ])
            run.world.tell(.planned(planned.facts))
        }
    }

    // MARK: 3 Clearance

    /// Holds the plan against what is true now.
    func clearance(
        for facts: PlanFacts, _ approval: Approval?, unplanned: Int
    ) async throws(SweepFailure) -> Clearance {
        let user: RunRow?
        do throws(JournalError) {
            user = try await journal.run(usingPlan: facts.digest)
        } catch {
            throw .journal(error)
        }
        let planUsed = user != nil && user?.key != row.key
        let circumstances = Circumstances(
            now: world.wallClock.now, environment: request.environment, subjects: subjects,
            scopes: request.scopes, caps: request.policy.caps, planUsed: planUsed,
            unplannedItems: unplanned, unlisted: inventory.unlisted.count,
            partialAllowed: request.allowPartial != nil)
        do throws(Refusal) {
            return try Guard.authorize(facts, approval: approval, under: circumstances)
        } catch {
            guard error.code == .planUsed, let user else { throw .refusedByGuard(error) }
            let advice =
                user.canResume ? "; \"cksweep resume \(user.id)\" goes on with that run" : ""
            throw .refusedByGuard(
                Refusal(.planUsed, "\(error.reason), by run \(user.id)\(advice)"))
        }
    }

    /// How many things are there now that the plan was not made of.
    func unplanned() async throws(SweepFailure) -> Int {
        do throws(JournalError) {
            return try await journal.unplanned(
                run: row.key, fresh: Self.freshPass, planned: Self.plannedPass,
                byNameOnly: SeenKind.subscription.rawValue,
                notPlannable: SeenKind.sharedZone.rawValue)
        } catch {
            throw .journal(error)
        }
    }

    // MARK: 4, 5, 6 Begin, delete, settle

    /// Writes down that deleting begins: the plan is used, and the fences stand.
    mutating func beginDeleting(_ facts: PlanFacts) async throws(SweepFailure) {
        var next = 0
        while true {
            let page = try await planLines(from: next)
            guard let last = page.last else { break }
            let fences = page.compactMap { self.fences(in: $0) }
            if !fences.isEmpty { try await keep(fences) }
            try await donationPass?.fence(
                page.compactMap { zones(in: $0) }, by: row, of: inventory.identities)
            next = last.number + 1
        }
        try await keep([
            .usePlan(digest: facts.digest, at: world.wallClock.now), .stage(.deleting),
            .event(events.event("approved", [("digest", .text(facts.digest))])),
        ])
        row.stage = .deleting
        world.tell(.approved(run: row.id))
    }

    /// A page of the run's plan.
    func planLines(
        from number: Int
    ) async throws(SweepFailure) -> [(number: Int, line: [UInt8])] {
        do throws(JournalError) {
            return try await journal.planLines(run: row.key, from: number, limit: 100)
        } catch {
            throw .journal(error)
        }
    }

    /// The fences that the zones of a line need.
    private func fences(in line: (number: Int, line: [UInt8])) -> JournalChange? {
        zones(in: line).map { address, zones in
            .fences(
                container: address.container, address.environment, address.scope,
                zones: zones.map(\.fenceName))
        }
    }

    /// The zones that a line deletes, and in which database.
    private func zones(
        in line: (number: Int, line: [UInt8])
    ) -> (address: Database.Address, zones: [RecordZone.ID])? {
        guard case .item(.step(let step), _)? = try? PlanLine(line.line, line: line.number + 1),
            case .zones(let zones) = step.work
        else { return nil }
        let address = Database.Address(
            container: step.container, environment: request.environment, scope: step.scope)
        return (address, zones)
    }

    /// Sends every step of the plan that is not settled.
    mutating func delete(
        _ clearance: consuming Clearance, _ facts: PlanFacts,
        on databases: @escaping WritableDatabases
    ) async throws(SweepFailure) {
        let executor = StepExecutor(
            clearance, for: facts, stage, courier: courier, events: events, databases: databases,
            identities: inventory.identities, tell: world.tell)
        courier.note { $0.itemsTotal = facts.totals.items }
        try await phase(.delete) { (run) async throws(SweepFailure) in
            try await executor.run()
            try await run.keep([.stage(.verifying), .event(run.events.event("deleted"))])
            run.row.stage = .verifying
        }
    }

    // MARK: 7 Verification

    /// Looks until everything is empty, so many times in a row, or time is up.
    ///
    /// - Parameters:
    ///   - zonesOfRun: The run whose deleted zones must be gone.
    ///   - patience: How long to go on while something is still seen.
    mutating func verify(
        zonesOf zonesOfRun: Int64?, patience: Duration, on databases: @escaping ReadableDatabases
    ) async throws(SweepFailure) {
        try await phase(.verify) { (run) async throws(SweepFailure) in
            try await run.passUntilClean(zonesOfRun, patience, databases)
        }
    }

    private mutating func passUntilClean(
        _ zonesOfRun: Int64?, _ patience: Duration, _ databases: @escaping ReadableDatabases
    ) async throws(SweepFailure) {
        let stage = VerificationStage(
            stage: stage, zonesOfRun: zonesOfRun, courier: courier, events: events,
            databases: databases, identities: inventory.identities, wallClock: world.wallClock,
            tell: world.tell, knownUnlisted: inventory.unlisted,
            donations: donationPass.map { ($0, donations) })
        let began = courier.elapsed
        let failed = try await failures(limit: 1).count
        var cleanInARow = 0
        while true {
            let look = try await stage.look(number: passes.count + 1)
            self.look = look
            // A verification asks who is signed in with its first look.
            if inventory.identities.isEmpty { inventory.identities = look.inventory.identities }
            passes.append(look.pass)
            if courier.isStopped { throw .stopped }
            if look.pass.isClean {
                cleanInARow += 1
                if cleanInARow >= max(1, request.limits.cleanPasses) { break }
            } else {
                cleanInARow = 0
                // What could not be deleted is not going to vanish by waiting.
                if failed > 0 || courier.elapsed - began >= patience { return }
            }
            try await courier.pause(request.limits.verifyPause)
        }
        isVerifiedEmpty = true
        try await keep([.allVerified, .event(events.event("verified"))])
    }

    func failures(
        limit: Int
    ) async throws(SweepFailure) -> (rows: [FailureRow], count: Int) {
        do throws(JournalError) {
            return try await journal.failures(run: row.key, limit: limit)
        } catch {
            throw .journal(error)
        }
    }
}
