package import CloudModel

/// A zone of a database, live or deleted, and how much it holds.
package struct ZoneFacts {
    package let row: ZoneRow
    /// With its owner in a shared database.
    package let id: RecordZone.ID
    /// Live records that the database's user sees.
    package var records = 0
    /// Deleted records that are not forgotten; nil where the user sees single hierarchies only.
    package var tombstones: Int?
    package let shares: Int
}

/// Lists the zones of a database in the order of their last change, and counts what each holds.
package final class ZoneListing: StoreJob {
    package var isReadOnly: Bool { true }

    /// Zones of one page.
    package static let limitMax = 200
    /// Places of a feed that are counted in one step.
    private static let placesMax: Int64 = 2_000

    private let key: DatabaseKey
    private let after: Int64
    private let limit: Int
    package private(set) var zones: [ZoneFacts] = []
    /// Whether other zones follow.
    package private(set) var hasMore = false
    /// Those that are not counted yet; nil before they are known.
    private var left: ArraySlice<ZoneRow>?
    /// Up to where the first of them is counted.
    private var place: Int64 = 0

    /// - Parameters:
    ///   - after: A ``ZoneRow/dbSeq``, or -1.
    ///   - limit: At most ``limitMax``.
    package init(_ key: DatabaseKey, after: Int64, limit: Int) {
        self.key = key
        self.after = after
        self.limit = min(limit, Self.limitMax)
    }

    package func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        try store.slice { () throws(CloudError) in try step(store) }
    }

    /// - Returns: Whether there is more to do.
    private func step(_ store: MockStore) throws(CloudError) -> Bool {
        let tables = store.context.tables
        let database = try tables.databases.find(key)
        guard let row = left?.first else {
            guard left == nil else { return false }
            let found = try tables.zones.changed(
                in: database.id, after: after, limit: limit + 1)
            hasMore = found.count > limit
            left = found.prefix(limit)
            return true
        }
        let reached = try reached(row, in: database, store)
        let isPartial = reached.access.partialView != nil
        if place == 0 {
            zones.append(
                ZoneFacts(
                    row: reached, id: store.zoneID(row, in: key), tombstones: isPartial ? nil : 0,
                    shares: key.address.scope == .shared
                        ? 0 : store.shares.zone(row.incarnation)?.shares.count ?? 0))
        }
        // What came into a view has places of its own, which may be after those of all records.
        let end =
            isPartial ? reached.seq : row.isLive ? try tables.records.end(of: row.incarnation) : 0
        let next = min(end, place + Self.placesMax)
        let last = zones.count - 1
        if isPartial {
            for share in reached.access.partialView?.shares.keys.sorted() ?? [] {
                zones[last].records += try tables.hierarchies.count(
                    of: share, after: place, upTo: next)
            }
        } else if row.isLive {
            let counts = try tables.records.counts(in: row.incarnation, after: place, upTo: next)
            zones[last].records += counts.live
            zones[last].tombstones = (zones[last].tombstones ?? 0) + counts.deleted
        }
        place = next
        if next >= end {
            left = left?.dropFirst()
            place = 0
        }
        return true
    }
    /// A zone as the database's user reaches it, with the end of its owner's feed.
    private func reached(
        _ row: ZoneRow, in database: DatabaseState, _ store: MockStore
    ) throws(CloudError) -> ZoneRow {
        guard row.isLive, key.address.scope == .shared else { return row }
        do throws(CloudError) {
            return try store.zones.find(
                store.zoneID(row, in: key), store.sessions.service(database))
        } catch {
            try store.context.tables.rethrowFailure(error)
            return row
        }
    }
}
