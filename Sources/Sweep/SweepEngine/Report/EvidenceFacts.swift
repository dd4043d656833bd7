import Basics
import CloudModel
import DeletionPlanning
import Evidence
import Journal
import OpenSSL

/// Puts together what a statement says, from a run and its report.
struct EvidenceFacts: Sendable {
    let run: SweepRun
    let report: SweepReport

    private var environment: Container.Environment { run.request.environment }

    /// - Parameters:
    ///   - events: What the run's events come to.
    ///   - continues: The digest of what an earlier part of the run signed.
    /// - Throws: why the journal cannot be read.
    func make(
        _ events: EventDigest, continues: String?
    ) async throws(SweepFailure) -> ErasureFacts {
        let planned = try await RowNumbers.read(run).outcomes
        let now = run.world.wallClock.now
        var facts = ErasureFacts(
            run: .init(
                id: run.row.id, verb: run.verb.rawValue,
                nonce: Hexadecimal.encode(SecureRandom.bytes(16)), beganAt: run.row.began,
                endedAt: report.ended ?? now, exitStatus: Int(report.status.rawValue)),
            signedAt: now, toolVersion: run.world.toolVersion,
            toolBuild: run.world.toolBuild(), clockSkew: run.world.clockSkew(),
            service: ServiceFacts(run.world.server, keyDigest: run.row.serverKey),
            environment: environment.rawValue, containers: containers,
            databases: Set(run.request.scopes).sorted().map(\.rawValue),
            coverage: report.rows.map { row($0, planned) }, plan: try await plan(),
            requests: report.requests, retries: report.retries,
            passes: run.passes.map(EvidencePass.init),
            passRule: .init(
                clean: max(1, run.request.limits.cleanPasses),
                pauseMilliseconds: run.request.limits.verifyPause.wholeMilliseconds),
            allowedPartial: run.request.allowPartial != nil, failures: report.failureCount,
            events: events, ledger: nil, continues: continues,
            pseudonymKey: run.caseKey.digest)
        facts.request = run.erasureRequest.map {
            .init(
                receivedOn: $0.receivedOn.iso8601, due: $0.due.iso8601,
                regime: $0.regime.rawValue)
        }
        return facts
    }

    private var containers: [ErasureFacts.Subject] {
        run.request.targets.map { target in
            ErasureFacts.Subject(
                identifier: target.container.rawValue, user: run.casePseudonym(target.container))
        }.sorted { $0.identifier < $1.identifier }
    }

    private func plan() async throws(SweepFailure) -> ErasureFacts.Plan? {
        guard let plan = report.plan else { return nil }
        let approvedAt: Timestamp?
        do throws(JournalError) {
            approvedAt = try await run.journal.approval(run: run.row.key)?.at
        } catch {
            throw .journal(error)
        }
        var facts = ErasureFacts.Plan(
            digest: plan.digest, nonce: plan.nonce, createdAt: plan.created,
            expiresAt: plan.expires, steps: plan.totals.steps, approvedAt: approvedAt)
        facts.approvals = try approvals(of: plan)
        return facts
    }

    /// Who has signed the plan; nil: nobody had to.
    private func approvals(of plan: PlanFacts) throws(SweepFailure) -> ErasureFacts.Approvals? {
        let needed = run.request.policy.approvals.count
        guard needed > 0 else { return nil }
        return ErasureFacts.Approvals(
            needed: needed,
            by: try run.countingApprovals(plan).map {
                .init(key: $0.key.id, envelope: $0.digest)
            })
    }

    private func row(_ row: CoverageRow, _ planned: [RowKey: ItemCounts]) -> EvidenceRow {
        var counts = EvidenceCounts()
        counts.found = row.found
        counts.deleted = row.deleted
        counts.alreadyGone = row.alreadyGone
        counts.kept = row.kept
        counts.left = row.left
        counts.failed = row.failed
        counts.planned = self.planned(row, planned)
        return EvidenceRow(
            place: .init(
                container: row.container.rawValue, database: row.scope.rawValue,
                kind: row.kind.rawValue, subject: row.subject(under: run.caseKey, environment)),
            outcome: Self.outcome(row.outcome), code: row.code?.rawValue,
            reason: row.reasonForOthers, counts: counts)
    }

    /// How many things of a row the plan's steps named. Of donations, as many as were deleted: they are
    /// deleted by rules of their own.
    private func planned(_ row: CoverageRow, _ planned: [RowKey: ItemCounts]) -> Int {
        guard row.kind != .donations else { return row.deleted + row.alreadyGone }
        guard row.subject == nil, run.verb.deletes,
            let index = run.request.targets.firstIndex(where: { $0.container == row.container }),
            let sum = planned[RowKey(container: index, scope: row.scope, kind: row.kind)]
        else { return 0 }
        return sum.pending + sum.deleted + sum.alreadyGone + sum.failed + sum.deferred
    }

    private static func outcome(_ outcome: CoverageRow.Outcome) -> EvidenceRow.Outcome {
        switch outcome {
        case .deleted: .deleted
        case .alreadyGone: .alreadyGone
        case .empty: .empty
        case .kept: .kept
        case .left: .left
        case .failed: .failed
        case .notLookedAt: .notLookedAt
        case .unproven: .unproven
        case .notInScope: .notInScope
        // An export deletes nothing, and so leaves no evidence of a deletion.
        case .toDelete, .exported: .toDelete
        }
    }
}

extension EvidencePass {
    /// What evidence says of a pass.
    init(_ pass: Pass) {
        self.init(
            number: pass.record.number, beganAt: pass.record.began, endedAt: pass.record.ended,
            requests: pass.record.requests,
            rows: pass.inventory.findings.values.count { $0.isComplete },
            unread: pass.record.unread, left: pass.record.left)
    }
}

extension CaseKey {
    /// The pseudonym of a zone.
    func zone(
        _ name: String, in container: Container.ID, _ environment: Container.Environment
    ) -> String {
        pseudonym(of: name, .zone, in: container.rawValue, environment.rawValue)
    }
}
