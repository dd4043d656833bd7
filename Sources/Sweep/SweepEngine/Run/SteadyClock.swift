import AsyncOperations
import Basics

/// A wall clock that never goes back: when the machine's clock is set back, time passes on from what it last
/// was. Otherwise two passes of a run could seem to overlap, or a signature to be older than what it signs.
final class SteadyClock: Sendable {
    private let machine: WallClock
    private let watch: Stopwatch
    private let last: Locked<(time: Timestamp, elapsed: Duration)>

    init(_ machine: WallClock, _ clock: any Clock<Duration>) {
        self.machine = machine
        watch = Stopwatch(clock)
        last = Locked((machine.now, .zero))
    }

    var now: Timestamp {
        last.withLock { last in
            let (now, elapsed) = (machine.now, watch.elapsed)
            let isBehind = now < last.time
            last = (isBehind ? last.time.advanced(by: elapsed - last.elapsed) : now, elapsed)
            return last.time
        }
    }

    /// Goes on from a moment that is on record, where that is later than now: another process or machine wrote
    /// it, whose clock was ahead.
    func goOn(from moment: Timestamp) {
        last.withLock { $0.time = max($0.time, moment) }
    }
}

extension SweepWorld {
    /// This world with a steady wall clock.
    func withSteadyWallClock() -> SweepWorld {
        let steady = SteadyClock(wallClock, clock)
        var world = self
        world.steadyClock = steady
        world.wallClock = WallClock { steady.now }
        return world
    }
}
