package import Basics
package import CloudModel

/// A change that was not sent, kept so that the user can read what became of it.
package struct SyncRescue: Sendable, Hashable {
    /// Why it was not sent.
    package enum Cause: String, Sendable, Hashable, CaseIterable {
        /// Its zone is fenced.
        case fenced
        /// Its zone is gone.
        case zoneGone
        /// The record it changes was deleted.
        case recordVanished
        /// The service refuses it.
        case refused
    }
    package var at: Timestamp
    package var cause: Cause
    package var zone: RecordZone.ID
    /// The record's name, a digest; nil: the whole zone's pending changes.
    package var recordName: String?
    /// How many changes this entry stands for.
    package var changes: Int64

    /// An entry of the log.
    package init(
        at: Timestamp, cause: Cause, zone: RecordZone.ID, recordName: String? = nil,
        changes: Int64 = 1
    ) {
        self.at = at
        self.cause = cause
        self.zone = zone
        self.recordName = recordName
        self.changes = changes
    }
}

/// Fences around erased zones, and the log of what they kept back.
///
/// A fence stands until it is lifted. While another user than its own is known for the container it
/// stands for nothing: no method but ``setFences(_:)`` sees it.
package protocol SyncFenceStorage: SyncFailing {
    /// The standing fences of a database.
    func fences(at address: Database.Address) throws(Failure) -> [SyncFence]
    /// Adds fences; those that were lifted before, of the same zone and run, stay lifted. One that
    /// is there already, of nobody known, takes over the user.
    mutating func setFences(_ fences: [SyncFence]) throws(Failure)
    /// Lifts all fences around a zone. How many there were. The user's act is
    /// ``SyncStorage/unfence(_:at:)``, which also has the zone read anew.
    mutating func liftFences(
        around zone: RecordZone.ID, at address: Database.Address
    ) throws(Failure) -> Int
    /// Whether a zone is fenced.
    func isFenced(
        _ zone: RecordZone.ID, at address: Database.Address
    ) throws(Failure) -> Bool

    /// Adds to the rescue log.
    mutating func rescue(_ entry: SyncRescue) throws(Failure)
    /// The latest entries of the rescue log, oldest first.
    func rescues(limit: Int) throws(Failure) -> [SyncRescue]
}
