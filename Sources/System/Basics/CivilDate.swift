/// A day of the Gregorian calendar, also of the time before there was one.
///
/// Between days and dates by Howard Hinnant's `days_from_civil` and `civil_from_days`: years begin on
/// 1 March, so that leap days end them, and 400 years are an era of 146,097 days.
package struct CivilDate: Sendable, Hashable {
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int

    private static let daysInEra = 146_097
    /// From 1 March of the year 0 to 1 January 1970.
    private static let daysToEpoch = 719_468

    /// A date as it is written; a day that its month does not have is one of the next month.
    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date of a day, counted from 1 January 1970.
    package init(daysSince1970 days: Int) {
        let shifted = days + Self.daysToEpoch
        let era = shifted.quotientFloor(Self.daysInEra)
        let dayOfEra = shifted - era * Self.daysInEra
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// How many days after 1 January 1970 it is.
    package var daysSince1970: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.quotientFloor(400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysInEra + dayOfEra - Self.daysToEpoch
    }
}

extension BinaryInteger {
    /// Division that rounds down, also of negative numbers.
    package func quotientFloor(_ divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder != 0 && (remainder < 0) != (divisor < 0) ? quotient - 1 : quotient
    }
}
