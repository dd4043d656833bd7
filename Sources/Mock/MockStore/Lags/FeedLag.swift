import Basics

/// Where feeds ended some time ago, for requests that must not see the latest changes. A client with a newer token gets
/// an earlier one.
struct FeedLag {
    /// A change of a feed that such requests may not see yet.
    private struct Move {
        let time: Timestamp
        /// Where the feed ended before it.
        let before: Int64
    }

    /// Feeds that changes are kept of; others do not lag.
    static let feedsMax = 10_000
    /// Changes kept of one feed; if there are more, the oldest are visible earlier.
    static let movesMax = 256

    /// By the incarnation of a zone, or the number of a database negated.
    private var moves: [Int64: [Move]] = [:]

    /// Takes note of a change of a feed.
    mutating func note(_ feed: Int64, before: Int64, now: Timestamp, lag: Duration) {
        guard lag > .zero, moves[feed] != nil || moves.count < Self.feedsMax else { return }
        let known = now.advanced(by: .zero - lag)
        var list = moves[feed] ?? []
        list.removeAll { $0.time <= known }
        if list.last?.time != now { list.append(Move(time: now, before: before)) }
        if list.count > Self.movesMax { list.removeFirst() }
        moves[feed] = list
    }

    /// Where a feed ended so long ago; nil: where it ends now.
    func end(of feed: Int64, now: Timestamp, lag: Duration) -> Int64? {
        let known = now.advanced(by: .zero - lag)
        return moves[feed]?.first { $0.time > known }?.before
    }
}
