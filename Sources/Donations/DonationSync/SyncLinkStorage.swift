package import CloudModel
package import Donations

/// What becomes of the synced copy of a donation that goes.
package enum SyncRemoval: Sendable, Hashable {
    /// It goes on this device only: its record in the donation zone stays.
    case here
    /// The content is gone for everybody: the record in the donation zone is deleted too, without
    /// a deletion record.
    case everywhere
}

/// The donations that are linked to content.
package protocol SyncLinkStorage: SyncFailing {
    /// Deletes what is linked into one of these parts of a container, and what hangs on it.
    ///
    /// 1. A row goes when its link lies inside a part (``ContentLink/contains(_:)``).
    /// 2. An activity goes when its strongly related item goes by 1 (D6), whatever its own link.
    /// 3. An activity goes when a row that went by 1 has its persistent identifier, and no
    ///    activity of that identifier is linked to anything outside the parts. The nested copies of
    ///    such an activity are taken out of interactions (D4, A14).
    /// 4. An interaction goes when a row that went by 1 has its group, and no interaction of the
    ///    group is linked to anything outside the parts.
    ///
    /// An activity or interaction without link shares 3 and 4: it belongs to the only content that
    /// its name is linked to. All is decided from the rows before the call. Parked rows are rows
    /// like others. Nothing is sent because of it but what `removal` says.
    /// - Returns: How many rows went.
    mutating func deleteLinked(
        _ parts: [ContentLink], _ removal: SyncRemoval
    ) throws(Failure) -> Int

    /// Takes no new donations linked into this part of a container.
    mutating func refuseLinks(into part: ContentLink) throws(Failure)
    /// Takes them again.
    mutating func allowLinks(into part: ContentLink) throws(Failure)
    /// Whether a donation with this link is to be refused; also for fenced zones.
    func refusesLink(_ link: ContentLink) throws(Failure) -> Bool

    /// Suspends the donations linked to a container: kept, shown to nobody, none taken. Remembers
    /// that the sync did it.
    mutating func suspend(_ container: Container.ID) throws(Failure)
    /// Ends a suspension by the sync; one by the app stays.
    mutating func resume(_ container: Container.ID) throws(Failure)
}
