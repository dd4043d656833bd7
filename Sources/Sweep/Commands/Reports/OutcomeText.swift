import CommandLine
import SweepEngine

/// How a run ended, in words for others than the operator: of its numbers alone, because the sentence
/// that a run ends with may name something.
struct OutcomeText: Sendable {
    let headline: String
    let sentence: String
    let tone: Tone

    enum Tone: String, Sendable {
        case good
        case open
        case bad
    }

    private init(_ headline: String, _ sentence: String, _ tone: Tone) {
        self.headline = headline
        self.sentence = sentence
        self.tone = tone
    }

    init(_ redacted: RedactedReport) {
        let report = redacted.report
        let plain = Self.plain(report)
        // What was done to nobody's data is no good news.
        let isRehearsal = report.server?.isRehearsal == true
        headline = isRehearsal ? "Rehearsal: " + plain.headline.lowercased() : plain.headline
        sentence = plain.sentence
        tone = isRehearsal && plain.tone == .good ? .open : plain.tone
    }

    private static func plain(_ report: SweepReport) -> Self {
        switch report.status {
        case .done: Self.done(report)
        case .somethingToDelete:
            Self(
                "Not deleted yet",
                "Data to delete was found. This run only scanned.", .open)
        case .partlyFailed:
            Self(
                "Not complete",
                "Something could not be deleted or could not be scanned.", .bad)
        case .dataLeft:
            Self(
                "Not complete",
                "A verification pass still found data, or could not scan everything.", .bad)
        case .discoveryIncomplete:
            Self(
                "Not started",
                "Something in scope could not be listed, so nothing was deleted.", .bad)
        case .refused:
            Self("Refused", "A safeguard stopped the run.", .bad)
        case .notSignedIn:
            Self("Not complete", "The user was not signed in, or the sign-in had expired.", .bad)
        case .outOfTime, .interrupted, .terminated:
            Self("Interrupted", "The run was stopped before it finished.", .bad)
        case .internalError, .usage, .locked, .evidenceInvalid, .followUpFailed:
            Self("Failed", "The run failed before it finished.", .bad)
        }
    }

    private static func done(_ report: SweepReport) -> Self {
        if report.rows.contains(where: { $0.outcome == .exported }) {
            return Self(
                "Exported", "Everything in scope was read and exported. Nothing was deleted.",
                .good)
        }
        guard !report.passes.isEmpty else {
            return Self("Nothing to delete", "Everything in scope was scanned.", .good)
        }
        let kept = report.tally.kept
        let but = kept == 0 ? "" : " except \(Counts.some(kept, "item")) that rules keep"
        // Earlier passes may have found data whose deletion took time.
        let clean = report.passes.reversed().prefix { $0.isClean }.count
        let passes = "\(clean) verification pass\(clean == 1 ? "" : "es")"
        if report.tally.deleted == 0 {
            return Self(
                "Empty",
                "Everything in scope is empty\(but). \(passes) found nothing.", .good)
        }
        return Self(
            "Deleted and verified",
            "Everything in scope was deleted\(but). \(passes) after the last deletion found "
                + "nothing.", .good)
    }
}
