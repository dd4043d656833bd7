import CloudModel

/// Empties what fits a scope. Users, containers and schemas stay; so do the counters behind tags and tokens,
/// so that nothing from before is taken for something new.
///
/// Zones that are made while it goes on may stay.
package final class ResetJob: StoreJob {
    private let scope: ResetScope
    private var walk: FeedWalk
    /// How far it has come through the zones of a database.
    private var zones: ZoneWalk?
    private var hasBegun = false

    /// - Parameter sliceMax: A slice begins no other step after this time.
    package init(
        _ scope: ResetScope = ResetScope(), sliceMax: Duration = .milliseconds(15)
    ) {
        self.scope = scope
        walk = FeedWalk(scope, sliceMax: sliceMax)
    }

    package func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        if !hasBegun {
            // In the first slice, as what is saved after it stays.
            try store.stored { () throws(CloudError) in try forgetBesideZones(store) }
            hasBegun = true
        }
        return try walk.runSlice(store) { step throws(CloudError) in
            switch step {
            case .database(let database):
                guard scope.zoneName == nil else { return false }
                try store.zones.emptySome(database, &zones)
                return zones != nil
            case .places(let database, let zone, let start, _):
                if start == 0, scope.zoneName != nil { try store.zones.empty(zone, in: database) }
                return false
            }
        }
    }

    private func forgetBesideZones(_ store: MockStore) throws(CloudError) {
        try store.pushes.forget(scope)
        guard scope.zoneName == nil else { return }
        try store.context.quotas.lift(scope)
        if scope.scope == nil || scope.scope == .private {
            try store.accounts.liftRestrictions(scope)
        }
        if scope.user == nil, scope.scope == nil { try store.containers.forgetTypes(scope) }
    }
}
