public import Donations

extension DonationStore {
    /// Removes what is past its time. Items are hidden from that moment on anyway; before they go
    /// the renewer of their index is asked, and what it offers again stays (D13).
    ///
    /// - Returns: One receipt; nothing when nothing was past its time.
    @discardableResult
    public func expire() async throws(DonationError) -> [DonationReceipt] {
        let moment = configuration.moment.milliseconds
        try await offerLostItems()
        let overdue = try await perform(writes: false) { core throws(DonationError) in
            try core.overdueItems(at: moment)
        }
        for (index, identifiers) in overdue.sorted(by: { $0.key < $1.key }) {
            guard let renewer = renewers.withLock({ $0[index] }) else { continue }
            await renewer.renew(identifiers: identifiers, indexName: index.orNil)
        }
        let receipt = try await perform(writes: true) { core throws(DonationError) in
            let receipt = try core.delete(.expired(atMilliseconds: moment), scope: .thisDevice)
            return receipt.removedCount > 0 ? receipt : nil
        }
        guard let receipt else { return [] }
        tell(receipt)
        return [receipt]
    }

    /// Has the items offered again of which a sync could not tell whether they were deleted.
    private func offerLostItems() async throws(DonationError) {
        let lost = try await perform(writes: false) { core throws(DonationError) in
            try core.indexesWithLostItems()
        }
        for index in lost {
            guard let renewer = renewers.withLock({ $0[index] }) else { continue }
            do {
                guard try await renewer.renewAll(indexName: index.orNil) else { continue }
            } catch {
                // It stays noted, and is asked again the next time.
                continue
            }
            try await perform(writes: true) { core throws(DonationError) in
                try core.forgetLostItems(of: index)
            }
        }
    }

    /// Who is asked about items of an index whose time is over; nil: nobody.
    package func setRenewer(_ renewer: (any ItemRenewer)?, indexName: String?) {
        renewers.withLock { $0[indexName ?? ""] = renewer }
    }
}

extension StoreCore {
    /// The identifiers of the items whose time is over, by index; "" is the default one.
    fileprivate func overdueItems(
        at moment: Int64
    ) throws(DonationError) -> [String: [String]] {
        var overdue: [String: [String]] = [:]
        var last: Int64 = 0
        while true {
            let rows = try rows(
                .searchableItem, Clause("expires <= ?", .integer(moment)), limit: 1000,
                after: last)
            for row in rows { overdue[row.indexName ?? "", default: []].append(row.identifier) }
            guard let end = rows.last, rows.count == 1000 else { return overdue }
            last = end.row
        }
    }
}
