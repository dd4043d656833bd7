/// A clock of any kind, as the time since this value was made.
struct Stopwatch: Sendable {
    private let read: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    init(_ clock: any Clock<Duration>) { self = Self.make(clock) }

    private init(
        read: @escaping @Sendable () -> Duration,
        wait: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.read = read
        self.wait = wait
    }

    private static func make(_ clock: some Clock<Duration>) -> Stopwatch {
        let start = clock.now
        return Stopwatch(
            read: { start.duration(to: clock.now) },
            wait: { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) })
    }

    var elapsed: Duration { read() }
    func sleep(for duration: Duration) async throws { try await wait(duration) }
}
