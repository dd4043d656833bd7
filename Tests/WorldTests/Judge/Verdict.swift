import CloudModel
import SweepEngine

/// What the engine says of a command, in the oracle's words. The only file of the judge's that
/// knows the engine.
struct Verdict: Sendable {
    struct Row: Sendable, Hashable {
        let container: String
        let scope: String
        let kind: String
        let subject: String?
        let outcome: String
        let found: Int
        let deleted: Int
        let alreadyGone: Int
        let kept: Int
        let left: Int
        let failed: Int
    }

    /// `done`, `refused`, …
    let status: String
    let explanation: String
    let rows: [Row]
    /// When the last pass of the verification began, in the world's milliseconds.
    let lastPass: Int64?
    let passes: Int
    let canResume: Bool
    let run: String?

    init(_ report: SweepReport) {
        status = "\(report.status)"
        explanation = report.explanation
        rows = report.rows.map {
            Row(
                container: $0.container.rawValue, scope: $0.scope.rawValue, kind: $0.kind.rawValue,
                subject: $0.subject, outcome: $0.outcome.rawValue, found: $0.found,
                deleted: $0.deleted, alreadyGone: $0.alreadyGone, kept: $0.kept, left: $0.left,
                failed: $0.failed)
        }
        lastPass = report.passes.last?.began.milliseconds
        passes = report.passes.count
        canResume = report.canResume
        run = report.runID
    }

    var isDone: Bool { status == "done" }
    /// Whether the command says that it deleted nothing.
    var saysNothingDeleted: Bool {
        ["usage", "refused", "discoveryIncomplete"].contains(status)
    }
}
