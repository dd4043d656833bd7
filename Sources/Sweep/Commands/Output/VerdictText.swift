package import Basics
package import CloudModel
package import CommandLine
package import SweepEngine

/// How a run ended, in one sentence, with the server it was about: the last thing that is said of it.
package struct VerdictText: Sendable {
    private let report: SweepReport
    /// Whether what was to follow it failed, though the run itself is done and verified.
    private let followUpFailed: Bool
    private let facts: ServerFacts?

    /// - Parameter server: The server that was meant, where the report has none: no run began.
    package init(
        _ report: SweepReport, followUpFailed: Bool = false, at server: ServerFacts? = nil
    ) {
        self.report = report
        self.followUpFailed = followUpFailed
        facts = report.server ?? server
    }

    /// `DONE: everything in scope was deleted and verified empty; REHEARSAL at URL, not Apple's service`
    package func lines(_ style: Style) -> [String] {
        let (word, tone) =
            followUpFailed ? Self.headline(.followUpFailed) : Self.headline(report.ending)
        let but = followUpFailed ? "a follow-up action failed, see above" : nil
        let parts = [Visible.text(report.explanation), donations, but, consequence, server]
            .compactMap { $0 }
        return style.verdict(word, tone, parts.joined(separator: "; "))
    }

    /// Donations that go with what the plan names: its totals are of what is in the cloud. A plan of
    /// donations alone names them itself.
    private var donations: String? {
        let rest = Remainder(report)
        guard rest.isBeforeDeletion, report.plan?.totals.nothingToDelete == false,
            report.status == .somethingToDelete || report.status == .discoveryIncomplete
        else { return nil }
        let count = report.rows.filter { $0.kind == .donations }
            .reduce(0) { $0 + rest.toDelete($1) }
        return Counts.of(count, "local donation").map {
            "\($0) \(count == 1 ? "is" : "are") to be deleted as well"
        }
    }

    private var server: String? {
        facts.map {
            $0.isRehearsal ? "REHEARSAL at \($0.url), not Apple's service" : "at \($0.url)"
        }
    }

    /// What did not happen, where somebody might fear it; nil: numbers say what did.
    private var consequence: String? {
        if case .recorded = report.ending { return nil }
        guard !report.hasBegun else { return nil }
        switch report.status {
        case .internalError, .usage, .refused, .discoveryIncomplete, .notSignedIn, .outOfTime,
            .locked, .interrupted, .terminated:
            return report.requests == 0
                ? "no request was sent; nothing was deleted" : "nothing was deleted"
        case .done, .partlyFailed, .dataLeft, .somethingToDelete, .evidenceInvalid,
            .followUpFailed:
            return nil
        }
    }

    private static func headline(_ ending: Ending) -> (String, Style.Tone) {
        switch ending {
        case .nothingToDelete: ("NOTHING TO DELETE", .good)
        case .exported(let receipt) where receipt.isComplete: ("EXPORTED", .good)
        case .proven, .short, .recorded, .exported: headline(ending.status)
        }
    }

    /// The word a verdict begins with.
    package static func headline(_ status: ExitStatus) -> (String, Style.Tone) {
        switch status {
        case .done: ("DONE", .good)
        case .internalError: ("INTERNAL ERROR", .bad)
        case .usage: ("NOT STARTED", .bad)
        case .refused: ("REFUSED", .bad)
        case .discoveryIncomplete: ("INCOMPLETE", .bad)
        case .partlyFailed: ("PARTLY DONE", .bad)
        case .dataLeft: ("DATA LEFT", .bad)
        case .notSignedIn: ("NOT SIGNED IN", .bad)
        case .outOfTime: ("OUT OF TIME", .caution)
        case .locked: ("LOCKED", .caution)
        case .somethingToDelete: ("TO DELETE", .caution)
        case .evidenceInvalid: ("EVIDENCE INVALID", .bad)
        case .followUpFailed: ("FOLLOW-UP FAILED", .caution)
        case .interrupted, .terminated: ("INTERRUPTED", .caution)
        }
    }
}
