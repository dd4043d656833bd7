/// What those who watch the server are told, in order: the last events, bounded by count and by bytes.
///
/// Events of a turn are added when it is known what has become of it.
struct EventFeed {
    /// Events of one turn that are kept until its end.
    private static let unsettledMax = 10_000

    private(set) var events: RecentList<FeedEvent>
    private var unsettled: [FeedEvent] = []
    private var unsettledLost = 0

    init(eventsMax: Int = 10_000, bytesMax: Int = 4 << 20) {
        events = RecentList(countMax: eventsMax, bytesMax: bytesMax)
    }

    /// The number of the last event.
    var newest: Int { events.total }

    /// Takes note of what has happened in the turn that is open.
    mutating func note(_ event: FeedEvent) {
        if unsettled.count < Self.unsettledMax {
            unsettled.append(event)
        } else {
            unsettledLost += 1
        }
    }

    /// So many events of the open turn were not kept.
    mutating func noteLost(_ count: Int) { unsettledLost += count }

    /// Takes note of what has become of the turn.
    mutating func settle(_ fate: Turn.Fate) {
        guard !unsettled.isEmpty || unsettledLost > 0 else { return }
        var lost = fate == .undone ? 0 : unsettledLost
        for event in unsettled {
            if fate == .stored || !event.needsStore {
                events.append(event)
            } else if fate == .unknown {
                lost += 1
            }
        }
        if lost > 0 { events.append(.lost(lost)) }
        unsettled.removeAll(keepingCapacity: unsettled.count <= 1000)
        unsettledLost = 0
    }
}
