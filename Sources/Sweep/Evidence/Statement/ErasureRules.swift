import Basics

/// The rules that a statement is held to, R1 to R12 of the module's article: by the signer before it
/// signs, and again by everybody who checks.
///
/// A partial statement must be consistent; a complete one must in addition be right.
struct ErasureRules {
    let facts: ErasureFacts

    /// Kinds of places that every container has a row for, database by database. A run may have more.
    static let required: [String: [String]] = [
        "private": ["custom zones", "default zone", "subscriptions"],
        "shared": ["shared zones", "subscriptions"],
        "public": ["public records", "subscriptions", "user record"],
    ]

    // MARK: Every statement

    /// R1, R2, R9: numbers add up, and no row is there twice.
    func checkConsistency() throws(EvidenceError) {
        for row in facts.coverage {
            let counts = row.counts
            guard counts.isWithinBounds else {
                throw EvidenceError(.rowSum, "R1: impossible number in a row: \(name(row))")
            }
            let after =
                counts.deleted + counts.alreadyGone + counts.kept + counts.left + counts.failed
            guard counts.found == after else {
                throw EvidenceError(
                    .rowSum, "R1: found is not the sum of the outcomes: \(name(row))")
            }
            let done = counts.deleted + counts.alreadyGone
            guard counts.planned <= done + counts.left + counts.failed else {
                throw EvidenceError(
                    .plannedSum, "R2: more was planned than was found: \(name(row))")
            }
        }
        guard Set(facts.coverage.map(\.place)).count == facts.coverage.count else {
            throw EvidenceError(.coverage, "R9: a row is repeated")
        }
        guard Set(facts.databases).count == facts.databases.count else {
            throw EvidenceError(.coverage, "R9: a database is repeated")
        }
        guard !facts.containers.isEmpty,
            facts.containers.map(\.identifier) == Set(facts.containers.map(\.identifier)).sorted()
        else { throw EvidenceError(.coverage, "R9: containers are missing or out of order") }
    }

    /// R12: the events are those that the statement is about.
    func check(_ digest: EventDigest) throws(EvidenceError) {
        let known = facts.events
        let problem: String? =
            if digest.count != known.count {
                "there are \(digest.count) events, and \(known.count) were signed"
            } else if digest.chainHead != known.chainHead {
                "an event was changed or moved"
            } else if digest.root != known.root || digest.sha256 != known.sha256
                || digest.bytes != known.bytes
            {
                "the file of events is another one"
            } else {
                nil
            }
        if let problem { throw EvidenceError(.events, "R12: \(problem)") }
    }

    // MARK: Complete ones

    /// R2 and R6 to R11, as far as the statement alone shows.
    func checkCompleteness() throws(EvidenceError) {
        try checkCoverage()
        try checkSettled()
        try checkPasses()
        try checkTimes()
    }

    private func checkCoverage() throws(EvidenceError) {
        let places = Set(facts.coverage.map(\.place))
        guard !facts.databases.isEmpty else {
            throw EvidenceError(.coverage, "R9: no database is in scope")
        }
        for container in facts.containers {
            for database in facts.databases {
                guard let kinds = Self.required[database] else {
                    throw EvidenceError(.coverage, "R9: unknown database")
                }
                for kind in kinds
                where !places.contains(
                    .init(container: container.identifier, database: database, kind: kind))
                {
                    throw EvidenceError(.coverage, "R9: a container has no row for \(kind)")
                }
            }
        }
        let known = Set(facts.containers.map(\.identifier))
        guard facts.coverage.allSatisfy({ known.contains($0.place.container) }) else {
            throw EvidenceError(.coverage, "R9: a row is about a container that is not in scope")
        }
    }

    private func checkSettled() throws(EvidenceError) {
        for row in facts.coverage {
            let counts = row.counts
            guard row.outcome.isSettled, counts.left == 0, counts.failed == 0 else {
                throw EvidenceError(
                    .notComplete, "R10: the verdict is complete, but a row is not: \(name(row))")
            }
            guard
                !Self.hasSteps(row.place.kind)
                    || counts.planned == counts.deleted + counts.alreadyGone
            else {
                throw EvidenceError(
                    .plannedSum, "R2: the plan differs from what was deleted: \(name(row))")
            }
            guard counts.kept == 0 || row.reason != nil else {
                throw EvidenceError(
                    .notComplete,
                    "R10: something is kept without a rule: \(name(row))")
            }
        }
        guard !facts.allowedPartial, facts.failures == 0, facts.run.exitStatus == 0 else {
            throw EvidenceError(
                .notComplete, "R10: the verdict is complete, but the run was partial or failed")
        }
        if let plan = facts.plan, plan.approvedAt != nil, plan.approvals?.suffice == false {
            throw EvidenceError(
                .notComplete, "R10: fewer different keys have signed the plan than required")
        }
        guard facts.containers.allSatisfy({ Hexadecimal.decode($0.user)?.count == 16 }) else {
            throw EvidenceError(
                .notComplete,
                "R10: the verdict is complete, but the user is unknown")
        }
    }

    /// The passes that a complete statement rests on.
    private var lastPasses: ArraySlice<EvidencePass> {
        facts.passes.suffix(max(1, facts.passRule.clean))
    }

    private func checkPasses() throws(EvidenceError) {
        let rows = facts.containers.count * facts.databases.count
        let last = lastPasses
        guard last.count == max(1, facts.passRule.clean),
            last.allSatisfy({ $0.isClean && $0.rows >= rows })
        else {
            throw EvidenceError(.passes, "R6: too few consecutive clean passes")
        }
        guard facts.passes.map(\.number) == Array(1...facts.passes.count) else {
            throw EvidenceError(.passes, "R6: a pass is missing")
        }
        guard last.allSatisfy({ $0.requests >= facts.containers.count }) else {
            throw EvidenceError(
                .passRequests,
                "R8: a pass sent less than one request per container")
        }
        for (pass, next) in zip(last, last.dropFirst()) {
            // Clocks are set while programs run: a tenth less is not held against anybody.
            let gap = next.beganAt.milliseconds - pass.endedAt.milliseconds
            guard gap >= facts.passRule.pauseMilliseconds / 10 * 9 else {
                throw EvidenceError(
                    .passTimes, "R7: passes overlap, or follow each other sooner than declared")
            }
        }
        guard facts.passes.allSatisfy({ $0.beganAt <= $0.endedAt }) else {
            throw EvidenceError(.passTimes, "R7: a pass ends before it begins")
        }
    }

    private func checkTimes() throws(EvidenceError) {
        let run = facts.run
        guard run.beganAt <= run.endedAt, run.endedAt <= facts.signedAt,
            let lastPass = facts.passes.last, lastPass.endedAt <= facts.signedAt,
            facts.passes.allSatisfy({ run.beganAt <= $0.beganAt })
        else { throw EvidenceError(.times, "R11: it was signed before the run ended") }
        guard let plan = facts.plan else { return }
        guard let approvedAt = plan.approvedAt else {
            guard plan.steps == 0 || facts.counts.deleted == 0 else {
                throw EvidenceError(.times, "R11: something was deleted without an approval")
            }
            return
        }
        guard plan.createdAt <= approvedAt, approvedAt <= plan.expiresAt,
            let pass = lastPasses.first, approvedAt <= pass.beganAt
        else {
            throw EvidenceError(
                .times,
                "R11: the plan was approved before it was made, after it expired or after it "
                    + "was executed")
        }
    }

    // MARK: With the events

    /// R4, R5, R7 and R11, as the events show. Only complete statements are held to these: of a run that
    /// was cut short the rows know less than the events.
    func checkCompleteness(_ tally: EventTally) throws(EvidenceError) {
        let sums = tally.sums
        let rows = facts.coverage.filter {
            $0.place.subject == nil && Self.hasSteps($0.place.kind)
        }
        for row in rows {
            let sum = sums[row.place] ?? (0, 0)
            guard row.counts.deleted == sum.deleted, row.counts.alreadyGone == sum.alreadyGone
            else {
                throw EvidenceError(
                    .eventCounts, "R4: the events record other deletions: \(name(row))")
            }
        }
        guard Set(sums.keys).isSubset(of: Set(rows.map(\.place))) else {
            throw EvidenceError(.eventCounts, "R4: the events name a location without a row")
        }
        let planned = facts.plan?.approvedAt == nil ? 0 : facts.plan?.steps ?? 0
        guard tally.steps == planned else {
            throw EvidenceError(
                .steps, "R5: \(planned) steps were approved, and \(tally.steps) have an outcome")
        }
        guard (tally.last ?? facts.signedAt) <= facts.signedAt else {
            throw EvidenceError(.times, "R11: it was signed before the last event")
        }
        if let last = tally.lastOutcome, let pass = lastPasses.first, pass.beganAt < last {
            throw EvidenceError(.passTimes, "R7: a pass began before the last deletion")
        }
        if let first = tally.firstOutcome, let approved = facts.plan?.approvedAt, first < approved {
            throw EvidenceError(.times, "R11: something was deleted before it was approved")
        }
    }

    /// Kinds of rows that no step of a plan names: shares and assets are deleted with the zone or record
    /// that holds them, donations on this machine. Their counts are those of the scans.
    private static let withoutSteps: Set<String> = [
        "shares with others", "assets", "local donations",
    ]

    private static func hasSteps(_ kind: String) -> Bool { !withoutSteps.contains(kind) }

    /// What a row is called in an error: nothing of it is shown that could be anything.
    private func name(_ row: EvidenceRow) -> String {
        let index = facts.coverage.firstIndex { $0.place == row.place } ?? 0
        return "row \(index)"
    }
}
