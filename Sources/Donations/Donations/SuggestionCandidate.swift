package import Basics

/// How often one pattern was repeated in circumstances like the present ones.
package struct SuggestionCandidate: Sendable, Hashable {
    package let mark: SuggestionMark
    /// The sum of ``SuggestionSlot/points(for:)`` over its occurrences.
    package private(set) var points = 0
    /// Occurrences within an hour of this time of day, on any weekday.
    package private(set) var sameTime = 0
    /// Those of them on this weekday.
    package private(set) var sameTimeAndDay = 0
    /// When it happened last: near this time of day, if it ever did.
    package private(set) var latest: Timestamp
    /// The donation that stands for the pattern: the latest one.
    package private(set) var donation: Int64

    package init(mark: SuggestionMark, latest: Timestamp, donation: Int64) {
        self.mark = mark
        self.latest = latest
        self.donation = donation
    }

    /// Counts occurrences that all give the same points.
    mutating func add(_ group: SuggestionRanker.Group) {
        // What was done at this time stands before what was done later at another.
        let isNearer = group.points > 0 && points == 0
        let isAsNear = (group.points > 0) == (points > 0)
        if isNearer || (isAsNear && (group.latest, group.donation) > (latest, donation)) {
            latest = group.latest
            donation = group.donation
        }
        points += group.points * (group.count + group.countAtPlace)
        if group.points >= 2 { sameTime += group.count }
        if group.points >= 4 { sameTimeAndDay += group.count }
    }

    /// Points, halved for every four weeks since ``latest``.
    package func score(at now: Timestamp) -> Int {
        let weeks = max(0, now.milliseconds - latest.milliseconds) / 604_800_000
        return (points << 10) >> min(Int(weeks / 4), 40)
    }
}
