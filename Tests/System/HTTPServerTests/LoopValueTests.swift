import HTTPServer
import Testing

/// What the loop decides in values: timers, floods, dates.
struct LoopValueTests {
    @Test func `timers come in the order of time, then of setting`() {
        var random = SplitMix(state: 7)
        var timers = TimerQueue<Int>()
        var expected: [(Int64, Int)] = []
        var numbers: [UInt64] = []
        for index in 0..<500 {
            let time = Int64.random(in: 0..<50, using: &random)
            expected.append((time, index))
            numbers.append(timers.add(at: time, index))
        }
        for index in stride(from: 0, to: 500, by: 3) {
            let removed = [timers.remove(numbers[index]), timers.remove(numbers[index])]
            #expect(removed == [true, false])
            expected.removeAll { $0.1 == index }
        }
        #expect(timers.count == expected.count)
        var seen: [Int] = []
        for now in 0..<50 as Range<Int64> {
            while let body = timers.popDue(at: now) { seen.append(body) }
            #expect((timers.nextTime ?? .max) > now)
        }
        #expect(seen == expected.sorted { $0 < $1 }.map(\.1))
    }

    /// Otherwise work that is cut into timers would hold a turn as long as other timers are set.
    @Test func `a timer that a timer sets waits for the next turn, however many others are set`() {
        var timers = TimerQueue<Int>()
        for index in 0..<20 { _ = timers.add(at: index < 5 ? 1 : 1_000, index) }
        var seen: [[Int]] = []
        for _ in 0..<3 {
            let last = timers.lastNumber
            var turn: [Int] = []
            while let body = timers.popDue(at: 1, upTo: last) {
                turn.append(body)
                _ = timers.add(at: 1, body)
            }
            seen.append(turn)
        }
        #expect(seen == Array(repeating: [0, 1, 2, 3, 4], count: 3))
    }

    @Test func `floods are noticed and honest use is not`() {
        var meter = FloodMeter(now: 0)
        var borne = 0
        while meter.charge(now: 1) { borne += 1 }
        #expect(borne == FloodMeter.burstMax)
        let isForgiven = meter.charge(now: 60_000_000_000)
        #expect(isForgiven)
        var honest = FloodMeter(now: 0)
        for second in 0..<1_000 as Range<Int64> {
            for _ in 0..<FloodMeter.perSecond {
                let isBorne = honest.charge(now: second * 1_000_000_000)
                #expect(isBorne)
            }
        }
        var paired = FloodMeter(now: 0)
        for _ in 0..<10_000 {
            let isBorne = paired.charge(now: 0)
            #expect(isBorne)
            paired.credit()
        }
    }

    @Test(
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_827_696, "Tue, 29 Feb 2000 12:34:56 GMT"),
            (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (-5, "Thu, 01 Jan 1970 00:00:00 GMT"), (.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] as [(Int64, String)])
    func `dates are spelled as HTTP wants`(seconds: Int64, text: String) {
        #expect(String(decoding: DateField.text(seconds), as: UTF8.self) == text)
    }
}
