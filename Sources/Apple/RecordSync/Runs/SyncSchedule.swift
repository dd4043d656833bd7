import Basics

/// When an engine fetches and sends by itself.
struct SyncSchedule: Sendable {
    /// One of the two kinds of work: whether it is due, and not before when.
    struct Work: Sendable {
        var isWanted = false
        var notBefore = Duration.zero
        private var failures = 0

        /// When to begin; nil: not wanted.
        func moment(_ now: Duration) -> Duration? { isWanted ? max(now, notBefore) : nil }

        /// A run failed: waits twice as long as the last time, and as long as it was asked to.
        mutating func back(
            off retryAfter: Duration?, _ now: Duration, _ settings: SyncSettings,
            _ random: inout SeededGenerator
        ) {
            let doubled = settings.backoff * (1 << min(failures, 16))
            let most = min(doubled, settings.backoffMax)
            failures += 1
            // Devices that failed together do not come back together.
            let own = most * (0.5 + random.unit() / 2)
            notBefore = now + max(own, retryAfter ?? .zero)
        }

        mutating func succeeded() { failures = 0 }
    }

    var fetch = Work()
    var send = Work()
    /// When to look for other devices' changes; nil: not planned.
    private var nextPoll: Duration?

    /// The next look is an interval from now.
    mutating func planPoll(_ now: Duration, _ interval: Duration) {
        nextPoll = now + interval
    }

    /// Wants a fetch when a look is due, and a send when something is left to be sent.
    mutating func poll(_ now: Duration, hasPending: Bool) {
        guard let due = nextPoll, due <= now else { return }
        nextPoll = nil
        fetch.isWanted = true
        if hasPending { send.isWanted = true }
    }

    /// When there is something to do next; nil: when something is asked for.
    func moment(_ now: Duration) -> Duration? {
        [fetch.moment(now), send.moment(now), nextPoll].compactMap { $0 }.min()
    }
}
