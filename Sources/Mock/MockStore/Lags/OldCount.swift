import CloudModel

/// Counts what compacting would forget, and the databases whose tokens could expire.
package final class OldCount: StoreJob {
    package let isReadOnly = true
    private var walk = FeedWalk(ResetScope())
    /// Deletions of records.
    package private(set) var tombstones = 0
    /// Databases that tokens of now are good for.
    package private(set) var databases = 0

    package init() {}

    package func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        try walk.runSlice(store) { step throws(CloudError) in
            switch step {
            case .database(let database):
                if database.key.address.scope != .public, database.seq > database.floor {
                    databases += 1
                }
            case .places(let database, let zone, let start, let end):
                guard database.key.address.scope == .private else { break }
                tombstones += try store.context.tables.records.countTombstones(
                    of: zone.incarnation, after: start, upTo: end)
            }
            return false
        }
    }
}

/// Two jobs, one after the other.
package final class JobPair: StoreJob {
    private let first: any StoreJob
    private let second: any StoreJob
    private var isFirstDone = false

    package init(_ first: any StoreJob, _ second: any StoreJob) {
        self.first = first
        self.second = second
    }

    package func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        if isFirstDone { return try second.runSlice(store) }
        isFirstDone = try !first.runSlice(store)
        return true
    }
}
