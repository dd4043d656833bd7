package import Basics
package import CloudModel
package import Configuration
package import DataExport
package import DeletionPlanning

/// How a command of the engine ended: everything a report shows, as a value.
package struct SweepReport: Sendable {
    /// One container and who is signed in there.
    package struct Subject: Sendable, Hashable {
        package let container: Container.ID
        package let userPseudonym: String
        /// What the person is called, or the user record name that the operator gave; for the
        /// confirmation on screen only, in no file.
        package let givenName: String?
        /// What evidence and reports to others call the person: a keyed digest under the run's own
        /// key; nil in reports of earlier versions.
        package let pseudonymForOthers: String?
        /// Whether anybody could say who is signed in.
        package var isKnown: Bool { userPseudonym != SweepRun.unknownPerson }

        package init(
            container: Container.ID, userPseudonym: String, givenName: String?,
            pseudonymForOthers: String? = nil
        ) {
            self.container = container
            self.userPseudonym = userPseudonym
            self.givenName = givenName
            self.pseudonymForOthers = pseudonymForOthers
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

    /// What was exported; nil: nothing was.
    package internal(set) var exported: ExportReceipt?
    /// How it ended; success takes a proof.
    package internal(set) var ending: Ending
    /// The status to exit with.
    package var status: ExitStatus { ending.status }
    /// One sentence for people.
    package var explanation: String { ending.explanation }
    package var runID: String?
    /// The server that was believed; nil when no run began.
    package var server: ServerFacts?
    /// SHA-256 of the public key in its certificate, in hexadecimal.
    package var serverKey: String?
    package var application: String?
    package var environment: Container.Environment?
    package var subjects: [Subject] = []
    package var plan: PlanFacts?
    /// The records in the zones that the plan deletes; nil: they were not counted.
    package var recordsInZones: Int?
    /// The request that the run answers, by the operator's own word.
    package var erasureRequest: ErasureRequest?
    package var rows: [CoverageRow] = []
    package var passes: [VerificationPass] = []
    /// The first 1,000; `failureCount` counts all.
    package var failures: [Failure] = []
    package var failureCount = 0
    /// Rules of the policy that matched nothing of this user.
    package var unmatchedRules: [ProtectRule] = []
    /// What goes along with the deletions.
    package var cascade = CascadeFinding.none
    /// Why the run was allowed to be partial.
    package var allowPartial: String?
    package var requests = 0
    package var retries = 0
    package var timings: [Timing] = []
    package var began: Timestamp?
    package var ended: Timestamp?
    /// The file with the evidence of the run.
    package var evidencePath: String?
    /// Whether the state folder has a key that signs evidence; nil where it was not looked for.
    package var isSigned: Bool?
    /// SHA-256 of the run's last event: the end of its evidence chain.
    package var chainHead: String?
    /// What came back, as a watch's look found it; in no file but the addendum that it names.
    package var returned: Returned?
    /// What the operator calls the case on this copy of the report: their own word, in no journal.
    package var caseReference: String?
    /// Whether requests that delete may have been sent.
    package var hasBegun = false
    /// Whether `resume` can go on with the run. Known at its end only; in no file.
    package var canResume = false

    package init(_ ending: Ending, runID: String? = nil) {
        self.ending = ending
        self.runID = runID
    }

    package static let failuresMax = 1000

    /// The sums of all rows: found = deleted + already gone + kept + exported + left +
    /// failed.
    package var tally: Tally {
        var sum = Tally()
        for row in rows {
            sum.found += row.found
            sum.deleted += row.deleted
            sum.alreadyGone += row.alreadyGone
            sum.kept += row.kept
            sum.exported += row.exported
            sum.left += row.left
            sum.failed += row.failed
            if row.outcome == .notLookedAt || row.outcome == .unproven { sum.unproven += 1 }
        }
        return sum
    }

    /// What all rows come to.
    package struct Tally: Sendable, Hashable {
        package var found = 0
        package var deleted = 0
        package var alreadyGone = 0
        package var kept = 0
        package var exported = 0
        package var left = 0
        package var failed = 0
        /// Places that were not looked at or cannot be proven.
        package var unproven = 0
        package init() {}
    }
}
