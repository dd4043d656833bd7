import CloudModel

/// Empties what fits a scope. Users, containers and schemas stay; so do the counters behind tags and tokens,
/// so that nothing from before is taken for something new.
///
/// Zones that are made while it goes on may stay.
package final class ResetJob: StoreJob {
    private let scope: ResetScope
    private var walk: FeedWalk
    /// Where the feed of the database was when it began to be emptied.
    private var end: Int64?

    /// - Parameter sliceMax: A slice begins no other step after this time.
    package init(
        _ scope: ResetScope = ResetScope(), sliceMax: Duration = .milliseconds(15)
    ) {
        self.scope = scope
        walk = FeedWalk(scope, sliceMax: sliceMax)
    }

    package func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        let isMore = try walk.runSlice(store) { step throws(CloudError) in
            switch step {
            case .database(let database):
                guard scope.zoneName == nil else { return false }
                return try store.zones.emptySome(database, upTo: &end)
            case .places(let database, let zone, let start, _):
                if start == 0, scope.zoneName != nil { try store.zones.empty(zone, in: database) }
                return false
            }
        }
        guard !isMore else { return true }
        try store.stored { () throws(CloudError) in
            try store.pushes.forget(scope)
            guard scope.zoneName == nil else { return }
            if scope.scope == nil || scope.scope == .private {
                try store.accounts.liftRestrictions(scope)
            }
            if scope.user == nil, scope.scope == nil { try store.containers.forgetTypes(scope) }
        }
        return false
    }
}
