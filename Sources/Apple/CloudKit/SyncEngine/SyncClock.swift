/// A clock as an engine uses it: moments are durations since the engine's beginning.
struct SyncClock: Sendable {
    private let read: @Sendable () -> Duration
    let sleep: @Sendable (Duration) async throws -> Void

    var now: Duration { read() }

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        read = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
    }
}
