import CloudCourier
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
                "Data was found that is to be deleted. This run only looked.", .open)
        case .partlyFailed:
            Self(
                "Not complete",
                "Something could not be deleted, or could not be looked at.", .bad)
        case .dataLeft:
            Self(
                "Not complete",
                "A later look still found data, or could not look everywhere.", .bad)
        case .discoveryIncomplete:
            Self(
                "Not begun",
                "Something in scope could not be listed, and so nothing was deleted.", .bad)
        case .refused:
            Self("Refused", "A safeguard did not let the run go on.", .bad)
        case .notSignedIn:
            Self("Not complete", "The person's sign-in was missing, or had ended.", .bad)
        case .outOfTime, .interrupted, .terminated:
            Self("Cut short", "The run was stopped before it came to its end.", .bad)
        case .internalError, .usage, .locked, .evidenceInvalid, .followUpFailed:
            Self("Failed", "The run failed before it came to its end.", .bad)
        }
    }

    private static func done(_ report: SweepReport) -> Self {
        if report.rows.contains(where: { $0.outcome == .exported }) {
            return Self(
                "Exported", "Everything in scope was read and written out. Nothing was deleted.",
                .good)
        }
        guard !report.passes.isEmpty else {
            return Self("Nothing to delete", "Everything in scope was looked at.", .good)
        }
        let kept = report.tally.kept
        let but = kept == 0 ? "" : " but for \(Counts.some(kept, "thing")) that rules keep"
        // Earlier looks may have found something that took its time to go.
        let clean = report.passes.reversed().prefix { $0.isClean }.count
        let looks = Counts.some(clean, "fresh look")
        if report.tally.deleted == 0 {
            return Self(
                "Empty",
                "Everything in scope is empty\(but), by \(looks) at all of it.", .good)
        }
        return Self(
            "Deleted and verified",
            "Everything in scope is gone\(but). After the last deletion, \(looks) at all of it "
                + "found nothing.", .good)
    }
}
