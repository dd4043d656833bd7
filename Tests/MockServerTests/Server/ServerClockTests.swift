import AsyncOperations
import CloudModel
import MockServer
import Testing

/// The server's clock, moved and frozen.
struct ServerClockTests {
    @Test func `a clock that was moved goes on, and one that was set frozen stands still`() {
        let real = Locked<Int64>(1_000)
        let clock = ServerClock(
            WallClock { Timestamp(milliseconds: real.withLock { $0 }) })
        clock.advance(milliseconds: 100)
        #expect(clock.now.milliseconds == 1_100)
        real.withLock { $0 = 5_000 }
        #expect(clock.now.milliseconds == 5_100)
        clock.set(Timestamp(milliseconds: 9_000), mode: .frozen)
        real.withLock { $0 = 6_000 }
        #expect(clock.now.milliseconds == 9_000)
        clock.set(Timestamp(milliseconds: 9_000), mode: .real)
        real.withLock { $0 = 7_000 }
        #expect(clock.now.milliseconds == 10_000)
        clock.reset()
        #expect(clock.now.milliseconds == 7_000)
    }
}
