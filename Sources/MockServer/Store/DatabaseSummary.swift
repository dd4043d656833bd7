package import CloudModel

/// How much one database holds.
package struct DatabaseSummary: Sendable, Hashable {
    package let address: Database.Address
    /// The account it belongs to; nil for a public database.
    package let user: String?
    /// Custom zones.
    package var zones: Int
    /// Records in all zones, the default zone's included.
    package var records: Int
    package var subscriptions: Int
    /// Whether the user has restricted access to the container.
    package var isRestricted: Bool

    /// Whether there is nothing in it.
    package var isEmpty: Bool { zones == 0 && records == 0 && subscriptions == 0 }
}
