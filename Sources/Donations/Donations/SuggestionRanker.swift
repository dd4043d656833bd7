package import Basics

/// Ranks what the user may want to do next, by what was done in like circumstances.
///
/// The rules, in order:
///
/// 1. An occurrence of a pattern within an hour of the present time of day gives 4 points on the
///    same weekday and 2 on another (``SuggestionSlot/points(for:)``). Where it is known whether
///    the user is at a significant place, occurrences at such a place (or away from one,
///    likewise) count twice. What was done last, whenever, is suggested after all that.
/// 2. Points are halved for every four weeks since the pattern was last repeated at such a time.
/// 3. A more specific parameter combination replaces a more general one when it fits: when it
///    holds more than half of the general one's score. Otherwise the general one stands for it.
/// 4. Equal scores: the more specific first, then the later one, then by the pattern's bytes.
///
/// The same occurrences in any order give the same answer. What is not among the occurrences,
/// such as a deleted donation, is never in it.
///
/// - SeeAlso: <https://developer.apple.com/videos/play/wwdc2018/211/>
package struct SuggestionRanker: Sendable {
    /// Occurrences of one pattern that give the same points.
    package struct Group: Sendable, Hashable {
        package let mark: SuggestionMark
        package let points: Int
        package let count: Int
        /// Those whose place is like the present one; 0 when that is not known.
        package let countAtPlace: Int
        package let latest: Timestamp
        package let donation: Int64

        package init(
            mark: SuggestionMark, points: Int, count: Int, countAtPlace: Int, latest: Timestamp,
            donation: Int64
        ) {
            self.mark = mark
            self.points = points
            self.count = count
            self.countAtPlace = countAtPlace
            self.latest = latest
            self.donation = donation
        }
    }

    /// The moment to suggest for.
    package let now: Timestamp
    /// By mark: the number itself is hashed faster than a value around it.
    private var candidates: [UInt64: SuggestionCandidate] = [:]

    /// The candidates of which patterns are compared; more are not looked at.
    package static let candidatesMax = 32
    /// The latest donations that are candidates even if none like them was made at this time.
    package static let recentMax = 32

    package init(now: Timestamp) { self.now = now }

    /// Adds occurrences; groups of one pattern may come apart and in any order.
    package mutating func add(_ group: Group) {
        candidates[
            group.mark.rawValue,
            default: SuggestionCandidate(
                mark: group.mark, latest: group.latest, donation: group.donation)
        ].add(group)
    }

    /// The best candidates by score, whatever their patterns are.
    package var best: [SuggestionCandidate] {
        var kept: [(score: Int, candidate: SuggestionCandidate)] = []
        // What is worse than this cannot be among the best; most are dropped at once.
        var bar: (score: Int, candidate: SuggestionCandidate)?
        for candidate in candidates.values {
            let entry = (score: candidate.score(at: now), candidate: candidate)
            if let bar, !Self.isBetter(entry, bar) { continue }
            kept.append(entry)
            guard kept.count >= 4 * Self.candidatesMax else { continue }
            kept.sort(by: Self.isBetter)
            kept.removeLast(kept.count - Self.candidatesMax)
            bar = kept.last
        }
        kept.sort(by: Self.isBetter)
        return kept.prefix(Self.candidatesMax).map { $0.candidate }
    }

    private static func isBetter(
        _ left: (score: Int, candidate: SuggestionCandidate),
        _ right: (score: Int, candidate: SuggestionCandidate)
    ) -> Bool {
        if left.score != right.score { return left.score > right.score }
        let (one, other) = (left.candidate, right.candidate)
        if one.latest != other.latest { return one.latest > other.latest }
        if one.donation != other.donation { return one.donation > other.donation }
        return one.mark.rawValue > other.mark.rawValue
    }

    /// Compares patterns: rules 3 and 4.
    ///
    /// - Parameter candidates: Each with the pattern of its donation.
    package func ranked(
        _ candidates: [(candidate: SuggestionCandidate, pattern: SuggestionPattern)]
    ) -> [RankedSuggestion] {
        let all = candidates.map { entry in
            RankedSuggestion(
                pattern: entry.pattern, score: entry.candidate.score(at: now),
                candidate: entry.candidate)
        }
        let unreplaced = all.filter { general in
            !all.contains { special in
                2 * special.score > general.score
                    && special.pattern.specialises(general.pattern)
            }
        }
        let shown = unreplaced.filter { special in
            !unreplaced.contains { special.pattern.specialises($0.pattern) }
        }
        return shown.sorted { $0.precedes($1) }
    }
}

/// A pattern and how well it fits the moment.
package struct RankedSuggestion: Sendable, Hashable {
    package let pattern: SuggestionPattern
    /// Only good for comparing; 0 when nothing like it was done at this time or on this weekday.
    package let score: Int
    package let candidate: SuggestionCandidate

    fileprivate func precedes(_ other: RankedSuggestion) -> Bool {
        if score != other.score { return score > other.score }
        if pattern.specificity != other.pattern.specificity {
            return pattern.specificity > other.pattern.specificity
        }
        if candidate.latest != other.candidate.latest {
            return candidate.latest > other.candidate.latest
        }
        return pattern < other.pattern
    }
}
