/// The last events of the event stream, in order, bounded by count and by bytes.
///
/// Events of a batch are added when it ends.
package struct EventFeed {
    /// Events of one batch that are kept until it ends.
    private static let unsettledMax = 10_000

    package private(set) var events: RecentList<FeedEvent>
    private var unsettled: [FeedEvent] = []
    private var unsettledLost = 0

    init(eventsMax: Int = 10_000, bytesMax: Int = 4 << 20) {
        events = RecentList(countMax: eventsMax, bytesMax: bytesMax)
    }

    /// The number of the last event.
    package var newest: Int { events.total }

    /// Adds an event of the open batch.
    mutating func note(_ event: FeedEvent) {
        if unsettled.count < Self.unsettledMax {
            unsettled.append(event)
        } else {
            unsettledLost += 1
        }
    }

    /// Counts events of the open batch that were not kept.
    mutating func noteLost(_ count: Int) { unsettledLost += count }

    /// Ends the open batch.
    mutating func settle(_ outcome: CommitBatch.Outcome) {
        guard !unsettled.isEmpty || unsettledLost > 0 else { return }
        var lost = outcome == .rolledBack ? 0 : unsettledLost
        for event in unsettled {
            if outcome == .committed || !event.isStored {
                events.append(event)
            } else if outcome == .indeterminate {
                lost += 1
            }
        }
        if lost > 0 { events.append(.lost(lost)) }
        unsettled.removeAll(keepingCapacity: unsettled.count <= 1000)
        unsettledLost = 0
    }
}
