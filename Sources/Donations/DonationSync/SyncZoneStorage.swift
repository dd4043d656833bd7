package import CloudModel
package import Donations

/// Which zones of a database are looked for.
package enum SyncZoneFilter: Sendable, Hashable {
    /// Those with something to read or to sweep.
    case dirty
    /// Those that were not found, and of which the feed is to be asked once more.
    case doubted
    /// Live and unclear ones that no list of this generation, or a later one, named.
    case unlisted(before: Int64)
}

/// How far a sweep came.
package struct SyncSweep: Sendable, Hashable {
    /// Donations that went.
    package var rows: Int
    /// Whether no name of an older generation is left.
    package var isFinished: Bool

    /// The result of one chunk.
    package init(rows: Int, isFinished: Bool) {
        self.rows = rows
        self.isFinished = isFinished
    }
}

/// What is stored about zones and the names of their records.
///
/// Zones are compared by name and owner; in the private database they have no owner.
package protocol SyncZoneStorage: SyncFailing {
    /// A zone's state; nil when it was never heard of.
    func zone(
        _ id: RecordZone.ID, at address: Database.Address
    ) throws(Failure) -> SyncZone?
    /// Stores a zone's state.
    mutating func setZone(_ zone: SyncZone, at address: Database.Address) throws(Failure)
    /// One of the zones of a kind; which one does not matter, but it is the same while nothing
    /// is changed.
    func firstZone(
        _ filter: SyncZoneFilter, at address: Database.Address
    ) throws(Failure) -> SyncZone?
    /// All zones, for a status; at most `limit`, in the order of owner and name.
    func zones(
        at address: Database.Address, limit: Int
    ) throws(Failure) -> [SyncZone]

    /// Notes that records of these names are alive, as a scan or page of this generation says.
    mutating func note(
        _ names: [String], in zone: RecordZone.ID, at address: Database.Address,
        generation: Int64) throws(Failure)
    /// Those of these names that were noted, and last by an older generation.
    func notedNames(
        among names: [String], in zone: RecordZone.ID, at address: Database.Address,
        before generation: Int64
    ) throws(Failure) -> [String]
    /// Forgets that these names were alive.
    mutating func forgetNames(
        _ names: [String], in zone: RecordZone.ID, at address: Database.Address) throws(Failure)
    /// Forgets all names of a zone.
    mutating func forgetNames(
        in zone: RecordZone.ID, at address: Database.Address) throws(Failure)
    /// Treats names of older generations as deleted: what is linked to them goes as
    /// ``SyncLinkStorage/deleteLinked(_:_:)`` says, then the names are forgotten.
    ///
    /// Donations whose record was never noted stay. `links` gives the ways that donations may name
    /// the zone; the records' names are added to each.
    /// - Parameter limit: Roughly how many names and rows to look at in this call; at least 1.
    mutating func sweepNames(
        in zone: RecordZone.ID, at address: Database.Address, before generation: Int64,
        links: [ContentLink], limit: Int
    ) throws(Failure) -> SyncSweep
}
