import AsyncOperations

/// The machine's clock, moved on by a test: what is waited for comes at once.
struct MovedClock: Clock {
    struct Instant: InstantProtocol {
        fileprivate let base: ContinuousClock.Instant
        func advanced(by duration: Duration) -> Instant {
            Instant(base: base.advanced(by: duration))
        }
        func duration(to other: Instant) -> Duration { base.duration(to: other.base) }
        static func < (left: Instant, right: Instant) -> Bool { left.base < right.base }
    }

    private let base = ContinuousClock()
    private let moved = Locked(Duration.zero)

    var now: Instant { Instant(base: base.now.advanced(by: moved.withLock { $0 })) }
    var minimumResolution: Duration { base.minimumResolution }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let rest = now.duration(to: deadline)
        try await base.sleep(until: base.now.advanced(by: rest), tolerance: tolerance)
    }

    func move(by time: Duration) { moved.withLock { $0 += time } }
}
