package import CloudModel

extension MockStore {
    /// Counts of every database that has been written to, in the order of their addresses.
    package func summary() throws(MockStoreError) -> [DatabaseSummary] {
        try stored { () throws(CloudError) in
            var summaries: [DatabaseSummary] = []
            for key in try tables.databaseKeys() {
                let counts = try tables.counts(in: try database(key).id)
                let isRestricted = restrictions.contains(
                    Self.restrictionKey(key.address, key.user))
                summaries.append(
                    DatabaseSummary(
                        address: key.address, user: key.user.isEmpty ? nil : key.user,
                        zones: counts.zones, records: counts.records,
                        subscriptions: counts.subscriptions,
                        isRestricted: isRestricted))
            }
            return summaries
        }
    }
}

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
