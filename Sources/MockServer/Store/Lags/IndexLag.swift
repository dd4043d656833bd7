import CloudModel

/// What queries do not find yet, because the index follows later: of each zone the writes since some place.
struct IndexLag {
    /// Writes that were made one after the other, and become visible together.
    private struct Writes {
        /// The zone's place before the first of them.
        let before: Int64
        /// Queries that will not see them.
        var queriesLeft: Int
        /// Whether they wait for a tick.
        let isHeld: Bool
        /// When the last of them was made.
        var last: Timestamp
    }

    /// Zones that can wait at once; what is written to others is seen at once.
    static let zonesMax = 10_000

    /// By the incarnation of the zone, the oldest first.
    private var writes: [Int64: [Writes]] = [:]
    /// Until when a zone's writes are in the index although the time of the lag has not passed.
    private var caughtUp: [Int64: Timestamp] = [:]

    var isEmpty: Bool { writes.isEmpty }

    /// Takes note of a write to a zone.
    mutating func note(
        _ zone: Int64, before: Int64, now: Timestamp, _ options: MockOptions
    ) {
        let isHeld = options.upkeep == .manual
        guard isHeld || options.indexLagQueries > 0 || options.indexLag > .zero,
            writes[zone] != nil || writes.count < Self.zonesMax
        else { return }
        var list = writes[zone] ?? []
        if let last = list.last, last.isHeld == isHeld, last.queriesLeft == options.indexLagQueries
        {
            list[list.count - 1].last = now
        } else {
            list.append(
                Writes(
                    before: before, queriesLeft: options.indexLagQueries, isHeld: isHeld, last: now)
            )
        }
        writes[zone] = list
    }

    /// How far the index has come in a zone, and from when on writes are not in it; nil: all are.
    func reach(
        of zone: Int64, now: Timestamp, _ options: MockOptions
    ) -> (place: Int64, newest: Timestamp?) {
        let waiting = writes[zone]?.first {
            $0.queriesLeft > 0 || $0.isHeld && options.upkeep == .manual
        }
        var newest =
            options.indexLag == .zero ? nil : now.advanced(by: .zero - options.indexLag)
        if let limit = newest, let caughtUp = caughtUp[zone] { newest = max(limit, caughtUp) }
        return (waiting?.before ?? .max, newest)
    }

    /// Counts a query of a zone, and forgets what is visible from now on.
    mutating func countQuery(of zone: Int64, now: Timestamp, _ options: MockOptions) {
        guard var list = writes[zone] else { return }
        for index in list.indices where list[index].queriesLeft > 0 {
            list[index].queriesLeft -= 1
        }
        list.removeAll { !Self.isWaiting($0, now, options) }
        writes[zone] = list.isEmpty ? nil : list
    }

    private static func isWaiting(
        _ writes: Writes, _ now: Timestamp, _ options: MockOptions
    ) -> Bool {
        writes.queriesLeft > 0 || writes.isHeld && options.upkeep == .manual
            || now < writes.last.advanced(by: options.indexLag)
    }

    /// How many zones have something that queries do not find yet.
    func waiting(now: Timestamp, _ options: MockOptions) -> Int {
        writes.values.count { $0.contains { Self.isWaiting($0, now, options) } }
    }

    /// Brings the index up to date, the oldest zones first.
    ///
    /// - Returns: Of how many zones.
    mutating func catchUp(count: Int?, now: Timestamp, _ options: MockOptions) -> Int {
        let zones = writes.filter { $0.value.contains { Self.isWaiting($0, now, options) } }.keys
            .sorted().prefix(count ?? .max)
        for zone in zones {
            writes[zone] = nil
            if options.indexLag > .zero { caughtUp[zone] = now }
        }
        if caughtUp.count > Self.zonesMax {
            caughtUp = caughtUp.filter { now < $0.value.advanced(by: options.indexLag) }
        }
        return zones.count
    }
}
