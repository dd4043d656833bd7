package import CloudModel

/// How much one database holds.
package struct DatabaseSummary: Sendable, Hashable {
    package let address: Database.Address
    /// The account it belongs to; nil for a public database.
    package let user: String?
    /// Custom zones.
    package var zones = 0
    /// Records in all zones, the default zone's included.
    package var records = 0
    /// Assets in those, and their bytes; one that several fields have counts for each.
    package var assets = 0
    package var assetBytes: Int64 = 0
    package var subscriptions: Int
    /// Places given so far in the feeds of its live zones.
    package var feedPlaces = 0
    /// Whether the user has restricted access to the container.
    package var isRestricted: Bool

    /// Whether there is nothing in it.
    package var isEmpty: Bool { zones == 0 && records == 0 && subscriptions == 0 }
}

/// Counts what is in each database that has been written to. Each part is counted as it is at that time.
package final class SummaryJob: StoreJob {
    package var isReadOnly: Bool { true }
    private var walk: FeedWalk
    /// In the order of the databases' addresses.
    package private(set) var summaries: [DatabaseSummary] = []

    /// - Parameter user: nil: everybody's, and the public databases.
    package init(user: String? = nil) { walk = FeedWalk(ResetScope(user: user)) }

    package func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        try walk.runSlice(store) { step throws(CloudError) in
            let tables = store.context.tables
            switch step {
            case .database(let database):
                let key = database.key
                summaries.append(
                    DatabaseSummary(
                        address: key.address, user: key.user.isEmpty ? nil : key.user,
                        subscriptions: try tables.subscriptions.count(in: database.id),
                        isRestricted: store.accounts.isRestricted(key.user, at: key.address)))
            case .places(let database, let zone, let start, let end):
                let last = summaries.count - 1
                if start == 0, !zone.isDefault { summaries[last].zones += 1 }
                if start == 0 { summaries[last].feedPlaces += Int(zone.seq) }
                let reached = store.shares.reached(zone, in: database)
                summaries[last].records += try store.shares.count(
                    in: reached, after: start, upTo: end)
                guard try tables.assets.isAny() else { return false }
                let assets = try store.shares.assetCount(in: reached, after: start, upTo: end)
                summaries[last].assets += assets.count
                summaries[last].assetBytes += assets.bytes
            }
            return false
        }
    }
}
