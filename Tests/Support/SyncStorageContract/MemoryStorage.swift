import CloudModel
package import DonationSync
import Donations

/// A ``SyncStorage`` and donation store in memory: a value, so that a copy is a backup, and a
/// crash is to drop the copy a transaction worked on.
///
/// Plain rather than quick: every question looks at all rows.
package struct MemoryStorage: SyncStorage, Sendable, Hashable {
    /// Cannot fail.
    package typealias Failure = Never

    struct ZoneKey: Hashable {
        let address: Database.Address
        let zone: RecordZone.ID
    }

    var accounts: [Database.Address: SyncAccount] = [:]
    var databases: [Database.Address: SyncDatabase] = [:]
    var reports: [Database.Address: SyncReport] = [:]
    var zones: [ZoneKey: SyncZone] = [:]
    var names: [ZoneKey: [String: Int64]] = [:]
    var refused: Set<ContentLink> = []
    var suspendedBySync: Set<String> = []
    /// Containers that the app itself found restricted.
    package var suspendedByApp: Set<String> = []
    var standingFences: [ZoneKey: [SyncFence]] = [:]
    var liftedFences: Set<SyncFence> = []
    var rescueLog: [SyncRescue] = []
    var facts = ExchangeFacts()
    var ownDeletionList: [OwnDeletion] = []
    var deletionList: [String: [Int64: SyncDeletion]] = [:]
    var goneRecords: [String: GoneRecord] = [:]
    /// How far this device's clock is before the service's, as far as it was found out.
    var clockAhead: Int64 = 0
    /// Every row, parked and suspended ones too.
    package internal(set) var table: [RowID: SyncedRow] = [:]
    var lastRow: Int64 = 0

    /// An empty storage.
    package init() {}
}
