/// How old a worker's lease may be, told by its own clock and never too young.
///
/// A heartbeat counts from before it was sent, however late its answer comes: the database cannot have
/// taken it earlier than that.
package struct LeaseTimer: Sendable, Hashable {
    private let limit: Duration
    /// When the newest heartbeat that was answered had been sent.
    private var provenAt: Duration

    /// - Parameter sentAt: When the claim was sent, by a clock that does not jump.
    package init(_ rules: QueueRules, sentAt: Duration) {
        limit = rules.ownLimit
        provenAt = sentAt
    }

    /// Notes that the heartbeat sent at `sentAt` was answered.
    package mutating func answered(sentAt: Duration) { provenAt = max(provenAt, sentAt) }

    /// Whether a request may still be sent.
    package func maySend(at now: Duration) -> Bool { now - provenAt < limit }

    /// How long a request may still be sent, unless a heartbeat is answered meanwhile.
    package func left(at now: Duration) -> Duration { limit - (now - provenAt) }
}
