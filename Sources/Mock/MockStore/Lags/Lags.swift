/// What requests see with a delay: the index of queries, deleted zones, and feeds.
///
/// Kept in memory only: after a start, and after a batch that was rolled back, everything has caught up.
final class Lags: StorePart {
    var index = IndexLag()
    var zones = LingeringZones()
    var feeds = FeedLag()

    /// What was put back has no history of its own.
    func reload() {
        index = IndexLag()
        zones = LingeringZones()
        feeds = FeedLag()
    }
}

extension StoreContext {
    /// Takes note that a zone's feed goes on from a place.
    ///
    /// - Parameter replaced: Records as they were before.
    func noteChange(of zone: Int64, before: Int64, replaced: [IndexLag.Version] = []) {
        let options = options
        guard options.delaysIndex || faultLag > .zero else { return }
        lags.index.note(zone, before: before, replaced: replaced, now: clock.now, options)
        lags.feeds.note(zone, before: before, now: clock.now, lag: faultLag)
    }

    /// Takes note that a database's feed goes on; before it does.
    func noteChange(of database: DatabaseState) {
        guard faultLag > .zero else { return }
        lags.feeds.note(-database.id, before: database.seq, now: clock.now, lag: faultLag)
    }

    /// Takes note of a zone that is about to be deleted.
    func noteDeletion(of row: ZoneRow, in database: DatabaseState) {
        lags.zones.note(row, in: database.id, now: clock.now, options)
    }

    /// The zone as it was before its deletion, where it is still to be found.
    func lingering(_ name: String, _ session: Session) -> ZoneRow? {
        guard session.isReading, !lags.zones.isEmpty else { return nil }
        return lags.zones.read(name, in: session.database.id, now: session.now, options)
    }

    /// Where a feed ends for a session: `end`, unless what it is told is behind.
    func end(of feed: Int64, _ end: Int64, floor: Int64, for session: Session) -> Int64 {
        guard session.lag > .zero,
            let behind = lags.feeds.end(of: feed, now: session.now, lag: session.lag)
        else { return end }
        return min(end, max(floor, behind))
    }
}

extension MockOptions {
    /// Whether queries find later what was written.
    var delaysIndex: Bool { upkeep == .manual || indexLagQueries > 0 || indexLag > .zero }
}
