/// What came of asking the delegate to index again. Not in Apple's interface.
public struct CSReindexReport: Sendable, Hashable {
    /// Whether the delegate acknowledged; if not, nothing was removed, and the same must be asked
    /// again.
    public let isAcknowledged: Bool
    /// How many items the app indexed or deleted meanwhile.
    public let offered: Int
    /// How many items were removed because they were not offered again.
    public let removed: Int
}
