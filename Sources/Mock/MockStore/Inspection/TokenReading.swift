package import Basics
package import CloudModel

/// Finds out which feed a change token is of. The token holds no name, only a digest of names, so the
/// digests of all feeds are compared.
package final class TokenReading: StoreJob {
    package var isReadOnly: Bool { true }

    /// The feed it is of.
    package struct Feed {
        package let key: DatabaseKey
        /// nil: the database's own.
        package let zone: RecordZone.ID?
        package let standing: FeedStanding
        /// When the newest record that it has been told of was changed.
        package let time: Timestamp?
    }

    private static let stepZones = 200

    let token: FeedToken
    package private(set) var feed: Feed?
    /// What is left, the next at the end; nil before it is known.
    private var keys: [DatabaseKey]?
    /// The place of the last zone that was compared in the current database.
    private var last: Int64 = -1

    package init(_ token: FeedToken) { self.token = token }

    package func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        try store.slice { () throws(CloudError) in try step(store) }
    }

    private func step(_ store: MockStore) throws(CloudError) -> Bool {
        let tables = store.context.tables
        guard let keys else {
            keys = try tables.databases.keys().reversed()
            return true
        }
        guard let key = keys.last else { return false }
        let database = try store.databases.state(key)
        guard token.kind == .zone else {
            guard database.digest == token.digest else {
                self.keys?.removeLast()
                return true
            }
            feed = Feed(
                key: key, zone: nil, standing: try store.standing(of: token, key, nil), time: nil)
            return false
        }
        let zones = try tables.zones.changed(in: database.id, after: last, limit: Self.stepZones)
        for row in zones
        where FeedToken.digest([row.name], from: database.digest) == token.digest {
            feed = try feed(of: row, in: key, store)
            return false
        }
        last = zones.last?.dbSeq ?? last
        if zones.count < Self.stepZones {
            self.keys?.removeLast()
            last = -1
        }
        return true
    }

    private func feed(
        of row: ZoneRow, in key: DatabaseKey, _ store: MockStore
    ) throws(CloudError) -> Feed {
        let id = store.zoneID(row, in: key)
        let standing = try store.standing(of: token, key, id)
        var time: Timestamp?
        if row.isLive, standing.expiry != .recreated, !token.isReverse {
            time = try store.context.tables.records.liveEntries(
                in: row.incarnation, before: token.sequence + 1, limit: 1
            ).rows.first?.record?.modified.timestamp
        }
        return Feed(key: key, zone: id, standing: standing, time: time)
    }
}
