/// What came of asking the delegate to index again. Not in Apple's interface.
public struct CSReindexReport: Sendable, Hashable {
    /// Whether the delegate acknowledged; if not, nothing was removed, and the same must be asked
    /// again.
    public let isAcknowledged: Bool
    /// How many items the app indexed or deleted meanwhile.
    public let offered: Int
    /// How many of them were not taken, because they had been deleted on all devices: what was
    /// erased does not come back by a new index. The app's content still has them.
    public let refused: Int
    /// How many items were removed because they were not offered again.
    public let removed: Int
}
