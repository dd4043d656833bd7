package import CloudModel

/// What a ``SyncMachine`` is told about its database.
package struct SyncSettings: Sendable, Hashable {
    package var address: Database.Address
    /// The zone to exchange donations in; nil: this database has none. Only for the private
    /// database of the app's default container.
    package var donationZone: DonationZone?
    /// Whether an encrypted data reset lets donations live (R14).
    package var keepsDonationsOnReset = false
    /// Names and rows looked at in one transaction of a sweep.
    package var sweepLimit = 2000
    /// How many deletions that all devices have confirmed are kept before they are collected, so
    /// that newcomers seldom have to begin anew.
    package var deletionsKept = 64
    /// How many deletions that were collected each device remembers, the latest ones, so that what
    /// they covered is known when somebody saves it again.
    package var deletionsRemembered = 256
    /// How long a device may be silent before it is dropped from the register (R6).
    package var retention = Duration.seconds(180 * 86_400)

    /// Settings for a database.
    package init(address: Database.Address, donationZone: DonationZone? = nil) {
        self.address = address
        self.donationZone = donationZone
    }
}
