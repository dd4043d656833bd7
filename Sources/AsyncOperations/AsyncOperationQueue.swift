/// Lets operations run, as many at once as its limits allow, each under a key.
///
/// A key stands for what is throttled together: a container and its database. Every key begins
/// with a window of `initialPerKey` operations, which ``succeeded(_:)`` widens and
/// ``throttled(_:wait:)`` halves. Higher priorities start first; among equals the key that was
/// served longest ago; within a key first come, first served.
package final class AsyncOperationQueue<Key: Hashable & Sendable>: Sendable {
    private let core: QueueCore
    /// Taken before the core's lock, never the other way round.
    private let table = Locked(KeyTable<Key>())

    /// An empty queue; waits (holds after a throttle) are timed by `clock`.
    package init(limits: QueueLimits, clock: any Clock<Duration>) {
        core = QueueCore(limits: limits, clock: clock)
    }

    /// An ID for an operation that others are to wait for; to be given to `run` as its `id`.
    ///
    /// An ID that is never run must be given back with ``forget(_:)``.
    package func makeID() -> OperationID { core.makeID() }

    /// Gives back an ID that will not be run; who waits for it waits no longer.
    package func forget(_ id: OperationID) { core.forget(id) }

    /// Waits for a slot, runs `work` in the caller's task, and frees the slot.
    ///
    /// - Parameters:
    ///   - key: What the operation is throttled with.
    ///   - priority: Higher ones start first.
    ///   - id: The operation's own ID, from ``makeID()``, where others wait for it.
    ///   - after: Operations that must have ended before, however they ended. Their IDs must be
    ///     older than `id`, so there are no cycles.
    /// - Throws: `CancellationError` when the task was cancelled or ``cancelAll()`` was called
    ///   before the start; ``OperationQueueDrained`` after ``drain()``; else what `work` throws.
    package func run<Value: Sendable>(
        key: Key, priority: Int = 0, id: OperationID? = nil, after: [OperationID] = [],
        _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        let number = enter(key)
        defer { leave(key) }
        let id = try await core.waitForSlot(number, priority: priority, id: id, after: after)
        defer { core.finish(id) }
        try Task.checkCancellation()
        return try await work()
    }

    /// Says that a request under `key` was accepted: its window widens.
    package func succeeded(_ key: Key) {
        core.succeeded(enter(key))
        leave(key)
    }

    /// Says that a request under `key` was throttled: its window halves, and nothing of the key
    /// starts for `wait`.
    package func throttled(_ key: Key, wait: Duration) {
        core.throttled(enter(key), wait: wait)
        leave(key)
    }

    /// Ends the wait of every waiting operation with `CancellationError`; running ones run on.
    package func cancelAll() { core.cancelAll() }

    /// Starts nothing new from now on: waiting and later operations fail with
    /// ``OperationQueueDrained``; running ones run on.
    package func drain() { core.drain() }

    /// Suspends until nothing runs and nothing waits.
    package func idle() async { await core.idle() }

    /// What the queue does just now.
    package var statistics: QueueStatistics<Key> {
        let numbered = core.statistics
        var statistics = QueueStatistics<Key>()
        statistics.running = numbered.running
        statistics.waiting = numbered.waiting
        statistics.started = numbered.started
        statistics.finished = numbered.finished
        statistics.keys = table.withLock { $0.named(numbered.keys) }
        return statistics
    }

    private func enter(_ key: Key) -> Int {
        table.withLock { [core] table in table.enter(key) { core.known($0) } }
    }

    private func leave(_ key: Key) { table.withLock { $0.leave(key) } }
}
