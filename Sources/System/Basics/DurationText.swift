/// Lengths of time as people write them.
package enum DurationText {
    /// Reads `90` (seconds), `250ms`, `90s`, `15m`, `2h`, `1h30m`, `31d`, `2w`; nil for anything else.
    ///
    /// - Parameter most: What is longer is refused too; a thousand years at most.
    package static func parse(
        _ text: String, upTo most: Duration = .seconds(366 * 86_400)
    ) -> Duration? {
        let units: [(String, Int64)] = [
            ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
            ("w", 7 * 86_400_000),
        ]
        let millisecondsMax = min(milliseconds(most), 366_000 * 86_400_000)
        if let seconds = Int64(text) {
            return (0...millisecondsMax / 1000).contains(seconds) && !text.hasPrefix("+")
                ? .seconds(seconds) : nil
        }
        var total: Int64 = 0
        var rest = Substring(text)
        var unitBefore = Int64.max
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard !digits.isEmpty, digits.count <= 9, let number = Int64(digits) else { return nil }
            rest = rest.dropFirst(digits.count)
            let letters = rest.prefix { $0.isLetter }
            guard let unit = units.first(where: { $0.0 == letters })?.1, unit < unitBefore else {
                return nil
            }
            rest = rest.dropFirst(letters.count)
            total += number * unit
            unitBefore = unit
        }
        guard !text.isEmpty, total <= millisecondsMax else { return nil }
        return .milliseconds(total)
    }

    /// `340 ms`, `4.2 s`, `3 min 05 s`, `2 h 10 min`
    package static func render(_ duration: Duration) -> String {
        let milliseconds = Self.milliseconds(duration)
        if milliseconds < 1000 { return "\(max(0, milliseconds)) ms" }
        if milliseconds < 60_000 {
            return "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s"
        }
        let seconds = milliseconds / 1000
        if seconds < 3600 {
            let rest = seconds % 60
            return "\(seconds / 60) min \(rest < 10 ? "0" : "")\(rest) s"
        }
        let minutes = seconds / 60
        let rest = minutes % 60
        return "\(minutes / 60) h \(rest < 10 ? "0" : "")\(rest) min"
    }

    /// Whole milliseconds, rounded down.
    package static func milliseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
