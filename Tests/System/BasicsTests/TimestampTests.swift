import Basics
import Testing

struct TimestampTests {
    @Test(arguments: [
        (Int64(0), "1970-01-01T00:00:00Z"),
        (1_767_225_600_000, "2026-01-01T00:00:00Z"),
        (951_782_399_999, "2000-02-28T23:59:59Z"),
        (951_827_696_000, "2000-02-29T12:34:56Z"),
        (-1000, "1969-12-31T23:59:59Z"),
    ])
    func `a moment is written in UTC to the second`(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).iso8601 == text)
    }

    @Test(arguments: ["2026-01-15T08:30:00Z", "2024-02-29T23:59:59Z", "1969-07-20T20:17:40Z"])
    func `what is read is written the same`(text: String) throws {
        #expect(try #require(Timestamp(iso8601: text)).iso8601 == text)
    }

    @Test(arguments: [
        "", "2026-01-15T08:30:00+00:00", "2026-13-15T08:30:00Z", "2026-01-15 08:30:00Z",
    ])
    func `another form is not read`(text: String) {
        #expect(Timestamp(iso8601: text) == nil)
    }

    @Test func `a moment that a hostile service names traps nothing`() {
        let (first, last) = (Timestamp(milliseconds: .min), Timestamp(milliseconds: .max))
        #expect(last.millisecondsSince(first) == .max && first.millisecondsSince(last) == .min)
        #expect(last.since(first) == .milliseconds(Int64.max))
        #expect(Timestamp(milliseconds: 0).millisecondsSince(first) == .max)
        #expect(last.advanced(by: .milliseconds(1)) == last)
        #expect(last.advanced(by: .seconds(Int64.max)) == last)
        #expect(first.advanced(by: .seconds(Int64.min)) == first)
        #expect(last.advanced(by: .milliseconds(-1)).milliseconds == .max - 1)
        #expect(Timestamp(milliseconds: 5).advanced(by: .milliseconds(7)).milliseconds == 12)
        #expect(Timestamp(milliseconds: 5).millisecondsSince(Timestamp(milliseconds: 7)) == -2)
    }
}
