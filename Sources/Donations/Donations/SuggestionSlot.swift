package import Basics

/// One of the 168 hours of a week, in local time.
package struct SuggestionSlot: Sendable, Hashable, Comparable {
    /// From 0, Sunday.
    package let weekday: Int
    /// 0...23
    package let hour: Int

    /// How many there are.
    package static let count = 168

    /// - Parameter secondsFromGMT: What the local clock shows beyond UTC.
    package init(_ moment: Timestamp, secondsFromGMT: Int = 0) {
        let hours = Self.quotient(
            moment.milliseconds.subtractingCapped(Int64(secondsFromGMT) * -1000), 3_600_000)
        // 1970-01-01 was a Thursday.
        let hourOfWeek = hours &+ 4 * 24
        let index = Int(hourOfWeek - Self.quotient(hourOfWeek, 168) * 168)
        self.init(index: index)
    }

    /// `weekday * 24 + hour`
    package init(index: Int) {
        precondition((0..<Self.count).contains(index), "a week has 168 hours")
        weekday = index / 24
        hour = index % 24
    }

    package var index: Int { weekday * 24 + hour }

    package static func < (left: SuggestionSlot, right: SuggestionSlot) -> Bool {
        left.index < right.index
    }

    /// How near two slots are, as the points that an occurrence in the one gives in the other.
    ///
    /// Within an hour of the time of day: 4 on the same weekday, 2 on another; else 0.
    package func points(for other: SuggestionSlot) -> Int {
        let apart = abs(hour - other.hour)
        guard min(apart, 24 - apart) <= 1 else { return 0 }
        return weekday == other.weekday ? 4 : 2
    }

    /// The slots whose occurrences give points, as ranges of ``index`` with the points of each.
    package var neighbourhood: [(range: ClosedRange<Int>, points: Int)] {
        var ranges: [(range: ClosedRange<Int>, points: Int)] = []
        for index in 0..<Self.count {
            let points = points(for: SuggestionSlot(index: index))
            guard points > 0 else { continue }
            if let last = ranges.last, last.points == points, last.range.upperBound == index - 1 {
                ranges[ranges.count - 1].range = last.range.lowerBound...index
            } else {
                ranges.append((index...index, points))
            }
        }
        return ranges
    }

    /// Division rounding down.
    private static func quotient(_ value: Int64, _ divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }
}

extension Int64 {
    /// The difference, or the nearest number there is.
    fileprivate func subtractingCapped(_ other: Int64) -> Int64 {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other > 0 ? .min : .max) : difference
    }
}
