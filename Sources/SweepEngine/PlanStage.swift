import CloudModel
import DeletionPlanning
import Journal

/// What a policy keeps in one row of the coverage map.
struct KeptCount: Sendable, Hashable {
    var count = 0
    /// The reason of the first rule met.
    var reason = ""
}

/// One row of the coverage map, as a key.
struct RowKey: Sendable, Hashable {
    let container: Int
    let scope: Database.Scope
    let kind: CoverageRow.Kind
}

/// What came of planning, besides the lines in the journal.
struct Planned: Sendable {
    var facts: PlanFacts
    var unmatchedRules: [ProtectRule]
    var kept: [RowKey: KeptCount]
}

/// Makes a plan of what a pass saw, a page at a time.
struct PlanStage: Sendable {
    static let pageSize = 1000

    let request: SweepRequest
    let journal: Journal
    let run: Int64
    /// In the order rows refer to them.
    let containers: [Container.ID]
    let bounds: PlanScope
    private let places: [Container.ID: Int]

    init(request: SweepRequest, journal: Journal, run: Int64) {
        self.request = request
        self.journal = journal
        self.run = run
        containers = request.targets.map(\.container)
        bounds = PlanScope(
            environment: request.environment, containers: Set(containers),
            scopes: Set(request.scopes))
        places = Dictionary(
            zip(containers, containers.indices), uniquingKeysWith: { first, _ in first })
    }

    /// The container's place in rows.
    func place(of container: Container.ID) -> Int? { places[container] }

    /// Plans what `pass` saw, and keeps the plan.
    func plan(_ header: PlanHeader, pass: Int) async throws(SweepFailure) -> Planned {
        var planner = DeletionPlanner(policy: request.policy, bounds: bounds)
        var writer = PlanWriter(header)
        var kept: [RowKey: KeptCount] = [:]
        var number = 0
        var last: SeenRow?
        try await journal.keep([.dropPlan], run: run)
        while true {
            let page = try await seen(pass, after: last)
            var items: [PlanItem] = []
            for row in page {
                if let seen = row.observation(of: containers) { items += planner.observe(seen) }
            }
            if page.isEmpty { items = planner.finish() }
            var rows: [PlanLineRow] = []
            for item in items {
                let reason = reason(of: item)
                note(item, reason, in: &kept)
                let line = writer.add(item, reason: reason)
                rows.append(PlanLineRow(number: number, line: line, step: stepFacts(item)))
                number += 1
            }
            if !rows.isEmpty { try await journal.keep([.planLines(rows)], run: run) }
            last = page.last
            if page.isEmpty { break }
        }
        let unmatched = planner.unmatchedRules.map { request.policy.protect[$0] }
        let (footer, facts) = writer.finish()
        try await journal.keep(
            [
                .plan(
                    digest: facts.digest, header: PlanLine.header(header).bytes, footer: footer),
                .stage(.planned),
            ], run: run)
        return Planned(facts: facts, unmatchedRules: unmatched, kept: kept)
    }

    /// What of a pass's rows a plan would delete: what is left, row by row; and the rules that
    /// keep nothing of it.
    func leftover(
        pass: Int
    ) async throws(SweepFailure) -> (left: [RowKey: Int], unmatchedRules: [ProtectRule]) {
        var planner = DeletionPlanner(policy: request.policy, bounds: bounds)
        var left: [RowKey: Int] = [:]
        var last: SeenRow?
        while true {
            let page = try await seen(pass, after: last)
            var items: [PlanItem] = []
            for row in page {
                if let seen = row.observation(of: containers) { items += planner.observe(seen) }
            }
            if page.isEmpty { items = planner.finish() }
            for case .step(let step) in items {
                // It is always there; what counts is what lies in it.
                if case .defaultZone = step.work { continue }
                left[key(of: step), default: 0] += step.itemCount
            }
            last = page.last
            if page.isEmpty {
                return (left, planner.unmatchedRules.map { request.policy.protect[$0] })
            }
        }
    }

    func seen(_ pass: Int, after row: SeenRow?) async throws(SweepFailure) -> [SeenRow] {
        do throws(JournalError) {
            return try await journal.seen(
                run: run, pass: pass, after: row, limit: Self.pageSize)
        } catch {
            throw .journal(error)
        }
    }

    /// What the journal keeps beside a step's line.
    func stepFacts(_ item: PlanItem) -> PlanLineRow.Step? {
        guard case .step(let step) = item, let place = places[step.container]
        else { return nil }
        return PlanLineRow.Step(
            container: place, scope: step.scope.number, kind: step.seenKind.rawValue,
            items: step.itemCount)
    }

    private func key(of step: DeletionStep) -> RowKey {
        RowKey(
            container: places[step.container] ?? 0, scope: step.scope,
            kind: step.seenKind.coverage(in: step.scope))
    }

    private func reason(of item: PlanItem) -> String? {
        guard case .kept(let kept) = item else { return nil }
        switch kept.because {
        case .rule(let index): return request.policy.protect[index].reason
        case .holdsKept: return "holds records that a rule keeps"
        case .notLookedInto: return "nobody could look whether a rule keeps something in it"
        }
    }

    func note(_ item: PlanItem, _ reason: String?, in kept: inout [RowKey: KeptCount]) {
        guard case .kept(let item) = item else { return }
        let kind: SeenKind =
            switch item.what {
            case .zone: .zone
            case .defaultZone: .defaultZone
            case .record(let zone, _, _): zone.isDefault ? .record : .zoneRecord
            case .subscription: .subscription
            case .userRecord: .userRecord
            }
        // That the default zone itself stays says nothing: it always does.
        if kind == .defaultZone { return }
        let key = RowKey(
            container: places[item.container] ?? 0, scope: item.scope,
            kind: kind.coverage(in: item.scope))
        kept[key, default: KeptCount()].count += 1
        if let reason, kept[key]?.reason.isEmpty == true { kept[key]?.reason = reason }
    }
}

extension DeletionStep {
    /// The sort of rows it deletes.
    var seenKind: SeenKind {
        switch work {
        case .zones: .zone
        case .defaultZone: .defaultZone
        case .records(let zone, _, _): zone.isDefault ? .record : .zoneRecord
        case .subscriptions: .subscription
        case .userRecord: .userRecord
        }
    }
}
