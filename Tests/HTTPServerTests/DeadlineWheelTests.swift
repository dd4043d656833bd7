import HTTPServer
import Testing

struct DeadlineWheelTests {
    private let tick = DeadlineWheel.tickNanoseconds

    @Test func `a deadline is met within a tick and only once`() {
        var wheel = DeadlineWheel(now: 5)
        wheel.arm(3, at: 100 * tick + 7)
        var expired = wheel.advance(to: 100 * tick)
        #expect(expired == [])
        #expect(wheel.nextWake.map { $0 <= 101 * tick } == true)
        expired = wheel.advance(to: 101 * tick)
        #expect(expired == [3])
        expired = wheel.advance(to: 5000 * tick)
        #expect(expired == [])
        #expect(wheel.nextWake == nil)
    }

    @Test func `a deadline beyond the wheel's turn is met too`() {
        var wheel = DeadlineWheel(now: 0)
        let hour = 3_600_000_000_000 as Int64
        wheel.arm(0, at: hour)
        var now: Int64 = 0
        var wakes = 0
        while let next = wheel.nextWake, now < hour {
            now = next
            wakes += 1
            if wheel.advance(to: now) == [0] { break }
        }
        #expect(now >= hour && now < hour + tick)
        #expect(wakes < 400)
    }

    @Test func `moving a deadline away or disarming it keeps it from firing`() {
        var wheel = DeadlineWheel(now: 0)
        wheel.arm(1, at: 10 * tick)
        wheel.arm(2, at: 10 * tick)
        wheel.arm(1, at: 20 * tick)
        wheel.disarm(2)
        var expired = wheel.advance(to: 15 * tick)
        #expect(expired == [])
        expired = wheel.advance(to: 20 * tick)
        #expect(expired == [1])
    }

    @Test func `a nearer deadline replaces a further one`() {
        var wheel = DeadlineWheel(now: 0)
        wheel.arm(1, at: 50 * tick)
        wheel.arm(1, at: 10 * tick)
        var expired = wheel.advance(to: 10 * tick)
        #expect(expired == [1])
        expired = wheel.advance(to: 60 * tick)
        #expect(expired == [])
    }

    /// Against the obvious model: a dictionary from slot to deadline.
    @Test(arguments: [11, 12, 13] as [UInt64])
    func `random use agrees with a dictionary`(seed: UInt64) {
        var random = SplitMix(state: seed)
        var wheel = DeadlineWheel(now: 0)
        var model: [Int: Int64] = [:]
        var now: Int64 = 0
        for _ in 0..<5_000 {
            let slot = Int.random(in: 0..<50, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                let deadline = now + Int64.random(in: 0...(3_000 * tick), using: &random)
                wheel.arm(slot, at: deadline)
                model[slot] = deadline
            case 6:
                wheel.disarm(slot)
                model[slot] = nil
            default:
                now += Int64.random(in: 0...(200 * tick), using: &random)
                let expired = wheel.advance(to: now)
                #expect(Set(expired).count == expired.count, "seed \(seed)")
                for slot in expired {
                    let deadline = model.removeValue(forKey: slot)
                    #expect(deadline.map { $0 <= now } == true, "seed \(seed): too early")
                }
                let late = model.filter { $0.value <= now - tick }
                #expect(late.isEmpty, "seed \(seed): \(late) at \(now)")
            }
            if model.isEmpty { continue }
            #expect(wheel.nextWake != nil, "seed \(seed)")
        }
    }

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
