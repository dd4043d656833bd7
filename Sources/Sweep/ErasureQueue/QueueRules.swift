/// How long a lease lasts, and how often a request is tried.
package struct QueueRules: Sendable, Hashable {
    /// Without a heartbeat for so long, by the database's clock, a worker is dead.
    package var lease: Duration = .seconds(60)
    /// Without an answered heartbeat for so long, by its own clock, a worker sends nothing more.
    package var ownLimit: Duration = .seconds(40)
    /// A request to the service is answered or given up within this.
    package var requestMax: Duration = .seconds(15)
    /// Between two heartbeats.
    package var beat: Duration = .seconds(10)
    /// How often a request is claimed before it is parked.
    package var attemptsMax: Int64 = 5
    /// Before the second attempt; doubles with each.
    package var backOff: Duration = .seconds(60)
    package var backOffMax: Duration = .seconds(6 * 3600)

    package init() {}

    /// Whether a request that is sent at a worker's last moment is over before another one may begin.
    var isSound: Bool {
        beat > .zero && beat < ownLimit && requestMax > .zero && ownLimit + requestMax < lease
            && attemptsMax > 0 && backOff >= .zero
    }

    /// What becomes of a request whose attempt failed.
    package enum AfterFailure: Sendable, Hashable {
        case again(after: Duration)
        case park
    }

    /// Decides what becomes of a request.
    ///
    /// - Parameter attempt: The one that failed, from 1.
    package func afterFailure(attempt: Int64) -> AfterFailure {
        guard attempt < attemptsMax else { return .park }
        var wait = min(backOff, backOffMax)
        for _ in 1..<max(1, attempt) where wait < backOffMax { wait = min(wait * 2, backOffMax) }
        return .again(after: wait)
    }
}
