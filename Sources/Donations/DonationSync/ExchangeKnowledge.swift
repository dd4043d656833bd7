package import Donations

/// The deletions that a device knows, ready to be asked about rows.
package struct ExchangeKnowledge {
    private struct Entry {
        let deletion: SyncDeletion
        let predicate: ExchangePredicate
    }
    private let entries: [Entry]
    /// Made here, and in no zone yet: their own words are at hand, and no row has seen them. A row
    /// that saw their number saw a deletion of a former life of this device (R9).
    private let own: [DonationSelector]
    /// Own ones whose words were erased.
    private let erased: [ExchangePredicate]
    private let keys: ExchangeKeys

    /// Deletions that were sent, and own ones that were not.
    package init(
        _ deletions: [SyncDeletion], own: [OwnDeletion], _ keys: ExchangeKeys
    ) {
        entries = deletions.compactMap { deletion in
            deletion.selector.map { Entry(deletion: deletion, predicate: ExchangePredicate($0)) }
        }
        var (selectors, erased): ([DonationSelector], [ExchangePredicate]) = ([], [])
        for deletion in own {
            switch deletion.words {
            case .selector(let selector): selectors.append(selector)
            case .digests(let digests): erased.append(ExchangePredicate(digests))
            }
        }
        self.own = selectors
        self.erased = erased
        self.keys = keys
    }

    /// Whether a deletion that the row's maker had not seen means the row (R2).
    package func covers(_ row: Donation, seen: DeletionContext, item: Donation?) -> Bool {
        var beside: ExchangeRowKeys? = item.map { ExchangeRowKeys($0, keys) }
        var digests = ExchangeRowKeys(row, keys)
        for entry in entries where isUnseen(entry.deletion, seen) {
            if entry.predicate.matches(&digests, item: &beside) { return true }
        }
        if erased.contains(where: { $0.matches(&digests, item: &beside) }) { return true }
        return own.contains { $0.matches(row, .init(relatedItem: item)) != nil }
    }

    /// Whether an item that is not here, and only offered again by a rebuild of its index, is one
    /// that somebody deleted everywhere (R10).
    ///
    /// An app that indexes it anew has seen the deletions. One that rebuilds its index offers what
    /// it had, and is taken to have seen none.
    package func forbidsRevival(of item: Donation) -> Bool { covers(item, seen: [:], item: nil) }

    /// Whether such a deletion takes the activity out of an interaction's response (A14).
    package func scrubs(_ row: Donation, seen: DeletionContext) -> Bool {
        guard row.nestedActivity != nil else { return false }
        return entries.contains {
            isUnseen($0.deletion, seen) && $0.predicate.scrubs(row, keys)
        }
            || erased.contains { $0.scrubs(row, keys) } || own.contains { $0.scrubs(row) }
    }

    private func isUnseen(_ deletion: SyncDeletion, _ seen: DeletionContext) -> Bool {
        deletion.sequence > seen.number(of: deletion.device)
    }
}
