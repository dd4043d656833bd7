import CloudModel
import DeletionPlanning
import Journal

/// Puts the coverage map together from what a run knows.
struct ReportBuilder: Sendable {
    let run: SweepRun
    /// Whether deleting was at issue, so that rows say what became of things.
    let deletes: Bool

    private var journal: Journal { run.journal }
    private var targets: [SweepRequest.Target] { run.request.targets }

    /// The whole report, but for its status.
    func report(_ status: ExitStatus, _ explanation: String) async -> SweepReport {
        var report = SweepReport(status: status, explanation: explanation, runID: run.row.id)
        report.application = run.request.application
        report.environment = run.request.environment
        report.subjects = run.subjects.map {
            SweepReport.Subject(
                container: $0.container, userPseudonym: $0.userPseudonym,
                givenName: run.inventory.identities[$0.container]?.givenName)
        }
        report.plan = run.planned?.facts
        report.passes = run.passes
        report.unmatchedRules = run.planned?.unmatchedRules ?? []
        report.allowPartial = run.request.allowPartial
        let progress = run.courier.progress
        report.requests = progress.requests
        report.retries = progress.retries
        report.timings = run.timings
        report.began = run.row.began
        report.ended = run.world.wallClock.now
        let failures = try? await journal.failures(
            run: run.row.key, limit: SweepReport.failuresMax)
        report.failures = (failures?.rows ?? []).compactMap(failure)
        report.failureCount = failures?.count ?? 0
        report.rows = await rows()
        return report
    }

    private func failure(_ row: FailureRow) -> SweepReport.Failure? {
        guard targets.indices.contains(row.container),
            let scope = Database.Scope(number: row.scope),
            let kind = CoverageRow.Kind(rawValue: row.kind)
        else { return nil }
        return SweepReport.Failure(
            container: targets[row.container].container, scope: scope, kind: kind,
            name: row.name, code: CloudError.Code(rawValue: row.code) ?? .unknown,
            reason: row.reason)
    }

    // MARK: Rows

    private func rows() async -> [CoverageRow] {
        let pass = run.seenPass
        let counts = (try? await journal.seenCounts(run: run.row.key, pass: pass)) ?? []
        let sums = (try? await journal.stepSums(run: run.row.key)) ?? []
        var found: [RowKey: Int] = [:]
        for count in counts {
            guard let kind = SeenKind(rawValue: count.kind), kind != .defaultZone,
                let scope = Database.Scope(number: count.scope)
            else { continue }
            let key = RowKey(
                container: count.container, scope: scope, kind: kind.coverage(in: scope))
            found[key, default: 0] += count.count
        }
        var outcomes: [RowKey: StepOutcome] = [:]
        for sum in sums {
            guard let kind = SeenKind(rawValue: sum.kind),
                let scope = Database.Scope(number: sum.scope)
            else { continue }
            let key = RowKey(container: sum.container, scope: scope, kind: kind.coverage(in: scope))
            outcomes[key, default: StepOutcome()].deleted += sum.outcome.deleted
            outcomes[key, default: StepOutcome()].alreadyGone += sum.outcome.alreadyGone
            outcomes[key, default: StepOutcome()].failed += sum.outcome.failed
        }
        var rows: [CoverageRow] = []
        for index in targets.indices {
            for scope in Database.Scope.allCases where run.request.scopes.contains(scope) {
                for kind in Self.kinds(of: scope) {
                    let key = RowKey(container: index, scope: scope, kind: kind)
                    if kind == .zoneRecords, found[key] == nil { continue }
                    rows.append(row(key, found[key] ?? 0, outcomes[key] ?? StepOutcome()))
                }
            }
        }
        rows += donationRows()
        merge(extras(), into: &rows)
        return rows.sorted(by: Self.order)
    }

    /// A row for each container; without a donation store one row that says so.
    private func donationRows() -> [CoverageRow] {
        guard run.world.donations != nil else {
            return targets.prefix(1).map {
                CoverageRow(
                    container: $0.container, scope: .private, kind: .donations,
                    outcome: .notInScope,
                    reason: "no donation store is known; the list names one by \"donations\"")
            }
        }
        return targets.indices.map { index in
            let key = RowKey(container: index, scope: .private, kind: .donations)
            var row = CoverageRow(
                container: targets[index].container, scope: .private, kind: .donations,
                outcome: .nothingThere)
            row.left = run.look?.left[key] ?? 0
            if let donations = run.donations {
                row.found = donations.found(index)
                row.kept = donations.tallies[index].kept
                row.deleted = donations.removed[index]
                if row.kept > 0 { row.reason = donations.tallies[index].reason }
            } else {
                row.found = row.left
            }
            row.outcome = outcome(of: row)
            return row
        }
    }

    private static func kinds(of scope: Database.Scope) -> [CoverageRow.Kind] {
        switch scope {
        case .private: [.customZones, .defaultZone, .zoneRecords, .subscriptions]
        case .shared: [.sharedZones, .subscriptions]
        case .public: [.publicRecords, .subscriptions, .userRecord]
        }
    }

    private func row(_ key: RowKey, _ found: Int, _ outcome: StepOutcome) -> CoverageRow {
        var row = CoverageRow(
            container: targets[key.container].container, scope: key.scope, kind: key.kind,
            outcome: .nothingThere)
        let kept = run.planned?.kept[key] ?? KeptCount()
        row.found = found
        row.kept = kept.count
        row.deleted = outcome.deleted
        row.alreadyGone = outcome.alreadyGone
        row.failed = outcome.failed
        row.left = run.look?.left[key] ?? 0
        row.outcome = self.outcome(of: row)
        if row.kept > 0 {
            row.reason =
                row.outcome == .kept ? kept.reason : "\(row.kept) kept: \(kept.reason)"
        }
        if row.left > 0 { row.reason = run.look?.remarks[key] }
        return row
    }

    private func outcome(of row: CoverageRow) -> CoverageRow.Outcome {
        if row.failed > 0 { return .failed }
        if row.left > 0 { return .dataLeft }
        if !deletes {
            return row.found > row.kept ? .toDelete : row.kept > 0 ? .kept : .nothingThere
        }
        if !run.isVerifiedEmpty { return .unverified }
        if row.deleted > 0 { return .deleted }
        if row.alreadyGone > 0 { return .alreadyGone }
        if row.kept > 0 { return .kept }
        return .nothingThere
    }

    /// Rows about single things: what could not be read, what is out of reach or out of scope.
    private func extras() -> [CoverageRow] {
        let first = run.inventory.unlisted + run.inventory.unreachable + run.inventory.notInScope
        let later = (run.look?.inventory.unlisted ?? []) + (run.look?.inventory.unreachable ?? [])
        let known = Set(first.map(\.place))
        return first + later.filter { !known.contains($0.place) }
    }

    private func merge(_ extras: [CoverageRow], into rows: inout [CoverageRow]) {
        let indices = Dictionary(
            zip(rows.map(\.place), rows.indices), uniquingKeysWith: { first, _ in first })
        for extra in extras {
            guard let index = indices[extra.place] else {
                rows.append(extra)
                continue
            }
            // What is known to be wrong with a row weighs more than that it is out of reach.
            if rows[index].outcome == .failed || rows[index].outcome == .dataLeft { continue }
            rows[index].outcome = extra.outcome
            rows[index].reason = extra.reason
            rows[index].code = extra.code
        }
    }

    private static func order(_ left: CoverageRow, _ right: CoverageRow) -> Bool {
        if left.container != right.container { return left.container < right.container }
        if left.scope != right.scope { return left.scope < right.scope }
        if left.kind != right.kind { return left.kind.order < right.kind.order }
        return (left.subject ?? "") < (right.subject ?? "")
    }
}
