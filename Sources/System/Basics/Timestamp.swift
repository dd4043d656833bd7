/// A moment, in milliseconds since 1970-01-01 UTC, as the service counts.
package struct Timestamp: Sendable, Hashable, Comparable {
    package let milliseconds: Int64
    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The end of the year 9999: the last moment with a text of four digits for the year.
    package static let last = Timestamp(milliseconds: 253_402_300_799_999)

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// This moment moved by whole milliseconds of `duration`. A moment that cannot be represented is the nearest
    /// that can: the service may answer with any number.
    package func advanced(by duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        let (product, isTooFar) = seconds.multipliedReportingOverflow(by: 1000)
        let whole = isTooFar ? (seconds < 0 ? Int64.min : .max) : product
        return Timestamp(
            milliseconds: Self.sum(
                Self.sum(milliseconds, whole), attoseconds / 1_000_000_000_000_000))
    }

    /// The time from `earlier` to this moment; negative when `earlier` is later.
    package func since(_ earlier: Timestamp) -> Duration {
        .milliseconds(millisecondsSince(earlier))
    }

    /// The same, in milliseconds. A difference that cannot be represented is the nearest that can.
    package func millisecondsSince(_ earlier: Timestamp) -> Int64 {
        let (difference, isTooFar) = milliseconds.subtractingReportingOverflow(
            earlier.milliseconds)
        return isTooFar ? (milliseconds < 0 ? .min : .max) : difference
    }

    private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
        let (sum, isTooFar) = left.addingReportingOverflow(right)
        return isTooFar ? (left < 0 ? .min : .max) : sum
    }

    /// `2026-01-15T08:30:00Z`: UTC, whole seconds, as request signing wants it.
    package var iso8601: String {
        let total = milliseconds.quotientFloor(1000)
        let date = CivilDate(daysSince1970: Int(total.quotientFloor(86_400)))
        let second = Int(total - total.quotientFloor(86_400) * 86_400)
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(date.iso8601)T\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))Z"
    }

    /// Reads `2026-01-15T08:30:00Z`; nil for any other form.
    package init?(iso8601 text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54,
            bytes[13] == 0x3A, bytes[16] == 0x3A, bytes[19] == 0x5A
        else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        let days = CivilDate(year: year, month: month, day: day).daysSince1970
        milliseconds = Int64(((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000)
    }
}

/// Tells what time it is; handed in, so that tests and the mock server decide.
package struct WallClock: Sendable {
    private let read: @Sendable () -> Timestamp
    package init(_ read: @escaping @Sendable () -> Timestamp) { self.read = read }

    package var now: Timestamp { read() }

    /// A clock that stands still.
    package static func fixed(_ moment: Timestamp) -> WallClock { WallClock { moment } }
}
