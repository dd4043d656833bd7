import AsyncOperations
import Basics
import MockService
import Testing

/// The server's clock: moved, frozen and scaled.
struct ServerClockTests {
    @Test func `an advanced clock continues, and a frozen one stands still`() throws {
        let real = Locked<Int64>(1_000)
        let clock = ServerClock(
            WallClock { Timestamp(milliseconds: real.withLock { $0 }) })
        try clock.advance(milliseconds: 100)
        #expect(clock.now.milliseconds == 1_100)
        real.withLock { $0 = 5_000 }
        #expect(clock.now.milliseconds == 5_100)
        try clock.set(Timestamp(milliseconds: 9_000), mode: .frozen)
        real.withLock { $0 = 6_000 }
        #expect(clock.now.milliseconds == 9_000)
        try clock.advance(milliseconds: 1)
        #expect(clock.now.milliseconds == 9_001)
        try clock.set(Timestamp(milliseconds: 9_000), mode: .real)
        real.withLock { $0 = 7_000 }
        #expect(clock.now.milliseconds == 10_000)
        clock.reset()
        #expect(clock.now.milliseconds == 7_000)
    }

    @Test(arguments: [(60.0, 60_000), (0.5, 500), (1, 1_000)])
    func `a scaled clock advances at its rate, from the time it was set to`(
        rate: Double, passed: Int64
    ) throws {
        let real = Locked<Int64>(1_000)
        let clock = ServerClock(WallClock { Timestamp(milliseconds: real.withLock { $0 }) })
        try clock.set(Timestamp(milliseconds: 50_000), mode: .scaled, rate: rate)
        real.withLock { $0 += 1_000 }
        #expect(clock.now.milliseconds == 50_000 + passed)
        try clock.advance(milliseconds: 7)
        #expect(clock.now.milliseconds == 50_007 + passed)
    }

    @Test func `times before 1970 and after 9999 are refused`() throws {
        let clock = ServerClock(.fixed(Timestamp(milliseconds: 5)))
        for step in [-6, .min, .max, 253_402_300_799_999] as [Int64] {
            #expect(throws: MockError.self) { try clock.advance(milliseconds: step) }
        }
        #expect(throws: MockError.self) {
            try clock.set(Timestamp(milliseconds: .max), mode: .frozen)
        }
        #expect(clock.now.milliseconds == 5)
        let real = Locked<Int64>(0)
        let fast = ServerClock(WallClock { Timestamp(milliseconds: real.withLock { $0 }) })
        try fast.set(.last, mode: .scaled, rate: 86_400)
        real.withLock { $0 = 1 << 50 }
        #expect(fast.now == .last)
    }
}
