package import Basics
package import CloudModel

/// Looks for records by name in all zones of a scope, deleted ones too.
package final class RecordSearch: StoreJob {
    package var isReadOnly: Bool { true }

    /// A record that was found.
    package struct Match {
        package let key: DatabaseKey
        package let zone: RecordZone.ID
        package let name: String
        /// nil: deleted.
        package let type: String?
    }

    /// Records that are shown.
    package static let limitMax = 200

    private var walk: FeedWalk
    private let name: Glob
    private let limit: Int
    package private(set) var matches: [Match] = []
    /// Whether it has ended before it had looked at everything.
    package private(set) var hasMore = false

    /// - Parameter limit: At most ``limitMax``.
    package init(_ name: Glob, in scope: ResetScope, limit: Int) {
        walk = FeedWalk(scope)
        self.name = name
        self.limit = min(limit, Self.limitMax)
    }

    package func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        let isUnfinished = try walk.runSlice(store) { step throws(CloudError) in
            guard case .places(let database, let zone, let start, let end) = step, !hasMore else {
                return false
            }
            let reached = store.shares.reached(zone, in: database)
            let table = store.context.tables.records
            for place in try table.places(
                in: zone.incarnation, after: start, upTo: end,
                named: name.isPlain ? name.pattern : nil)
            where name.matches(place.name) {
                // What is left of a deleted record does not say whether a participant ever saw it.
                guard reached.access.partialView == nil || place.type != nil,
                    try store.shares.shows(place.name, in: reached)
                else { continue }
                guard matches.count < limit else {
                    hasMore = true
                    break
                }
                matches.append(
                    Match(
                        key: database.key, zone: store.zoneID(zone, in: database.key),
                        name: place.name, type: place.type))
            }
            return false
        }
        return isUnfinished && !hasMore
    }
}
