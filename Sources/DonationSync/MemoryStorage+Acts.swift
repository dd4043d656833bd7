package import CloudModel
package import Donations

/// What the app and the user do; the store of a real device has the same acts.
extension MemoryStorage {
    /// Donates a row: what is the same thing is replaced; an activity also becomes or renews
    /// its saved form.
    package mutating func donate(_ donation: Donation, at now: Timestamp) -> DonationOutcome {
        var donation = donation
        donation.donatedAt = now
        if let link = donation.link, refusesLink(link) || isSuspended(link.container) {
            return .refusedRestricted
        }
        if donation.kind == .activity {
            if let item = donation.relatedIdentifier, !hasItem(item) {
                return .refusedItemMissing
            }
            lastRow += 1
            donation.savedKey = donation.persistentIdentifier.map { "p:" + $0 } ?? "k:\(lastRow)"
            putRow(SyncedRow(donation))
            donation.kind = .savedActivity
        }
        guard let old = row(like: donation) else {
            putRow(SyncedRow(donation))
            return .stored
        }
        // A later state of the same thing: its record, if any, is to be written again.
        donation.row = old.donation.row
        putRow(SyncedRow(donation))
        return donation.kind == .savedActivity ? .stored : .replaced
    }

    /// Deletes what a selector means, as the app asks for it.
    /// - Returns: How many rows went.
    @discardableResult
    package mutating func delete(
        _ selector: DonationSelector, _ scope: DeletionScope, _ entropy: inout SyncEntropy,
        now: Timestamp
    ) -> Int {
        let rows = apply([selector], scope == .everywhere ? .everywhere : .here)
        if scope == .everywhere { Exchange.noteDeletion(selector, &self, &entropy, now: now) }
        return rows
    }

    /// Removes what is past its time: the records of it are deleted too, without a deletion.
    @discardableResult
    package mutating func expire(at now: Timestamp) -> Int {
        apply([.expired(atMilliseconds: now.milliseconds)], .everywhere)
    }

    /// The rows that views show: neither parked nor suspended.
    package var visibleRows: [Donation] {
        table.sorted { $0.key < $1.key }.map(\.value).filter { row in
            !row.isParked && !(row.donation.link.map { isSuspended($0.container) } ?? false)
        }.map(\.donation)
    }
}
