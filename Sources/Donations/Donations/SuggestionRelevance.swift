package import Basics

/// When a relevant shortcut matters, in thousandths.
///
/// Relevance begins twelve hours before a date, rises evenly to 1000 at the date, stays there
/// until the end that was given, and is halved for every half hour after it, down to nothing.
/// Several providers of one shortcut are intersected: the least of them counts.
package struct SuggestionRelevance: Sendable, Hashable {
    /// Where the person is in the day.
    package enum Routine: String, Sendable, CaseIterable {
        case morning
        case evening
        case home
        case work
        case school
        case gym
    }

    /// One condition.
    package enum Provider: Sendable, Hashable {
        /// A date, or a span when `end` is later.
        case date(start: Timestamp, end: Timestamp?)
        /// A place, by the name the circumstances give it.
        case place(String)
        case routine(Routine)
    }

    /// What is known of the moment.
    package struct Circumstances: Sendable, Hashable {
        package let now: Timestamp
        package let secondsFromGMT: Int
        /// Names of the places the person is at; nil when nobody knows.
        package let places: Set<String>?
        /// Routines that something else has noticed, beside the time of day.
        package let routines: Set<Routine>

        package init(
            now: Timestamp, secondsFromGMT: Int = 0, places: Set<String>? = nil,
            routines: Set<Routine> = []
        ) {
            self.now = now
            self.secondsFromGMT = secondsFromGMT
            self.places = places
            self.routines = routines
        }
    }

    package let providers: [Provider]

    package init(_ providers: [Provider]) { self.providers = providers }

    /// 0...1000; a shortcut without providers is always a little relevant: 1.
    package func value(in circumstances: Circumstances) -> Int {
        providers.map { Self.value(of: $0, in: circumstances) }.min() ?? 1
    }

    private static let approachMax: Int64 = 12 * 3_600_000

    private static func value(of provider: Provider, in circumstances: Circumstances) -> Int {
        switch provider {
        case .date(let start, let end):
            return value(
                at: circumstances.now.milliseconds, start: start.milliseconds,
                end: max(start, end ?? start).milliseconds)
        case .place(let name):
            return circumstances.places?.contains(name) == true ? 1000 : 0
        case .routine(let routine):
            if circumstances.routines.contains(routine) { return 1000 }
            let slot = SuggestionSlot(
                circumstances.now, secondsFromGMT: circumstances.secondsFromGMT)
            switch routine {
            case .morning: return (5..<11).contains(slot.hour) ? 1000 : 0
            case .evening: return (17..<23).contains(slot.hour) ? 1000 : 0
            case .home, .work, .school, .gym: return 0
            }
        }
    }

    private static func value(at now: Int64, start: Int64, end: Int64) -> Int {
        let (ahead, isFar) = start.subtractingReportingOverflow(now)
        if isFar { return 0 }
        if ahead > 0 {
            return ahead >= approachMax ? 0 : Int((approachMax - ahead) * 1000 / approachMax)
        }
        let (after, isLongAgo) = now.subtractingReportingOverflow(end)
        if isLongAgo { return 0 }
        return after <= 0 ? 1000 : 1000 >> min(Int(after / 1_800_000), 20)
    }
}
