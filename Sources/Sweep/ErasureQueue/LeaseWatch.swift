import AsyncOperations

/// Whether a worker may still send, for all tasks that work under one lease.
package final class LeaseWatch: Sendable {
    private let watch: Stopwatch
    private let timer: Locked<LeaseTimer>

    init(_ rules: QueueRules, _ watch: Stopwatch, sentAt: Duration) {
        self.watch = watch
        timer = Locked(LeaseTimer(rules, sentAt: sentAt))
    }

    /// To be asked just before each request to the service.
    package var maySend: Bool {
        let now = watch.elapsed
        return timer.withLock { $0.maySend(at: now) }
    }

    /// How long that stays so, unless a heartbeat is answered meanwhile.
    var left: Duration {
        let now = watch.elapsed
        return timer.withLock { $0.left(at: now) }
    }

    func answered(sentAt: Duration) { timer.withLock { $0.answered(sentAt: sentAt) } }
}
