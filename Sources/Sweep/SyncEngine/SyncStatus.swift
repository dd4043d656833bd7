package import CloudModel
package import DonationSync

/// What a sync knows, without asking anybody.
package struct SyncStatus: Sendable, Hashable {
    /// One database.
    package struct DatabaseStatus: Sendable, Hashable {
        package let address: Database.Address
        package let database: SyncDatabase
        /// Whether anybody was ever seen signed in.
        package let isUserKnown: Bool
        /// Whether its donations rest because the container is restricted.
        package let isSuspended: Bool
        /// How many zones are in which state, of the first ``SyncStatus/zonesMax``.
        package let zones: [SyncZoneStatus: Int]
        package let fences: Int
        /// All that was ever counted.
        package let report: SyncReport
    }

    /// Zones that are counted at most.
    package static let zonesMax = 100_000
    /// Things to be sent that are counted at most.
    package static let pendingMax = 10_000
    /// Entries of the rescue log that are shown.
    package static let rescuesMax = 20

    package internal(set) var databases: [DatabaseStatus] = []
    package internal(set) var isExchangeOn = false
    package internal(set) var includesItems = false
    /// Whether this device has a name in a donation zone.
    package internal(set) var hasJoined = false
    /// The devices registered there.
    package internal(set) var devices = 0
    /// The rounds that this device confirmed.
    package internal(set) var round: Int64 = 0
    package internal(set) var pendingDeletions = 0
    package internal(set) var pendingDeletes = 0
    package internal(set) var pendingRows = 0
    /// What was not sent, oldest first.
    package internal(set) var rescues: [SyncRescue] = []

    /// Nothing is known, as where there is no store.
    package init() {}
}
