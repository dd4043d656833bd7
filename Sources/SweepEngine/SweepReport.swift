package import CloudModel
package import DeletionPlanning

/// How a command of the engine ended: everything a report shows, as a value.
package struct SweepReport: Sendable {
    /// One container and who is signed in there.
    package struct Subject: Sendable, Hashable {
        package let container: Container.ID
        package let userPseudonym: String
        /// For the confirmation on screen only; in no file.
        package let givenName: String?

        package init(container: Container.ID, userPseudonym: String, givenName: String?) {
            self.container = container
            self.userPseudonym = userPseudonym
            self.givenName = givenName
        }
    }

    /// Something that could not be deleted or listed.
    package struct Failure: Sendable, Hashable {
        package let container: Container.ID
        package let scope: Database.Scope
        package let kind: CoverageRow.Kind
        /// The zone, record or subscription; nil when it is the whole request.
        package let name: String?
        package let code: CloudError.Code
        package let reason: String

        package init(
            container: Container.ID, scope: Database.Scope, kind: CoverageRow.Kind, name: String?,
            code: CloudError.Code, reason: String
        ) {
            self.container = container
            self.scope = scope
            self.kind = kind
            self.name = name
            self.code = code
            self.reason = reason
        }
    }

    /// How long a phase took.
    package struct Timing: Sendable, Hashable {
        package let phase: SweepPhase
        package let took: Duration

        package init(phase: SweepPhase, took: Duration) {
            self.phase = phase
            self.took = took
        }
    }

    package var status: ExitStatus
    /// One sentence for people.
    package var explanation: String
    package var runID: String?
    package var application: String?
    package var environment: Container.Environment?
    package var subjects: [Subject] = []
    package var plan: PlanFacts?
    package var rows: [CoverageRow] = []
    package var passes: [VerificationPass] = []
    /// The first 1,000; `failureCount` counts all.
    package var failures: [Failure] = []
    package var failureCount = 0
    /// Rules of the policy that matched nothing: probably misspelled.
    package var unmatchedRules: [ProtectRule] = []
    /// Why the run was allowed to be partial.
    package var allowPartial: String?
    package var requests = 0
    package var retries = 0
    package var timings: [Timing] = []
    package var began: Timestamp?
    package var ended: Timestamp?
    /// The file with the evidence of the run.
    package var evidencePath: String?
    /// SHA-256 of the run's last event: the end of its evidence chain.
    package var chainHead: String?
    /// Whether `resume` can go on with the run. Known at its end only; in no file.
    package var canResume = false

    package init(status: ExitStatus, explanation: String, runID: String? = nil) {
        self.status = status
        self.explanation = explanation
        self.runID = runID
    }

    package static let failuresMax = 1000

    /// `deleted A · already gone B · kept C · failed D · unverified E`
    package var tally: (deleted: Int, alreadyGone: Int, kept: Int, failed: Int, unverified: Int) {
        var sum = (deleted: 0, alreadyGone: 0, kept: 0, failed: 0, unverified: 0)
        for row in rows {
            sum.deleted += row.deleted
            sum.alreadyGone += row.alreadyGone
            sum.kept += row.kept
            sum.failed += row.failed
            if row.outcome == .unverified || row.outcome == .unreachable { sum.unverified += 1 }
        }
        return sum
    }
}
