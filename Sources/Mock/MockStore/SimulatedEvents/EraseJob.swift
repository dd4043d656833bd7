package import CloudModel
import CloudWire

/// Zones of a private database go for another reason than an app's request: one, or all that were there when
/// it began. Where the reason is `purged` so does what is in the default zone.
package final class EraseJob: EventJob {
    private let zoneName: String?
    private let reason: RecordZone.DeletionReason
    private var walk: FeedWalk
    /// How far it has come through the zones.
    private var zones: ZoneWalk?
    private var count = 0
    /// The first of them.
    private var names: [String] = []

    /// - Parameter sliceMax: A slice begins no other step after this time.
    package init(
        _ zoneName: String? = nil, of user: String, at address: Database.Address,
        _ reason: RecordZone.DeletionReason, sliceMax: Duration = .milliseconds(15)
    ) {
        self.zoneName = zoneName
        self.reason = reason
        let scope = ResetScope(
            user: user, container: address.container, environment: address.environment,
            scope: address.scope, zoneName: zoneName)
        walk = FeedWalk(scope, sliceMax: sliceMax)
    }

    package func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        try walk.runSlice(store) { step throws(CloudError) in
            switch step {
            case .database(let database):
                guard zoneName == nil else { return false }
                note(try store.zones.eraseSome(in: database, &zones, reason))
                return zones != nil
            case .places(let database, let zone, let start, _):
                guard start == 0, zoneName != nil, !zone.isDefault else { return false }
                try store.zones.erase(zone, in: database, reason)
                note([zone])
                return false
            }
        }
    }

    private func note(_ zones: [ZoneRow]) {
        count += zones.count
        names += zones.prefix(WireLimits.zonesMax - names.count).map(\.name)
    }

    package func report() throws(SimulatedEvent.Refusal) -> SimulatedEvent.Report {
        let isPurge = reason == .purged
        guard count > 0 || zoneName == nil else {
            throw .nothing(for: SimulatedEvent(isPurge ? .purge : .resetEncryptedData))
        }
        return SimulatedEvent.Report(
            message: "\(isPurge ? "erased" : "lost"): \(SimulatedEvent.count(count, "zone"))",
            changed: count, zones: names.sorted())
    }
}
