import CloudModel
import DeletionPlanning
import Journal
import OpenSSL

/// Takes a plan that was made before into a run: from a file, or from the journal. It is a bound to
/// what may be deleted, and never says what to send.
struct PlanImport: Sendable {
    let stage: PlanStage
    let server: ServerFacts

    /// Reads a plan file: whole, unchanged, and made with this state folder.
    func read(
        _ path: String
    ) async throws(SweepFailure) -> (planned: Planned, header: PlanHeader) {
        let reader = PlanReader()
        let pieces = try usable(path) { () throws(PlanFileError) in try PlanFile.Pieces(path) }
        var kept: [RowKey: KeptCount] = [:]
        var unproven: Set<UnprovenPlace> = []
        var header: PlanHeader?
        var number = 0
        while true {
            let lines = try usable(path) { () throws(PlanFileError) -> [PlanLine]? in
                guard let piece = try pieces.next() else { return nil }
                return try reader.feed(piece)
            }
            guard let lines else { break }
            var changes: [JournalChange] = []
            for line in lines {
                switch line {
                case .header(let found):
                    try check(found)
                    header = found
                case .item(let item, let reason):
                    changes += try rows(of: item, line, number)
                    stage.note(item, in: &kept, reason: reason)
                    if case .unproven(let place) = item { unproven.insert(place) }
                    number += 1
                case .footer: continue
                }
            }
            if !changes.isEmpty { try await stage.journal.remember(changes, run: stage.run) }
        }
        let end = try usable(path) { () throws(PlanFileError) in try reader.finish() }
        guard end.seal == stage.key.code(ofPlan: end.facts.digest) else {
            throw .refusedByGuard(
                Refusal(
                    .planChanged,
                    "\(path): the plan was changed, or made with another state folder"))
        }
        guard let header else { throw .unusable("\(path): the plan has no header") }
        return (Planned(facts: end.facts, kept: kept, unproven: unproven), header)
    }

    /// Takes up the plan of an interrupted run.
    func takeUp(_ row: RunRow) async throws(SweepFailure) -> Planned {
        var kept: [RowKey: KeptCount] = [:]
        var unproven: Set<UnprovenPlace> = []
        let ends = try await PlanLines(stage: stage).each(of: row.key) { (_, item, reason) in
            stage.note(item, in: &kept, reason: reason)
            if case .unproven(let place) = item { unproven.insert(place) }
        }
        try check(ends.header)
        return Planned(
            facts: ends.header.facts(ends.totals, digest: ends.digest), kept: kept,
            unproven: unproven)
    }

    private func usable<Value: ~Copyable>(
        _ path: String, _ body: () throws(PlanFileError) -> Value
    ) throws(SweepFailure) -> Value {
        do throws(PlanFileError) {
            return try body()
        } catch {
            if error.isTampering {
                throw .refusedByGuard(Refusal(.planChanged, error.text(file: path)))
            }
            throw .unusable(error.text(file: path))
        }
    }

    /// Refuses a plan for something else before anything of it is looked at.
    private func check(_ header: PlanHeader) throws(SweepFailure) {
        let request = stage.request
        if header.environment != request.environment {
            throw .refusedByGuard(
                Refusal(
                    .otherEnvironment,
                    "the plan is for \(header.environment.rawValue), "
                        + "this is \(request.environment.rawValue)"))
        }
        if header.server != server {
            throw .refusedByGuard(
                Refusal(.otherServer, "the plan is for \(header.server), this is \(server)"))
        }
        if Set(header.subjects.map(\.container)) != Set(request.targets.map(\.container)) {
            throw .refusedByGuard(Refusal(.otherContainers))
        }
        if Set(header.scopes) != Set(request.scopes) {
            throw .refusedByGuard(Refusal(.otherDatabases))
        }
    }

    private func rows(
        of item: PlanItem, _ line: PlanLine, _ number: Int
    ) throws(SweepFailure) -> [JournalChange] {
        let container: Container.ID
        switch item {
        case .step(let step):
            guard stage.bounds.holds(step.container, step.scope) else {
                throw .refusedByGuard(
                    Refusal(.outOfBounds, "the plan names a location out of scope"))
            }
            container = step.container
        case .kept(let kept): container = kept.container
        case .unproven(let place): container = place.container
        }
        guard let place = stage.place(of: container) else {
            throw .refusedByGuard(Refusal(.otherContainers))
        }
        var changes: [JournalChange] = [
            .planLines([
                PlanLineRow(number: number, line: line.bytes, step: stage.stepFacts(item))
            ])
        ]
        let rows = SeenRow.rows(of: item, container: place)
        if !rows.isEmpty { changes.append(.seen(.planned, rows)) }
        if case .kept = item { changes.append(.kept(.planned, rows)) }
        return changes
    }
}
