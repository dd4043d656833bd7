/// Which rules are kept. Production code uses ``standard``; a test turns one off to see it missed.
package struct SyncRules: Sendable, Hashable {
    // MARK: Content

    /// After a scan, names that were not delivered count as deleted.
    package var sweepsAfterScan = true
    /// Only a scan that came to its end is followed by a sweep.
    package var sweepsOnlyCompleteScans = true
    /// Records that were never seen in a zone are not swept: they may wait to be uploaded.
    package var keepsNeverSeen = true
    /// What arrives in a fenced zone is reported and not applied.
    package var honoursFences = true
    /// A purged zone takes no new links until it is seen alive again.
    package var refusesPurgedZones = true
    /// A missing zone that no feed reported changes nothing.
    package var unclearDeletesNothing = true
    /// Another user's token is never used, nor his donations kept.
    package var checksIdentity = true
    /// A zone that is gone takes what was linked to it along.
    package var followsZoneDeletions = true
    /// A wait is never shortened.
    package var keepsWaits = true
    /// A database feed that begins anew ends with the zones it did not name.
    package var sweepsZoneList = true

    // MARK: Exchange

    /// Deletions are kept as records (R1, R6).
    package var keepsDeletions = true
    /// A deletion travels as its selector, not as the rows it hit (R1).
    package var sendsSelectors = true
    /// Contexts decide what a deletion covers, not clocks (R2).
    package var comparesContexts = true
    /// Deletions are fetched before donations are sent (R3).
    package var fetchesDeletionsFirst = true
    /// A record that vanished is not inserted again (R4).
    package var dropsVanished = true
    /// Deletions are collected when all devices have confirmed them, not before (R6).
    package var collectsOnlyConfirmed = true
    /// The base of all contexts is kept when deletions are collected (R7).
    package var raisesBase = true
    /// Collected deletions are remembered (R7).
    package var remembersCollected = true
    /// Another incarnation means that all rows of the old one go (R8).
    package var dropsOldIncarnation = true
    /// A device that was rolled back takes another name (R9).
    package var renamesAfterRollBack = true
    /// A zone that was lost is not created again by itself (5.5).
    package var leavesLostZones = true

    /// All rules.
    package static let standard = SyncRules()

    private init() {}
}
