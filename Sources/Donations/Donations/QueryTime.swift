import Basics

/// The times a query can name, all in UTC.
package struct QueryTime: Sendable {
    /// Seconds since 1 January 1970.
    let now: Double

    private static let day = 86_400
    /// Larger offsets and dates are refused: they would leave the calendar.
    private static let offsetMax = 1_000_000_000_000

    /// The time of a name such as `today` with an offset, in seconds since 1970.
    ///
    /// `now` counts seconds; the others count whole days, weeks, months or years, and give the
    /// start of that period. Weeks begin on Monday.
    func seconds(named name: String, offset: Int) -> Double? {
        guard offset.magnitude <= Self.offsetMax, now.magnitude < Double(Self.offsetMax) else {
            return nil
        }
        if name == "now" { return now + Double(offset) }
        guard offset.magnitude <= 100_000 else { return nil }
        let today = Int((now / Double(Self.day)).rounded(.down))
        let date = CivilDate(daysSince1970: today)
        switch name {
        case "today": return start(ofDay: today + offset)
        case "yesterday": return start(ofDay: today - 1 + offset)
        case "this_week":
            // 1 January 1970 was a Thursday.
            let weekday = ((today + 3) % 7 + 7) % 7
            return start(ofDay: today - weekday + 7 * offset)
        case "this_month":
            let months = date.year * 12 + date.month - 1 + offset
            let year = months >= 0 ? months / 12 : (months - 11) / 12
            return start(of: CivilDate(year: year, month: months - year * 12 + 1, day: 1))
        case "this_year":
            return start(of: CivilDate(year: date.year + offset, month: 1, day: 1))
        default: return nil
        }
    }

    /// The time of `2026-01-31`, `2026-01-31T10:20:30`, either with `Z`, `+hh:mm` or `+hhmm`.
    static func seconds(iso text: String) -> Double? {
        var rest = text.utf8[...]
        func number(_ digits: Int) -> Int? {
            let head = rest.prefix(digits)
            guard head.count == digits, head.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
            rest = rest.dropFirst(digits)
            return head.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        func skip(_ allowed: String) -> Bool {
            guard let first = rest.first, allowed.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = number(4), skip("-"), let month = number(2), skip("-"),
            let day = number(2), (1...12).contains(month),
            (1...daysInMonth(month, year)).contains(day)
        else { return nil }
        var seconds = CivilDate(year: year, month: month, day: day).daysSince1970 * Self.day
        if skip("T ") {
            guard let hour = number(2), skip(":"), let minute = number(2), hour < 24, minute < 60
            else { return nil }
            seconds += hour * 3600 + minute * 60
            if skip(":") {
                guard let second = number(2), second < 60 else { return nil }
                seconds += second
            }
            _ = skip(" ")
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
                rest = rest.dropFirst()
                guard let hours = number(2) else { return nil }
                _ = skip(":")
                guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
                let shift = hours * 3600 + minutes * 60
                seconds -= sign == UInt8(ascii: "+") ? shift : -shift
            } else {
                _ = skip("Z")
            }
        }
        return rest.isEmpty ? Double(seconds) : nil
    }

    private func start(of date: CivilDate) -> Double { start(ofDay: date.daysSince1970) }
    private func start(ofDay day: Int) -> Double { Double(day) * Double(Self.day) }

    private static func daysInMonth(_ month: Int, _ year: Int) -> Int {
        let next = month == 12 ? (year + 1, 1) : (year, month + 1)
        return CivilDate(year: next.0, month: next.1, day: 1).daysSince1970
            - CivilDate(year: year, month: month, day: 1).daysSince1970
    }
}
