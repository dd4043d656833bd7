import Basics
import CloudClient
import CloudModel
import Testing

struct ServerClockTests {
    private let now = Timestamp(milliseconds: 784_111_777_000)

    @Test func `the first difference and the latest are kept`() {
        let clock = ServerClock()
        #expect(clock.skew == nil)
        clock.note("Sun, 06 Nov 1994 08:49:47 GMT", at: now)
        #expect(clock.skew == ClockSkew(first: 10_000, last: 10_000))
        clock.note("Sun, 06 Nov 1994 08:39:37 GMT", at: now)
        #expect(clock.skew == ClockSkew(first: 10_000, last: -600_000))
        #expect(clock.skew?.isNoticeable == true)
    }

    @Test(arguments: [nil, "", "yesterday", "Sunday, 06-Nov-94 08:49:37 GMT"])
    func `a date that is none says nothing`(date: String?) {
        let clock = ServerClock()
        clock.note(date, at: now)
        #expect(clock.skew == nil)
    }
}
