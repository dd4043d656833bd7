public import Donations

/// Something a search found.
public struct SearchHit: Sendable, Codable, Hashable {
    /// `.searchableItem`, or `.savedActivity`.
    public var kind: DonationKind
    /// An item's unique identifier, an activity's persistent one; nil for an activity without.
    public var identifier: String?
    /// The title, or the display name where there is none.
    public var title: String?
    /// An item's content type, an activity's type.
    public var type: String
    /// From 0 to 100, as the app set it.
    public var rankingHint: Int
}
