import Basics
package import CloudModel
package import DonationSync
package import Donations

extension MemoryStorage {
    /// Deletes what is linked into one of these parts, and what hangs on it.
    package mutating func deleteLinked(_ parts: [ContentLink], _ removal: SyncRemoval) -> Int {
        let rows = table.values.map(\.donation)
        let selectors = parts.map { DonationSelector.linked($0) }
        let linked = rows.filter { row in parts.contains { $0.contains(row.link) } }
        guard !linked.isEmpty else { return 0 }
        let outside = rows.filter { row in
            row.link != nil && !parts.contains { $0.contains(row.link) }
        }
        let identifiers = Set(linked.filter(\.isActivity).compactMap(\.key))
            .subtracting(outside.filter(\.isActivity).compactMap(\.key))
        let groups = Set(linked.compactMap(\.groupKey))
            .subtracting(outside.compactMap(\.groupKey))
        var all = selectors
        all.append(
            .activities(
                persistentIdentifiers: identifiers.map { String(decoding: $0, as: UTF8.self) })
        )
        all += groups.map { .interactionGroup(String(decoding: $0, as: UTF8.self)) }
        return apply(all, removal)
    }

    /// Removes the rows that one of these selectors means, decided from the rows before.
    ///
    /// - Parameter expiry: When they are past their time by this device's clock only: the moment
    ///   that it shows.
    mutating func apply(
        _ selectors: [DonationSelector], _ removal: SyncRemoval, expiry: Timestamp? = nil
    ) -> Int {
        let before = table
        var items: [[UInt8]: Donation] = [:]
        var saved: [[UInt8]: Donation] = [:]
        for row in before.values.map(\.donation) {
            if row.kind == .searchableItem { items[Array(row.identifier.utf8)] = row }
            if row.kind == .savedActivity, let key = row.savedKey { saved[Array(key.utf8)] = row }
        }
        var removed = 0
        for (id, row) in before {
            let donation = row.donation
            let beside = DonationSelector.Surroundings(
                relatedItem: donation.relatedIdentifier.flatMap { items[Array($0.utf8)] },
                savedActivity: donation.savedKey.flatMap { saved[Array($0.utf8)] })
            if selectors.contains(where: { $0.matches(donation, beside) != nil }) {
                table[id] = nil
                removed += 1
                if let name = row.recordName {
                    let isHere = removal == .here
                    let end = expiry.map { min(donation.expiration ?? $0, $0) }
                    putGone([
                        GoneRecord(
                            name, tag: row.tag, isToDelete: !isHere,
                            donatedAt: isHere ? donation.donatedAt : nil, deletesFrom: end)
                    ])
                }
            } else if selectors.contains(where: { $0.scrubs(donation) }) {
                table[id]?.donation.nestedActivity = nil
                table[id]?.edit()
            }
        }
        _ = settleParkedRows()
        return removed
    }

    /// Takes no new donations linked into this part.
    package mutating func refuseLinks(into part: ContentLink) { refused.insert(part) }

    /// Takes them again.
    package mutating func allowLinks(into part: ContentLink) { refused.remove(part) }

    /// Whether a donation with this link is to be refused.
    package func refusesLink(_ link: ContentLink) -> Bool {
        if refused.contains(where: { $0.contains(link) }) { return true }
        return standingFences.keys.contains { key in
            isFenced(key.zone, at: key.address)
                && key.address.part(key.zone, user: account(at: key.address).identity)
                    .contains { $0.contains(link) }
        }
    }

    /// Suspends the donations linked to a container.
    package mutating func suspend(_ container: Container.ID) {
        suspendedBySync.insert(container.rawValue)
    }

    /// Ends a suspension by the sync.
    package mutating func resume(_ container: Container.ID) {
        suspendedBySync.remove(container.rawValue)
    }

    /// Whether donations linked to a container are suspended, by whomever.
    package func isSuspended(_ container: String) -> Bool {
        suspendedBySync.contains(container) || suspendedByApp.contains(container)
    }
}

extension ContentLink {
    /// Whether a link, if there is one, lies inside this part.
    fileprivate func contains(_ link: ContentLink?) -> Bool { link.map { contains($0) } ?? false }
}

extension Donation {
    fileprivate var isActivity: Bool { kind == .activity || kind == .savedActivity }
    /// The persistent identifier's bytes.
    fileprivate var key: [UInt8]? { persistentIdentifier?.orNil.map { Array($0.utf8) } }
    fileprivate var groupKey: [UInt8]? {
        kind == .interaction ? group?.orNil.map { Array($0.utf8) } : nil
    }
}

extension SyncedRow {
    /// Notes that the row is no longer as its record.
    mutating func edit() {
        if recordName != nil { edits += 1 }
        isRefused = false
    }
}
