import CloudModel

/// Forgets which records were deleted, and which zones the apps deleted: tokens from before expire, unless
/// they had seen all. Zones that the user erased are remembered.
package final class CompactJob: EventJob {
    private let scope: ResetScope
    private var walk: FeedWalk
    /// The end of the zone's feed when its tokens expired: what was deleted since is remembered.
    private var last: Int64 = 0
    /// Where the deleted zones of the database are that were looked at, and where they end.
    private var deleted: (place: Int64, end: Int64)?
    /// How many databases were compacted.
    package private(set) var count = 0
    /// How many records' tombstones were forgotten.
    package private(set) var forgotten = 0

    /// - Parameter sliceMax: A slice begins no other step after this time.
    package init(
        _ scope: ResetScope = ResetScope(), sliceMax: Duration = .milliseconds(15)
    ) {
        self.scope = scope
        walk = FeedWalk(scope, sliceMax: sliceMax)
    }

    package func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        try walk.runSlice(store) { step throws(CloudError) in
            let tables = store.context.tables
            switch step {
            case .database(let database):
                guard scope.zoneName == nil, database.key.address.scope != .public else {
                    return false
                }
                if deleted == nil { count += 1 }
                let (place, end) = deleted ?? (0, database.seq)
                try store.databases.beginWriting(database)
                let step = try tables.zones.forgetDeleted(
                    in: database.id, after: place, upTo: end)
                if step?.isAny == true { database.floor = max(database.floor, end) }
                deleted = step.map { ($0.place, end) }
                return deleted != nil
            case .places(let database, let zone, let start, let end):
                let kind = database.key.address.scope
                if start == 0, scope.zoneName != nil, kind != .public { count += 1 }
                guard kind == .private else { return false }
                try store.databases.beginWriting(database)
                // Tokens expire before the first tombstone goes, as others may ask in between.
                if start == 0 {
                    try tables.zones.raiseFloor(of: zone, in: database.id)
                    last = try tables.records.end(of: zone.incarnation)
                }
                forgotten += try tables.records.forgetTombstones(
                    of: zone.incarnation, after: start, upTo: min(end, last))
                try tables.hierarchies.forgetGone(
                    in: zone.incarnation, after: start, upTo: min(end, last))
                return false
            }
        }
    }

    package func report() throws(SimulatedEvent.Refusal) -> SimulatedEvent.Report {
        guard count > 0 || scope.zoneName == nil else {
            throw .nothing(for: SimulatedEvent(.compact))
        }
        return SimulatedEvent.Report(
            message: "deletions compacted in \(SimulatedEvent.count(count, "database"))",
            changed: count)
    }
}
