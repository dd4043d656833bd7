/// A clock of any kind, as the time since this value was made.
struct ElapsedTime: Sendable {
    private let read: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        read = { start.duration(to: clock.now) }
        wait = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    }

    var now: Duration { read() }
    func sleep(for duration: Duration) async throws { try await wait(duration) }
}
