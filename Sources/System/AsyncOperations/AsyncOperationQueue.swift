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

    /// Waits for a slot, runs `work` in the caller's task, and frees the slot.
    ///
    /// - Parameters:
    ///   - key: What the operation is throttled with.
    ///   - priority: Higher ones start first.
    /// - Throws: `CancellationError` when the task was cancelled before the start;
    ///   ``OperationQueueDrained`` after ``drain()``; else what `work` throws.
    package func run<Value: Sendable>(
        key: Key, priority: Int = 0, _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        let number = enter(key)
        defer { leave(key) }
        let id = try await core.waitForSlot(number, priority: priority)
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
