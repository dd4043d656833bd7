/// Why a row was not sent or not taken (R11).
package enum SyncRefusal: String, Sendable, Hashable, CaseIterable, Error {
    /// A deletion covers it.
    case covered
    /// It is linked to a zone that takes no donations: fenced, or purged by the user.
    case refusedLink
    /// What it holds is so large that it would have to be an asset.
    case needsAsset
    /// The record would be larger than records may be.
    case tooLarge
    /// A record is not what this version writes; it is left as it is.
    case unreadable
    /// The service does not take it.
    case byService
    /// Other devices changed it each time it was sent.
    case conflicts
    /// It was sent into an earlier incarnation of the zone, and came to this one late.
    case otherIncarnation
    /// Its record was deleted meanwhile.
    case vanished
}
