package import Basics
package import CloudModel

/// A zone that was erased on purpose: nothing goes in, nothing comes out of it, until the user
/// lifts the fence.
package struct SyncFence: Sendable, Hashable {
    package let address: Database.Address
    /// The zone; in the private database without owner.
    package let zone: RecordZone.ID
    /// The run that erased the zone.
    package let run: String
    package let since: Timestamp
    /// The user whose zone it was; nil: not known. Another user's zone of the same name is free.
    package let user: String?

    /// A fence around a zone.
    package init(
        address: Database.Address, zone: RecordZone.ID, run: String, since: Timestamp,
        user: String? = nil
    ) {
        self.address = address
        self.zone = zone
        self.run = run
        self.since = since
        self.user = user
    }
}
