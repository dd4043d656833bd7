import CloudModel
import DeletionPlanning
import Journal

/// Stage 2: turns what a look saw into what would be sent, a page at a time.
///
/// The planner is pure; this feeds it from the journal and marks there what it keeps, so that
/// everything later on asks the journal what may be deleted.
struct PlanStage: Sendable {
    static let pageSize = 1000

    let request: SweepRequest
    let journal: any Journal
    let run: Int64
    /// Authenticates what this stage plans.
    let key: StateKey
    /// In the order rows refer to them.
    let containers: [Container.ID]
    let bounds: PlanScope
    private let places: [Container.ID: Int]

    init(request: SweepRequest, journal: any Journal, run: Int64, key: StateKey) {
        self.request = request
        self.journal = journal
        self.run = run
        self.key = key
        containers = request.targets.map(\.container)
        bounds = PlanScope(
            environment: request.environment, containers: Set(containers),
            scopes: Set(request.scopes))
        places = Dictionary(
            zip(containers, containers.indices), uniquingKeysWith: { first, _ in first })
    }

    /// The container's place in rows.
    func place(of container: Container.ID) -> Int? { places[container] }

    /// Plans what `look` saw, and keeps the plan as the run's.
    func plan(
        _ header: PlanHeader, _ look: Look, _ inventory: Inventory
    ) async throws(SweepFailure) -> (Planned, PlanOutline) {
        var writer = PlanWriter(header)
        var number = 0
        try await journal.remember([.dropPlan], run: run)
        let outline = try await outline(look, inventory) {
            (items) async throws(SweepFailure) in
            var rows: [PlanLineRow] = []
            for item in items {
                let line = writer.add(item, reason: reason(of: item))
                rows.append(PlanLineRow(number: number, line: line, step: stepFacts(item)))
                number += 1
            }
            if !rows.isEmpty { try await journal.remember([.planLines(rows)], run: run) }
        }
        let facts = writer.finish()
        try await journal.keep(
            [
                .plan(
                    digest: facts.digest, header: PlanLine.header(header).bytes,
                    footer: key.footer(facts).bytes), .stage(.planned),
            ], run: run)
        let planned = Planned(facts: facts, kept: outline.kept, unproven: outline.unproven)
        return (planned, outline)
    }

    /// Runs the planner over what a look saw, and marks there what it keeps.
    ///
    /// - Parameter visit: Told of the plan's items, in order.
    func outline(
        _ look: Look, _ inventory: Inventory,
        _ visit: ([PlanItem]) async throws(SweepFailure) -> Void = { _ in }
    ) async throws(SweepFailure) -> PlanOutline {
        var planner = DeletionPlanner(policy: request.policy, bounds: bounds)
        var outline = PlanOutline()
        let unproven = inventory.unproven.map(\.unprovenPlace)
        for place in unproven {
            planner.note(place)
            outline.unproven.insert(place)
        }
        try await visit(unproven.map { .unproven($0) })
        try await eachPage(look) { (rows, isLast) async throws(SweepFailure) in
            var items: [PlanItem] = []
            for row in rows {
                if let seen = row.observation(of: containers) { items += planner.observe(seen) }
            }
            if isLast { items += planner.finish() }
            var kept: [SeenRow] = []
            for item in items {
                note(item, in: &outline.kept)
                if case .kept(let item) = item {
                    kept += SeenRow.rows(of: .kept(item), container: places[item.container] ?? 0)
                }
            }
            if !kept.isEmpty { try await journal.remember([.kept(look, kept)], run: run) }
            try await visit(items)
        }
        outline.totals = planner.totals
        outline.census = planner.census
        outline.misspellings = planner.misspelledZones
        outline.unmatchedRules = planner.unmatchedRules.map { request.policy.protect[$0] }
        outline.cascade = try await Cascades(stage: self).found(in: look)
        return outline
    }

    /// What a plan for this look would delete, which is what is left, and what it would keep: counts by row.
    ///
    /// A zone that could not be looked into counts as left.
    func leftover(
        _ look: Look
    ) async throws(SweepFailure) -> (left: [RowKey: Int], kept: [RowKey: KeptCount]) {
        var keptCounts: [RowKey: KeptCount] = [:]
        var planner = DeletionPlanner(policy: request.policy, bounds: bounds)
        var left: [RowKey: Int] = [:]
        try await eachPage(look) { (rows, isLast) async throws(SweepFailure) in
            var items: [PlanItem] = []
            for row in rows {
                if let seen = row.observation(of: containers) {
                    items += planner.observe(seen)
                } else if let kind = Places.kind(of: row.kind, in: row.scope) {
                    let key = RowKey(container: row.container, scope: row.scope, kind: kind)
                    left[key, default: 0] += 1
                }
            }
            if isLast { items += planner.finish() }
            var kept: [SeenRow] = []
            for item in items {
                switch item {
                case .step(let step):
                    // The default zone is always there; what counts is what lies in it.
                    if case .defaultZone = step.work { continue }
                    left[key(of: step), default: 0] += step.itemCount
                case .kept(let item) where item.because == .notLookedInto:
                    left[key(of: item), default: 0] += 1
                case .kept(let item):
                    note(.kept(item), in: &keptCounts)
                    kept += SeenRow.rows(of: .kept(item), container: places[item.container] ?? 0)
                case .unproven: continue
                }
            }
            if !kept.isEmpty { try await journal.remember([.kept(look, kept)], run: run) }
        }
        return (left, keptCounts)
    }

    private func eachPage(
        _ look: Look, _ body: ([SeenRow], _ isLast: Bool) async throws(SweepFailure) -> Void
    ) async throws(SweepFailure) {
        var last: SeenRow?
        while true {
            let page: [SeenRow]
            do throws(JournalError) {
                page = try await journal.seen(
                    run: run, in: look, after: last, limit: Self.pageSize)
            } catch {
                throw .journal(error)
            }
            try await body(page, page.isEmpty)
            guard let end = page.last else { return }
            last = end
        }
    }

    /// What the journal keeps beside a step's line.
    func stepFacts(_ item: PlanItem) -> PlanLineRow.Step? {
        guard case .step(let step) = item, let place = places[step.container]
        else { return nil }
        return PlanLineRow.Step(
            container: place, scope: step.scope, kind: step.itemKind, items: step.itemCount)
    }

    /// The row of the coverage map that a step is counted in.
    func key(of step: DeletionStep) -> RowKey {
        RowKey(
            container: places[step.container] ?? 0, scope: step.scope,
            kind: Places.kind(of: step.itemKind, in: step.scope) ?? .customZones)
    }

    private func key(of item: KeptItem) -> RowKey {
        RowKey(
            container: places[item.container] ?? 0, scope: item.scope,
            kind: Places.kind(of: item.itemKind, in: item.scope) ?? .customZones)
    }

    private func reason(of item: PlanItem) -> String? {
        guard case .kept(let kept) = item else { return nil }
        switch kept.because {
        case .rule(let index): return request.policy.protect[index].reason
        case .holdsKept: return "contains records that a rule keeps"
        case .staysWithOwner:
            return "stays with the zone's owner: \"leaveShared\": \"delete-mine\" deletes it first"
        case .notLookedInto: return "it could not be checked against the protect rules"
        }
    }

    /// Counts a kept item in its row.
    func note(_ item: PlanItem, in kept: inout [RowKey: KeptCount], reason known: String? = nil) {
        guard case .kept(let item) = item else { return }
        // That the default zone itself stays says nothing: it always does.
        if item.itemKind == .defaultZone { return }
        let key = key(of: item)
        kept[key, default: KeptCount()].count += 1
        if let reason = known ?? reason(of: .kept(item)), kept[key]?.reason.isEmpty == true {
            kept[key]?.reason = reason
        }
    }
}
