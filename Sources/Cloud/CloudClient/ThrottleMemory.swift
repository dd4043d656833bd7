import AsyncOperations
package import CloudModel

/// Until when the service asked us to leave it alone, for each kind of request.
package final class ThrottleMemory: Sendable {
    /// Requests that a throttle holds back together: one operation on one database.
    private struct Kind: Hashable {
        let address: Database.Address
        let operation: String
    }
    private let elapsed: @Sendable () -> Duration
    private let ends = Locked<[Kind: Duration]>([:])

    /// - Parameter clock: Goes on while the process sleeps or not: waits are the service's wishes.
    package init(clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }

    /// How long requests like `command` are still to wait; nil when they need not.
    package func wait(before command: CloudCommand, at address: Database.Address) -> Duration? {
        let kind = Kind(address: address, operation: command.operationPath)
        return ends.withLock { ends in
            guard let end = ends[kind] else { return nil }
            let rest = end - elapsed()
            guard rest <= .zero else { return rest }
            ends[kind] = nil
            return nil
        }
    }

    /// Remembers what the service asked for; a shorter wait never shortens a longer one.
    package func note(
        _ wait: Duration, after command: CloudCommand, at address: Database.Address
    ) {
        let kind = Kind(address: address, operation: command.operationPath)
        let end = elapsed() + wait
        ends.withLock { $0[kind] = max($0[kind] ?? end, end) }
    }
}
