package import Basics

/// When a person asked for the deletion, and under which law: the operator's own word.
package struct ErasureRequest: Sendable, Hashable {
    package let receivedOn: CivilDate
    package let regime: Regime

    package init(receivedOn: CivilDate, regime: Regime) {
        self.receivedOn = receivedOn
        self.regime = regime
    }

    /// The last day on which an answer is in time.
    package var due: CivilDate { regime.due(receivedOn: receivedOn) }
    /// The same, where the person was told that it takes longer.
    package var dueIfExtended: CivilDate { regime.dueIfExtended(receivedOn: receivedOn) }

    /// Whole days from the day of `now` to ``due``; 0 on the last day, negative once it is over.
    package func daysLeft(at now: Timestamp) -> Int {
        due.daysSince1970 - Int(now.milliseconds.quotientFloor(86_400_000))
    }

    // MARK: Text

    /// `2026-01-31 gdpr`, as journals keep it.
    package var text: String { "\(receivedOn.iso8601) \(regime.rawValue)" }

    /// Reads ``text``; nil for anything else.
    package init?(text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 2, let day = CivilDate(iso8601: words[0]),
            let regime = Regime(rawValue: words[1])
        else { return nil }
        self.init(receivedOn: day, regime: regime)
    }
}
