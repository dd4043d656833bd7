import CloudModel

/// The change tokens given out so far expire, of databases or of the zones of a name.
package final class ExpireJob: EventJob {
    private let scope: ResetScope
    private var walk: FeedWalk
    package private(set) var count = 0

    package init(_ scope: ResetScope) {
        self.scope = scope
        walk = FeedWalk(scope)
    }

    package func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        try walk.runSlice(store) { step throws(CloudError) in
            switch step {
            case .database(let database):
                guard database.key.address.scope != .public else { return false }
                try store.databases.beginWriting(database)
                var isAny = false
                if database.key.address.scope == .shared {
                    isAny = try store.shares.renumber(scope.zoneName, in: database)
                }
                if scope.zoneName == nil { database.floor = database.nextSeq() }
                if isAny || scope.zoneName == nil { count += 1 }
            case .places(let database, let zone, let start, _):
                guard start == 0, !zone.isDefault, database.key.address.scope == .private else {
                    return false
                }
                try store.context.tables.beginIfNeeded()
                try store.context.tables.zones.expireTokens(of: zone, in: database.id)
                if scope.zoneName != nil { count += 1 }
            }
            return false
        }
    }

    package func report() throws(SimulatedEvent.Refusal) -> SimulatedEvent.Report {
        guard count > 0 || scope.zoneName == nil else {
            throw .nothing(for: SimulatedEvent(.expireTokens))
        }
        return SimulatedEvent.Report(
            message: "tokens expired in \(SimulatedEvent.count(count, "database"))", changed: count)
    }
}
