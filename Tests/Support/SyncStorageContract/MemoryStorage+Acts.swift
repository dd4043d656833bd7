package import Basics
import DonationSync
package import Donations

/// What the app and the user do; the store of a real device has the same acts.
extension MemoryStorage {
    /// Donates a row: what is the same thing is replaced; an activity also becomes or renews
    /// its saved form.
    package mutating func donate(_ donation: Donation, at now: Timestamp) -> DonationOutcome {
        var donation = donation
        donation.donatedAt = now
        donation.row = 0
        if let link = donation.link, refusesLink(link) || isSuspended(link.container) {
            return .refusedRestricted
        }
        if donation.kind == .activity {
            if let item = donation.relatedIdentifier, self.item(item) == nil {
                return .refusedItemMissing
            }
            lastRow += 1
            donation.savedKey = donation.persistentIdentifier.map { "p:" + $0 } ?? "k:\(lastRow)"
            putRow(SyncedRow(donation))
            donation.kind = .savedActivity
        }
        defer { if donation.kind == .searchableItem { _ = settleParkedRows() } }
        guard var old = row(like: donation) else {
            putRow(SyncedRow(donation))
            return .stored
        }
        donation.row = old.donation.row
        old.donation = donation
        old.device = nil
        old.isParked = false
        old.edit()
        putRow(old)
        return donation.kind == .savedActivity ? .stored : .replaced
    }

    /// Deletes what a selector means, as the app asks for it.
    /// - Returns: How many rows went.
    @discardableResult
    package mutating func delete(
        _ selector: DonationSelector, _ scope: DeletionScope, now: Timestamp
    ) -> Int {
        let rows = apply([selector], scope == .everywhere ? .everywhere : .here)
        if scope == .everywhere { Exchange.noteDeletion(selector, &self, now: now) }
        return rows
    }

    /// Removes what is past its time: the records of it are deleted too, without a deletion, once it
    /// is past its time by the service's clock as well.
    @discardableResult
    package mutating func expire(at now: Timestamp) -> Int {
        var removed = 0
        if let time = facts.serverTime {
            let both = min(now, time).milliseconds
            removed += apply([.expired(atMilliseconds: both)], .everywhere)
        }
        return removed
            + apply([.expired(atMilliseconds: now.milliseconds)], .here, expiry: now)
    }

    /// The rows that views show: neither parked nor suspended.
    package var visibleRows: [Donation] {
        table.sorted { $0.key < $1.key }.map(\.value).filter { row in
            !row.isParked && !(row.donation.link.map { isSuspended($0.container) } ?? false)
        }.map(\.donation)
    }
}
