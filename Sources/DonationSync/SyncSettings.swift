package import CloudModel

/// What a ``SyncMachine`` is told about its database.
package struct SyncSettings: Sendable, Hashable {
    package var address: Database.Address
    /// The zone to exchange donations in; nil: this database has none. Only for the private
    /// database of the app's default container.
    package var donationZone: DonationZone?
    /// Whether an encrypted data reset lets donations live (R14).
    package var keepsDonationsOnReset = false
    /// Records asked for in a page; nil: the service's own limit.
    package var pageLimit: Int?
    /// Names and rows looked at in one transaction of a sweep.
    package var sweepLimit = 2000
    package var rules = SyncRules.standard

    /// Settings for a database.
    package init(address: Database.Address, donationZone: DonationZone? = nil) {
        self.address = address
        self.donationZone = donationZone
    }
}
