package import Basics
package import Donations

/// What the exchange of donations between devices keeps: one app, one zone.
///
/// The app's own acts change it too, each in the transaction of the act:
///
/// - A row that goes on this device only and has a record (``SyncedRow/recordName``) is left to
///   ``putGone(_:)`` with `isToDelete` off, one that goes everywhere with `isToDelete` on; and the
///   deletion that is meant for all calls ``Exchange/noteDeletion(_:_:now:)`` once.
/// - A row that goes by its expiration goes everywhere when it is past its time by the service's
///   clock too (``ExchangeFacts/serverTime``). Else it is deleted on this device only, with a
///   ``GoneRecord/deletesFrom``: another device's clock may be right.
/// - A row that has a record and is replaced, updated or scrubbed gets one more
///   ``SyncedRow/edits`` and is no longer ``SyncedRow/isRefused``.
/// - An item that comes or goes calls ``settleParkedRows()``.
package protocol ExchangeStorage: SyncFailing {
    /// What this device knows of the zone.
    func exchange() throws(Failure) -> ExchangeFacts
    /// Stores what this device knows.
    mutating func setExchange(_ facts: ExchangeFacts) throws(Failure)

    // MARK: Deletions

    /// Deletions made here and not pushed, by number; at most `limit`.
    func ownDeletions(limit: Int) throws(Failure) -> [OwnDeletion]
    /// Adds a deletion made here.
    mutating func addOwnDeletion(_ deletion: OwnDeletion) throws(Failure)
    /// Removes the own deletion of a number: it is in the zone. Those before it stay.
    mutating func removeOwnDeletion(_ sequence: Int64) throws(Failure)
    /// Removes all own deletions: they are numbered anew.
    mutating func removeOwnDeletions() throws(Failure)
    /// Every deletion record known, by device and number.
    func deletions() throws(Failure) -> [SyncDeletion]
    /// Stores a deletion record; a known one of that device and number is replaced.
    mutating func putDeletion(_ deletion: SyncDeletion) throws(Failure)
    /// Forgets one deletion record: it is collected.
    mutating func removeDeletion(of device: String, sequence: Int64) throws(Failure)
    /// Forgets all deletion records and own deletions.
    mutating func removeAllDeletions() throws(Failure)

    // MARK: Rows

    /// All rows after a row and in order, parked ones and Siri's too; at most `limit`.
    func rows(after row: RowID?, limit: Int) throws(Failure) -> [SyncedRow]
    /// The rows whose ``SyncedRow/isToUpload`` is true, after a row and in order; at most `limit`.
    /// Siri's own are not among them, items only when asked for.
    func rowsToUpload(
        after row: RowID?, includingItems: Bool, limit: Int
    ) throws(Failure) -> [SyncedRow]
    /// Rows with a tag that no scan of this generation, or a later one, delivered.
    func rows(unseenSince generation: Int64, limit: Int) throws(Failure) -> [SyncedRow]
    /// The row of a number, parked or not.
    func row(_ id: RowID) throws(Failure) -> SyncedRow?
    /// The row of a record.
    func row(named recordName: String) throws(Failure) -> SyncedRow?
    /// The row that is the same thing for the app: an interaction, item or App Intents record of
    /// the identifier, a saved activity of the key. Never one for an event of an activity.
    func row(like donation: Donation) throws(Failure) -> SyncedRow?
    /// Stores a row as it is given, with its ``Donation/donatedAt``, or replaces the one that has
    /// its number when that is not 0. Adds no edit.
    /// - Returns: Its id.
    @discardableResult
    mutating func putRow(_ row: SyncedRow) throws(Failure) -> RowID
    /// Stores everything but the donation of a row; nothing when there is no such row.
    mutating func setRecord(_ row: SyncedRow) throws(Failure)
    /// Removes rows, without any cascade and without a word about their records.
    mutating func removeRows(_ rows: [RowID]) throws(Failure)
    /// Removes every row, Siri's and parked ones too: another user is signed in. How many there
    /// were.
    mutating func removeAllRows() throws(Failure) -> Int
    /// Removes the rows that are exchanged, parked ones too: the zone is not the one they were in.
    /// Siri's rows stay, and items unless they are exchanged. How many there were.
    mutating func removeExchangedRows(includingItems: Bool) throws(Failure) -> Int
    /// The item of this device's index with an identifier.
    func item(_ identifier: String) throws(Failure) -> Donation?
    /// Shows the parked activities whose item is here now, hides those whose item is not; how many
    /// are parked after that.
    mutating func settleParkedRows() throws(Failure) -> Int

    // MARK: Records whose row is gone

    /// What is noted of a record whose row is gone from this device.
    func gone(_ recordName: String) throws(Failure) -> GoneRecord?
    /// Records to delete whose tag is known, in order of their names; at most `limit`.
    func pendingDeletes(limit: Int) throws(Failure) -> [GoneRecord]
    /// Notes records; one of the same name is replaced.
    mutating func putGone(_ records: [GoneRecord]) throws(Failure)
    /// From when by this device's clock the service's should be asked, because a record may be
    /// past its ``GoneRecord/deletesFrom``; nil: no record waits for that.
    func releaseMoment() throws(Failure) -> Timestamp?
    /// Makes the records whose ``GoneRecord/deletesFrom`` is over ones to delete.
    ///
    /// - Parameters:
    ///   - time: The service's clock.
    ///   - now: This device's clock at the moment of `time`: the others wait by it for as long as
    ///     the service's clock still lacks. Nil: `time` is an older one.
    mutating func releaseGone(at time: Timestamp, now: Timestamp?) throws(Failure)
    /// Forgets records by name.
    mutating func removeGone(_ names: [String]) throws(Failure)
    /// Forgets the records whose tag is not known.
    mutating func removeGoneWithoutTag() throws(Failure)
    /// Forgets all; how many of them were to be deleted.
    mutating func removeAllGone() throws(Failure) -> Int
}

/// A record of the donation zone whose row is gone from this device.
package struct GoneRecord: Sendable, Hashable {
    package var recordName: String
    /// The version that the row was; nil: it was sent, and no answer came yet.
    package var tag: String?
    /// Whether the record is to be deleted; else it only must not come back here.
    package var isToDelete: Bool
    /// When the row that went from this device only was donated: a record that holds no later
    /// donation is the same one, whatever its version. Nil: its version decides.
    package var donatedAt: Timestamp?
    /// From when by the service's clock the record is to be deleted after all; nil: never.
    package var deletesFrom: Timestamp?

    /// A record whose row is gone.
    package init(
        _ recordName: String, tag: String?, isToDelete: Bool, donatedAt: Timestamp? = nil,
        deletesFrom: Timestamp? = nil
    ) {
        self.recordName = recordName
        self.tag = tag
        self.isToDelete = isToDelete
        self.donatedAt = donatedAt
        self.deletesFrom = deletesFrom
    }
}
