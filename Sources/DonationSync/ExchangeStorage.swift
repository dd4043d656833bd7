package import Donations

/// What the exchange of donations between devices keeps: one app, one zone.
package protocol ExchangeStorage {
    /// Why the storage failed.
    associatedtype Failure: Error

    /// What this device knows of the zone.
    func exchange() throws(Failure) -> ExchangeFacts
    /// Stores what this device knows.
    mutating func setExchange(_ facts: ExchangeFacts) throws(Failure)

    // MARK: Deletions

    /// Deletions made here and not pushed, by number.
    func ownDeletions(limit: Int) throws(Failure) -> [OwnDeletion]
    /// Adds a deletion made here.
    mutating func addOwnDeletion(_ deletion: OwnDeletion) throws(Failure)
    /// Removes own deletions up to a number: they are in the zone.
    mutating func removeOwnDeletions(through sequence: Int64) throws(Failure)
    /// Every deletion record known and not collected, by device and number.
    func deletions() throws(Failure) -> [SyncDeletion]
    /// Stores a deletion record; a known one is replaced.
    mutating func putDeletion(_ deletion: SyncDeletion) throws(Failure)
    /// Forgets deletions of a device up to a number: they are collected.
    mutating func removeDeletions(
        of device: String, through sequence: Int64) throws(Failure)
    /// Forgets all deletion records and own deletions.
    mutating func removeAllDeletions() throws(Failure)

    // MARK: Rows

    /// Rows that can be synced, parked ones too, after a row and in order; at most `limit`. Siri's
    /// own are not among them.
    func rows(after row: RowID?, limit: Int) throws(Failure) -> [SyncedRow]
    /// The same, of those without a record.
    func rowsWithoutRecord(after row: RowID?, limit: Int) throws(Failure) -> [SyncedRow]
    /// Rows with a record that no scan of this generation, or a later one, delivered.
    func rows(unseenSince generation: Int64, limit: Int) throws(Failure) -> [SyncedRow]
    /// The row of a record.
    func row(named recordName: String) throws(Failure) -> SyncedRow?
    /// The row that is the same thing for the app: an interaction, item or App Intents record of
    /// the identifier, a saved activity of the key.
    func row(like donation: Donation) throws(Failure) -> SyncedRow?
    /// Stores a row that arrived, or replaces the one with its id when that is not 0.
    /// - Returns: Its id.
    @discardableResult
    mutating func putRow(_ row: SyncedRow) throws(Failure) -> RowID
    /// Notes a row's record; nil as name: it has none any more.
    mutating func setRecord(
        _ recordName: String?, tag: String?, of row: RowID) throws(Failure)
    /// Removes rows, without any cascade and without a record delete.
    mutating func removeRows(_ rows: [RowID]) throws(Failure)
    /// Removes every row that can be synced: the zone was lost. How many there were.
    mutating func removeSyncableRows() throws(Failure) -> Int
    /// Whether an item is in this device's index.
    func hasItem(_ identifier: String) throws(Failure) -> Bool
    /// Shows the parked activities whose item is here now, hides those whose item is not; how many
    /// are parked after that.
    mutating func settleParkedRows() throws(Failure) -> Int

    // MARK: Record deletes

    /// Names of records that are to be deleted from the zone, in order; at most `limit`.
    func pendingDeletes(limit: Int) throws(Failure) -> [String]
    /// Adds names; one that is there stays once.
    mutating func addPendingDeletes(_ names: [String]) throws(Failure)
    /// Removes names.
    mutating func removePendingDeletes(_ names: [String]) throws(Failure)
    /// Removes all names; how many there were.
    mutating func removeAllPendingDeletes() throws(Failure) -> Int
}
