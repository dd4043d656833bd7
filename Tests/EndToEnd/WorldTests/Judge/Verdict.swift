import Basics
import SweepEngine

/// What the engine says of a command. What a row is about and how it ends are the engine's own types,
/// so that nothing is looked for by its words.
struct Verdict: Sendable {
    struct Row: Sendable, Hashable {
        let container: String
        let scope: String
        let kind: CoverageRow.Kind
        let subject: String?
        let outcome: CoverageRow.Outcome
        let found: Int
        let deleted: Int
        let alreadyGone: Int
        let kept: Int
        let left: Int
        let failed: Int
    }

    let status: ExitStatus
    let explanation: String
    let rows: [Row]
    /// When the last pass of the verification began, in the world's milliseconds.
    let lastPass: Int64?
    let passes: Int
    let canResume: Bool
    /// Rules that match nothing that is there.
    let unmatched: [Wish.Rule]
    /// Whether something that is kept, or something of other people's, would go along.
    let takesKept: Bool
    let takesOthers: Bool
    let run: String?

    init(_ report: SweepReport) {
        status = report.status
        explanation = report.explanation
        rows = report.rows.map {
            Row(
                container: $0.container.rawValue, scope: $0.scope.rawValue, kind: $0.kind,
                subject: $0.subject, outcome: $0.outcome, found: $0.found,
                deleted: $0.deleted, alreadyGone: $0.alreadyGone, kept: $0.kept, left: $0.left,
                failed: $0.failed)
        }
        lastPass = report.passes.last?.began.milliseconds
        passes = report.passes.count
        canResume = report.canResume
        unmatched = report.unmatchedRules.map {
            Wish.Rule(container: $0.container?.rawValue, zone: $0.zone, type: $0.recordType)
        }
        takesKept = report.cascade.kept > 0
        takesOthers = report.cascade.othersRefused > 0
        run = report.runID
    }

    var isDone: Bool { status == .done }
    /// Whether the command says that it deleted nothing.
    var saysNothingDeleted: Bool {
        [.usage, .refused, .discoveryIncomplete].contains(status)
    }
}
