import Basics

/// The `date` header, made anew once a second.
package struct DateField {
    /// `date: Sun, 06 Nov 1994 08:49:37 GMT` and CR LF.
    private(set) var line: [UInt8] = []
    /// The value alone.
    private(set) var value: [UInt8] = []
    /// What it shows, in seconds since 1970.
    private(set) var second: Int64?

    /// Brings the text up to `unixSeconds`.
    mutating func update(_ unixSeconds: Int64) {
        guard second != unixSeconds else { return }
        second = unixSeconds
        value = Self.text(unixSeconds)
        line = Array("date: ".utf8) + value + Array("\r\n".utf8)
    }

    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// RFC 9110 section 5.6.7. Years 1970 to 9999; others are moved to the nearest.
    package static func text(_ unixSeconds: Int64) -> [UInt8] {
        let seconds = min(max(unixSeconds, 0), 253_402_300_799)
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let date = CivilDate(daysSince1970: Int(days))
        let clock = [rest / 3_600, rest / 60 % 60, rest % 60].map(twoDigits).joined(separator: ":")
        let years = String(date.year)
        let padded = String(repeating: "0", count: 4 - years.count) + years
        return Array(
            ("\(weekdays[Int(days % 7)]), \(twoDigits(Int64(date.day))) \(months[date.month - 1]) "
                + "\(padded) \(clock) GMT").utf8)
    }

    private static func twoDigits(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
