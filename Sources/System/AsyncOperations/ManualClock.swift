/// A clock that moves when told, for tests.
///
/// With `movesByItself`, every sleep moves it to its own end and returns: time passes, nobody
/// waits.
package final class ManualClock: Clock {
    /// A moment: the time since the clock's beginning.
    package struct Instant: InstantProtocol {
        package let sinceStart: Duration
        package func advanced(by duration: Duration) -> Instant {
            Instant(sinceStart: sinceStart + duration)
        }
        package func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }
        package static func < (left: Instant, right: Instant) -> Bool {
            left.sinceStart < right.sinceStart
        }
    }

    private let movesByItself: Bool
    private let state = Locked(State())

    package init(movesByItself: Bool = false) { self.movesByItself = movesByItself }

    package var now: Instant { state.withLock { $0.now } }
    package var minimumResolution: Duration { .nanoseconds(1) }
    /// How many tasks sleep.
    package var sleepers: Int { state.withLock { $0.sleepers.count } }
    /// How long until the first sleeper is due; nil when nobody sleeps.
    package var untilNextDeadline: Duration? {
        state.withLock { state in
            state.sleepers.values.map(\.deadline).min().map { state.now.duration(to: $0) }
        }
    }

    /// Moves time on and wakes who is due, the earliest first.
    package func advance(by duration: Duration) {
        precondition(duration >= .zero, "time does not run backwards")
        let due = state.withLock { $0.move(to: $0.now.advanced(by: duration)) }
        for sleeper in due { sleeper.resume() }
    }

    /// Suspends until at least `count` tasks sleep on this clock.
    package func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isThere = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Suspends until the clock was moved to `deadline`.
    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        if movesByItself {
            let moment = max(deadline, now)
            let due = state.withLock { $0.move(to: moment) }
            for sleeper in due { sleeper.resume() }
            await Task.yield()
            return
        }
        let ticket = state.withLock { state in
            defer { state.nextTicket += 1 }
            return state.nextTicket
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                park(continuation, ticket, deadline)
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: ticket) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    private func park(
        _ continuation: CheckedContinuation<Void, any Error>, _ ticket: UInt64, _ deadline: Instant
    ) {
        let (parked, watchers) = state.withLock { state -> (Bool, [Watcher]) in
            // The cancellation handler runs after this flag is set and needs the lock too.
            guard !Task.isCancelled, deadline > state.now else { return (false, []) }
            state.sleepers[ticket] = Sleeper(deadline: deadline, continuation: continuation)
            return (true, state.takeSatisfiedWatchers())
        }
        for watcher in watchers { watcher.resume() }
        guard !parked else { return }
        if Task.isCancelled {
            continuation.resume(throwing: CancellationError())
        } else {
            continuation.resume()
        }
    }

    private typealias Watcher = CheckedContinuation<Void, Never>

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
        func resume() { continuation.resume() }
    }

    private struct State {
        var now = Instant(sinceStart: .zero)
        var nextTicket: UInt64 = 0
        var sleepers: [UInt64: Sleeper] = [:]
        var watchers: [(count: Int, continuation: Watcher)] = []

        mutating func move(to moment: Instant) -> [Sleeper] {
            now = max(now, moment)
            let due = sleepers.filter { $0.value.deadline <= now }
            for ticket in due.keys { sleepers[ticket] = nil }
            return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
                .map(\.value)
        }

        mutating func takeSatisfiedWatchers() -> [Watcher] {
            let satisfied = watchers.filter { $0.count <= sleepers.count }
            watchers.removeAll { $0.count <= sleepers.count }
            return satisfied.map(\.continuation)
        }
    }
}
