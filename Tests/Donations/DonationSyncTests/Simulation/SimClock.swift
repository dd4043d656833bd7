import AsyncOperations
import Basics

/// The time of a simulated world. It stands until it is moved.
final class SimClock: Sendable {
    private let time = Locked<Int64>(1_800_000_000_000)

    var now: Int64 { time.withLock { $0 } }
    var wall: WallClock { WallClock { [time] in Timestamp(milliseconds: time.withLock { $0 }) } }

    func advance(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }
}
