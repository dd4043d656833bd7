extension CivilDate {
    /// Reads `2026-01-31`; nil for any other form, and for days that the calendar does not have.
    package init?(iso8601 text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            (1...12).contains(month),
            (1...Self.days(inMonth: month, ofYear: year)).contains(day)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// `2026-01-31`, for the years 0 to 9999.
    package var iso8601: String {
        func padded(_ value: Int, to width: Int) -> String {
            let text = "\(value)"
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
    }
}

extension CivilDate {
    /// How many days a month has.
    ///
    /// - Parameter month: 1 to 12.
    package static func days(inMonth month: Int, ofYear year: Int) -> Int {
        let first = CivilDate(year: year, month: month, day: 1)
        let next = CivilDate(
            year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, day: 1)
        return next.daysSince1970 - first.daysSince1970
    }

    /// The same day so many months later; the last day of that month where it has no such day.
    package func adding(months: Int) -> CivilDate {
        let total = year * 12 + month - 1 + months
        let year = total.quotientFloor(12)
        let month = total - year * 12 + 1
        return CivilDate(
            year: year, month: month, day: min(day, Self.days(inMonth: month, ofYear: year)))
    }

    /// The day so many days later.
    package func adding(days: Int) -> CivilDate {
        CivilDate(daysSince1970: daysSince1970 + days)
    }
}

extension CivilDate: Comparable {
    package static func < (left: CivilDate, right: CivilDate) -> Bool {
        left.daysSince1970 < right.daysSince1970
    }
}
