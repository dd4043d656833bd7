import AsyncOperations
import CloudModel
import MockServer
import Testing

/// The server's clock while a turn holds it.
struct ServerClockTests {
    @Test func `a held clock stands still, can be moved, and goes on when it is let go`() {
        let real = Locked<Int64>(1_000)
        let clock = ServerClock(
            WallClock { Timestamp(milliseconds: real.withLock { $0 }) })
        clock.hold()
        real.withLock { $0 = 5_000 }
        #expect(clock.now.milliseconds == 1_000)
        clock.advance(milliseconds: 100)
        #expect(clock.now.milliseconds == 1_100)
        clock.letGo()
        #expect(clock.now.milliseconds == 5_100)
        clock.hold()
        clock.set(Timestamp(milliseconds: 9_000), mode: .real)
        real.withLock { $0 = 6_000 }
        #expect(clock.now.milliseconds == 9_000)
        clock.letGo()
        #expect(clock.now.milliseconds == 10_000)
    }
}
