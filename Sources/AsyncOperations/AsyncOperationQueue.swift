/// Lets operations run, as many at once as its limits allow, each under a key.
///
/// A key stands for what is throttled together: a container and its database. Every key begins
/// with a window of `initialPerKey` operations, which ``succeeded(_:)`` widens and
/// ``throttled(_:wait:)`` halves. Higher priorities start first; among equals the key that was
/// served longest ago; within a key first come, first served.
package final class AsyncOperationQueue<Key: Hashable & Sendable>: Sendable {
    /// An empty queue; waits (holds after a throttle) are timed by `clock`.
    package init(limits: QueueLimits, clock: any Clock<Duration>) {
        preconditionFailure("not yet")
    }

    /// An ID for an operation that others are to wait for; give it to ``run(key:priority:id:after:_:)``.
    ///
    /// An ID that is never run must be given back with ``forget(_:)``.
    package func makeID() -> OperationID { preconditionFailure("not yet") }

    /// Gives back an ID that will not be run; who waits for it waits no longer.
    package func forget(_ id: OperationID) { preconditionFailure("not yet") }

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
        preconditionFailure("not yet")
    }

    /// Says that a request under `key` was accepted: its window widens.
    package func succeeded(_ key: Key) { preconditionFailure("not yet") }

    /// Says that a request under `key` was throttled: its window halves, and nothing of the key
    /// starts for `wait`.
    package func throttled(_ key: Key, wait: Duration) { preconditionFailure("not yet") }

    /// Ends the wait of every waiting operation with `CancellationError`; running ones run on.
    package func cancelAll() { preconditionFailure("not yet") }

    /// Starts nothing new from now on: waiting and later operations fail with
    /// ``OperationQueueDrained``; running ones run on.
    package func drain() { preconditionFailure("not yet") }

    /// Suspends until nothing runs and nothing waits.
    package func idle() async { preconditionFailure("not yet") }

    /// What the queue does just now.
    package var statistics: QueueStatistics<Key> { preconditionFailure("not yet") }
}

/// The queue was told to start nothing new, and the operation had not started.
package struct OperationQueueDrained: Error, Sendable, Hashable {
    package init() {}
}
