package import Basics
package import Donations
package import FoundationEssentials

extension DonationStore {
    /// How many hits a search gives at most.
    public static let searchLimitMax = 1_000

    /// Finds items, and activities that may be searched for, by the words of their titles,
    /// display names, keywords and descriptions.
    ///
    /// Every word must be there; capitals and accents do not count. When fewer than `limit` rows
    /// have the words as they are, words that begin with the last one count too. Expired, restricted and, while locked, protected rows are not seen. Best first: by
    /// where the words were found, then by ranking hint, then by identifier. When more than 512
    /// rows of a kind answer, the 512 with the highest hints, newest first, are ranked.
    ///
    /// - Parameter limit: At most ``searchLimitMax``.
    public func find(
        _ text: String, limit: Int
    ) async throws(DonationError) -> [SearchHit] {
        try await perform(writes: false) { core throws(DonationError) in
            try core.ranked(text, limit: limit, isLocked: self.isLocked).map(\.hit)
        }
    }

    /// Finds like ``find(_:limit:)`` and gives the rows themselves.
    package func search(
        words text: String, limit: Int
    ) async throws(DonationError) -> [Donation] {
        try await perform(writes: false) { core throws(DonationError) in
            var rows: [Donation] = []
            for found in try core.ranked(text, limit: limit, isLocked: self.isLocked) {
                rows += try core.rows(found.hit.kind, Clause("id = ?", .integer(found.row)))
            }
            return rows
        }
    }

    /// Finds like ``find(_:limit:)`` and gives the identifiers: items' unique ones, activities'
    /// persistent ones. Activities without one are left out.
    public func search(
        _ text: String, limit: Int
    ) async throws(DonationError) -> [String] {
        try await find(text, limit: limit).compactMap(\.identifier)
    }

    /// Whether the device counts as locked, which hides protected items from searches.
    public var isLocked: Bool {
        get { lockedDevice.withLock { $0 } }
        set { lockedDevice.withLock { $0 = newValue } }
    }

    // MARK: For the products

    /// The next visible items of a walk through the index.
    package func items(
        after cursor: SearchCursor, limit: Int
    ) async throws(DonationError) -> SearchPage {
        try await perform(writes: false) { core throws(DonationError) in
            try core.items(after: cursor, limit: limit, isLocked: self.isLocked)
        }
    }

    /// An item, if a search could show it now.
    package func visibleItem(_ identifier: String) async throws(DonationError) -> Donation? {
        try await perform(writes: false) { core throws(DonationError) in
            guard let item = try core.row(.searchableItem, "identifier", identifier),
                item.expiration.map({ $0 > core.now }) ?? true, try !core.isRestricted(item),
                !self.isLocked || !item.isHiddenWhenLocked
            else { return nil }
            return item
        }
    }

    /// The identifiers of an index's items; of the default one when the name is nil.
    package func itemIdentifiers(
        indexName: String?
    ) async throws(DonationError) -> [String] {
        try await perform(writes: false) { core throws(DonationError) in
            try core.itemIdentifiers(indexName: indexName)
        }
    }

    /// The time by the store's clock.
    package var moment: Timestamp { configuration.moment }

    /// When an item that is indexed now without a date of its own expires.
    package var defaultItemExpiration: Date {
        let seconds = Double(configuration.itemLifetime.components.seconds)
        return moment.date.addingTimeInterval(seconds)
    }
}
