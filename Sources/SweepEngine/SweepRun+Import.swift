import CloudModel
import DeletionPlanning
import Journal

extension SweepRun {
    /// Reads a plan file into the journal: its lines, and what it was made of.
    mutating func importPlan(_ path: String) async throws(SweepFailure) {
        let reader = PlanReader()
        let pieces = try usable(path) { () throws(PlanFileError) in try PlanFile.Pieces(path) }
        var kept: [RowKey: KeptCount] = [:]
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
                    stage.note(item, reason, in: &kept)
                    number += 1
                case .footer: continue
                }
            }
            if !changes.isEmpty { try await keep(changes) }
        }
        let facts = try usable(path) { () throws(PlanFileError) in try reader.finish() }
        guard let header else { return }
        planned = Planned(facts: facts, unmatchedRules: [], kept: kept)
        row.planDigest = facts.digest
        try await keep([
            .plan(
                digest: facts.digest, header: PlanLine.header(header).bytes,
                footer: PlanLine.footer(totals: facts.totals, digest: facts.digest).bytes),
            .stage(.planned),
            .event(events.event("plan", [("digest", .text(facts.digest))])),
        ])
        world.tell(.planned(facts))
    }

    /// Takes up the plan of an interrupted run from the journal.
    mutating func takeUpPlan() async throws(SweepFailure) {
        guard let header = row.planHeader, let footer = row.planFooter,
            case .header(let first)? = try? PlanLine(header, line: 1),
            case .footer(let totals, let digest)? = try? PlanLine(footer, line: 1)
        else { throw .journal(JournalError(.corrupt, "the run's plan is damaged")) }
        try check(first)
        var kept: [RowKey: KeptCount] = [:]
        var next = 0
        while true {
            let page = try await planLines(from: next)
            for (number, bytes) in page {
                guard case .item(let item, let reason)? = try? PlanLine(bytes, line: number + 1)
                else {
                    throw .journal(
                        JournalError(.corrupt, "line \(number) of the plan is damaged"))
                }
                if case .step(let step) = item { try check(step) }
                stage.note(item, reason, in: &kept)
            }
            guard let last = page.last else { break }
            next = last.number + 1
        }
        planned = Planned(
            facts: first.facts(totals, digest: digest), unmatchedRules: [], kept: kept)
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
        if header.environment != request.environment {
            throw .refusedByGuard(
                Refusal(
                    .otherEnvironment,
                    "the plan is for \(header.environment.rawValue), "
                        + "this is \(request.environment.rawValue)"))
        }
        if Set(header.subjects.map(\.container)) != Set(request.targets.map(\.container)) {
            throw .refusedByGuard(Refusal(.otherContainers))
        }
        if Set(header.scopes) != Set(request.scopes) {
            throw .refusedByGuard(Refusal(.otherDatabases))
        }
    }

    private func check(_ step: DeletionStep) throws(SweepFailure) {
        guard stage.bounds.holds(step.container, step.scope) else {
            throw .refusedByGuard(Refusal(.outOfBounds, "the plan names a place out of scope"))
        }
        if let rule = step.forbidden(by: request.policy) {
            let reason = request.policy.protect[rule].reason
            throw .refusedByGuard(
                Refusal(.outOfBounds, "the plan names something that is kept now: \(reason)"))
        }
    }

    private func rows(
        of item: PlanItem, _ line: PlanLine, _ number: Int
    ) throws(SweepFailure) -> [JournalChange] {
        let container: Container.ID
        switch item {
        case .step(let step):
            try check(step)
            container = step.container
        case .kept(let kept): container = kept.container
        }
        guard let place = stage.place(of: container) else {
            throw .refusedByGuard(Refusal(.otherContainers))
        }
        return [
            .planLines([
                PlanLineRow(number: number, line: line.bytes, step: stage.stepFacts(item))
            ]),
            .seen(pass: Self.plannedPass, SeenRow.rows(of: item, container: place)),
        ]
    }
}
