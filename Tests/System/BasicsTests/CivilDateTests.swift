import Basics
import Testing

@Suite struct CivilDateTests {
    @Test func `days follow one another, in 400 years before and after 1970`() {
        var before = CivilDate(daysSince1970: -146_098)
        for day in -146_097...146_097 {
            let date = CivilDate(daysSince1970: day)
            guard date.daysSince1970 == day else {
                Issue.record("day \(day) is \(date), which is \(date.daysSince1970)")
                return
            }
            let isNextDay = date.month == before.month && date.day == before.day + 1
            let isLeap = before.year % 4 == 0 && before.year % 100 != 0 || before.year % 400 == 0
            let last = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            let isNextMonth =
                before.day == last[before.month - 1] && date.day == 1
                && date.month == before.month % 12 + 1
                && date.year == before.year + before.month / 12
            guard isNextDay && date.day <= last[date.month - 1] || isNextMonth else {
                Issue.record("\(date) follows \(before)")
                return
            }
            before = date
        }
    }

    @Test func `known days`() {
        #expect(CivilDate(daysSince1970: 0) == CivilDate(year: 1970, month: 1, day: 1))
        #expect(CivilDate(year: 2000, month: 2, day: 29).daysSince1970 == 11_016)
        #expect(CivilDate(year: 1582, month: 10, day: 15).daysSince1970 == -141_427)
        #expect(CivilDate(daysSince1970: 2_932_896) == CivilDate(year: 9999, month: 12, day: 31))
    }
}
