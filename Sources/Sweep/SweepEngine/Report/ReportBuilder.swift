import CloudModel
import DeletionPlanning
import Journal

/// Stage 8: puts the coverage map together from what a run knows.
struct ReportBuilder: Sendable {
    let run: SweepRun
    /// As what the rows are told: those of an export as that, whichever verb has written it.
    private let verb: Verb

    init(run: SweepRun, as verb: Verb? = nil) {
        self.run = run
        self.verb = verb ?? run.verb
    }

    private var journal: any Journal { run.journal }
    private var targets: [SweepRequest.Target] { run.request.targets }
    /// Whether deletions were asked for, or there was nothing to delete and that was verified, so
    /// that rows say what became of things, and what came since.
    private var deletes: Bool {
        verb.deletes && (run.hasBegun || !run.passes.isEmpty)
    }
    /// The inventory that rows speak of first.
    private var first: Inventory? { run.inventory ?? run.passes.last?.inventory }

    /// The whole report.
    ///
    /// - Throws: why the journal cannot be read: no number is made up.
    func report(_ ending: Ending) async throws(SweepFailure) -> SweepReport {
        var report = head(ending)
        let failures = try await run.failures(limit: SweepReport.failuresMax)
        report.failures = failures.rows.map(failure)
        report.failureCount = failures.count
        report.rows = try await rows()
        return report
    }

    /// What can be said without the journal.
    func head(_ ending: Ending) -> SweepReport {
        var report = SweepReport(ending, runID: run.row.id)
        report.application = run.request.application
        report.environment = run.request.environment
        report.server = run.world.server
        report.serverKey = run.row.serverKey
        report.subjects = run.subjects.map {
            SweepReport.Subject(
                container: $0.container, userPseudonym: $0.userPseudonym,
                givenName: run.people[$0.container]?.givenName ?? run.request.namedPerson,
                pseudonymForOthers: run.casePseudonym($0.container))
        }
        report.plan = run.planned?.facts
        if run.request.countsZoneRecords {
            report.recordsInZones = run.outline?.census.recordsInZones
        }
        report.erasureRequest = run.erasureRequest
        report.passes = run.passes.map(\.record)
        report.unmatchedRules = run.outline?.unmatchedRules ?? []
        report.cascade = run.outline?.cascade ?? .none
        report.allowPartial = run.request.allowPartial
        let progress = run.courier.progress
        report.requests = progress.requests
        report.retries = progress.retries
        report.timings = run.timings
        report.exported = run.exported
        report.began = run.row.began
        report.ended = run.world.wallClock.now
        report.hasBegun = run.hasBegun
        report.isSigned = run.signingKey != nil
        return report
    }

    private func failure(_ row: FailureRow) -> SweepReport.Failure {
        SweepReport.Failure(
            container: targets[row.container].container, scope: row.scope,
            kind: CoverageRow.Kind(rawValue: row.kind) ?? .customZones, name: row.name,
            code: CloudError.Code(rawValue: row.code) ?? .unknown, reason: row.reason)
    }

    // MARK: Rows

    func rows() async throws(SweepFailure) -> [CoverageRow] {
        let numbers = try await RowNumbers.read(run)
        var rows: [CoverageRow] = []
        for index in targets.indices {
            for place in Places.of(run.request) {
                let key = RowKey(container: index, scope: place.scope, kind: place.kind)
                let counts = counts(key, numbers)
                if place.isPart, counts.found == 0 { continue }
                rows.append(row(key, counts))
            }
        }
        rows += donationRows()
        merge(remarks, into: &rows)
        for index in rows.indices { rows[index].settleExported(verb, run.hasContents) }
        return rows.sorted(by: Self.order)
    }

    private func counts(_ key: RowKey, _ numbers: RowNumbers) -> RowCounts {
        let pass = run.passes.last
        guard deletes else {
            let found = numbers.found[key] ?? 0
            let kept: Int
            if verb.onlyProves {
                // Only a pass that came to its end says what a rule keeps.
                kept = pass.map { found - min($0.left[key] ?? 0, found) } ?? 0
            } else {
                // What a plan file keeps says nothing of what this look saw.
                kept = run.outline?.kept[key]?.count ?? 0
            }
            return .looked(found: found, kept: kept)
        }
        return .swept(
            kept: run.planned?.kept[key]?.count ?? 0,
            numbers.outcomes[key] ?? ended(key, numbers),
            look: pass.map {
                (
                    left: $0.left[key] ?? 0, ofPlan: $0.leftOfPlan[key] ?? 0,
                    keptMissing: $0.keptMissing[key] ?? 0
                )
            })
    }

    /// What ends with other things, and is in no step of the plan: gone once a pass has looked.
    private func ended(_ key: RowKey, _ numbers: RowNumbers) -> ItemCounts {
        var counts = ItemCounts()
        guard [.sharesGiven, .assets].contains(key.kind), let found = numbers.found[key] else {
            return counts
        }
        guard run.hasBegun, let pass = run.passes.last else {
            counts.pending = found
            return counts
        }
        counts.deleted = max(0, found - (pass.left[key] ?? 0))
        return counts
    }

    private func row(_ key: RowKey, _ counts: RowCounts) -> CoverageRow {
        var row = CoverageRow(
            container: targets[key.container].container, scope: key.scope, kind: key.kind,
            outcome: .notLookedAt)
        row.take(counts)
        row.outcome = outcome(of: row, key)
        // What a rule keeps that came after the approval is in the plan of today only, and a verification
        // makes no plan.
        let kept =
            run.planned?.kept[key] ?? run.outline?.kept[key] ?? run.passes.last?.kept[key]
        if row.kept > 0, let kept {
            row.reason =
                row.outcome == .kept ? kept.reason : "\(row.kept) kept: \(kept.reason)"
        }
        if let pass = run.passes.last {
            if row.left > 0 { row.reason = pass.remarks[key] }
            if let missing = pass.keptMissing[key], missing > 0 {
                row.reason = "\(missing) that should be kept \(missing == 1 ? "is" : "are") missing"
            }
        }
        if row.outcome == .notLookedAt, row.reason == nil { row.reason = whyNotLookedAt(key) }
        if row.outcome == .empty, remarks.contains(where: { $0.isOpen(in: row) }) {
            row.outcome = .unproven
            row.reason = "nothing was found, but not everything could be listed"
        }
        if row.outcome == .exported, remarks.contains(where: { $0.isOpen(in: row) }) {
            row.outcome = .notLookedAt
            row.reason = "not everything could be read"
        }
        return row
    }

    private func outcome(of row: CoverageRow, _ key: RowKey) -> CoverageRow.Outcome {
        if row.failed > 0 { return .failed }
        let wasRead = first?.findings[key]?.isComplete == true
        guard deletes else {
            guard wasRead else { return .notLookedAt }
            if row.left > 0 { return outcomeOfFound }
            return row.kept > 0 ? .kept : .empty
        }
        guard let pass = run.passes.last else { return .notLookedAt }
        if row.left > 0 { return .left }
        guard wasRead, pass.inventory.findings[key]?.isComplete == true else {
            return .notLookedAt
        }
        if row.deleted > 0 { return .deleted }
        if row.alreadyGone > 0 { return .alreadyGone }
        return row.kept > 0 ? .kept : .empty
    }

    /// What is said of things that were only looked at.
    private var outcomeOfFound: CoverageRow.Outcome {
        switch verb {
        case .verify, .watch: .left
        // Before that it was seen and nobody has it.
        case .export: run.hasContents ? .exported : .notLookedAt
        case .plan, .sweep, .apply, .resume: .toDelete
        }
    }

    private func whyNotLookedAt(_ key: RowKey) -> String {
        if deletes, first?.findings[key]?.isComplete == true {
            return "not scanned again: the run ended before"
        }
        return "the run ended before"
    }

    /// A row for each container; without a donation store one row that says so.
    private func donationRows() -> [CoverageRow] {
        guard let donations = run.donations else {
            return targets.prefix(1).map {
                CoverageRow(
                    container: $0.container, scope: .private, kind: .donations,
                    outcome: .notInScope,
                    reason: "no donation store is configured; name one by \"donations\" in the "
                        + "list")
            }
        }
        return targets.indices.map { donationRow($0, donations) }
    }

    private func donationRow(_ index: Int, _ donations: DonationStage) -> CoverageRow {
        let key = RowKey(container: index, scope: .private, kind: .donations)
        var row = CoverageRow(
            container: targets[index].container, scope: .private, kind: .donations,
            outcome: .notLookedAt, reason: "the run ended before")
        let left = run.passes.last?.left[key] ?? 0
        guard donations.isRead else {
            guard verb.onlyProves, !run.passes.isEmpty else { return row }
            row.take(.looked(found: left, kept: 0))
            row.outcome = left > 0 ? .left : .empty
            row.reason = nil
            return row
        }
        let tally = donations.tallies[index]
        var sum = ItemCounts()
        sum.deleted = donations.removed[index]
        sum.pending = tally.toDelete
        let look = run.passes.last.map { _ in (left: left, ofPlan: 0, keptMissing: 0) }
        row.take(
            deletes
                ? .swept(kept: tally.kept, sum, look: look)
                : .looked(
                    found: donations.found(index), kept: verb == .export ? 0 : tally.kept))
        row.reason = row.kept > 0 ? tally.reason : nil
        row.outcome =
            row.left > 0
            ? (deletes ? .left : outcomeOfFound)
            : row.deleted > 0 ? .deleted : row.kept > 0 ? .kept : .empty
        if deletes, run.passes.isEmpty {
            row.outcome = .notLookedAt
            row.reason = "not scanned again: the run ended before"
        }
        return row
    }

    // MARK: Remarks

    /// About single things: what could not be read, cannot be proven, or is out of scope.
    private var remarks: [CoverageRow] {
        let early = run.inventory?.allRemarks ?? []
        let late = run.passes.last?.inventory.allRemarks ?? []
        let known = Set(early.map(\.place))
        return early + late.filter { !known.contains($0.place) }
    }

    private func merge(_ remarks: [CoverageRow], into rows: inout [CoverageRow]) {
        let indices = Dictionary(
            zip(rows.map(\.place), rows.indices), uniquingKeysWith: { first, _ in first })
        for remark in remarks {
            guard let index = indices[remark.place] else {
                rows.append(remark)
                continue
            }
            // What is known to be wrong with a row weighs more than that nobody could look.
            if rows[index].outcome == .failed || rows[index].outcome == .left { continue }
            rows[index].outcome = remark.outcome
            rows[index].reason = remark.reason
            rows[index].code = remark.code
        }
    }

    private static func order(_ left: CoverageRow, _ right: CoverageRow) -> Bool {
        if left.container != right.container { return left.container < right.container }
        if left.scope != right.scope { return left.scope < right.scope }
        if left.kind != right.kind { return left.kind.order < right.kind.order }
        return (left.subject ?? "") < (right.subject ?? "")
    }
}

extension CoverageRow {
    /// Whether this is about a part of `whole` of which nobody knows whether it is empty.
    fileprivate func isOpen(in whole: CoverageRow) -> Bool {
        guard subject != nil, outcome == .unproven || outcome == .notLookedAt else { return false }
        return container == whole.container && scope == whole.scope && kind == whole.kind
    }

    /// What is in an export is not left out of it. Rules say what is deleted, and keep nothing from an export.
    fileprivate mutating func settleExported(_ verb: Verb, _ hasContents: Bool) {
        if verb == .export, hasContents, outcome == .kept {
            (outcome, reason, left, kept) = (.exported, nil, left + kept, 0)
        }
        guard outcome == .exported else { return }
        (exported, left) = (left, 0)
    }

    /// Takes over numbers that add up.
    mutating func take(_ counts: RowCounts) {
        found = counts.found
        deleted = counts.deleted
        alreadyGone = counts.alreadyGone
        kept = counts.kept
        left = counts.left
        failed = counts.failed
    }
}
