private import AsyncOperations
public import Donations

extension DonationStore {
    /// Removes what is past its time. Items are hidden from that moment on anyway; before they go
    /// the renewer of their index is asked, and what it offers again stays (D13). A renewer that does
    /// not answer within ``DonationConfiguration/delegateWaitMax`` has renewed nothing.
    ///
    /// - Returns: One receipt; nothing when nothing was past its time and all who were asked
    ///   answered.
    @discardableResult
    public func expire() async throws(DonationError) -> [DonationReceipt] {
        let moment = configuration.moment.milliseconds
        var unanswered = try await offerLostItems()
        let overdue = try await perform(writes: false) { core throws(DonationError) in
            try core.overdueItems(at: moment)
        }
        for (index, identifiers) in overdue.sorted(by: { $0.key < $1.key }) {
            guard let renewer = renewers.withLock({ $0[index] }) else { continue }
            let isAnswered: Void? = await configuration.waitForDelegate {
                await renewer.renew(identifiers: identifiers, indexName: index.orNil)
            }
            if isAnswered == nil { unanswered += identifiers.count }
        }
        var receipt = try await perform(writes: true) { core throws(DonationError) in
            try core.delete(.expired(atMilliseconds: moment), scope: .thisDevice)
        }
        if unanswered > 0 {
            receipt.notes.append(.init(remark: .delegateSilent, rows: unanswered))
        }
        return receipt.removedCount > 0 || unanswered > 0 ? [receipt] : []
    }

    /// Has the items offered again of which a sync could not tell whether they were deleted.
    ///
    /// - Returns: How many items are in indexes whose renewer did not answer in time.
    private func offerLostItems() async throws(DonationError) -> Int {
        var unanswered = 0
        let lost = try await perform(writes: false) { core throws(DonationError) in
            try core.indexesWithLostItems()
        }
        for index in lost {
            guard let renewer = renewers.withLock({ $0[index] }) else { continue }
            let answer = await configuration.waitForDelegate {
                // What fails is asked again the next time, like what is not done.
                do { return try await renewer.renewAll(indexName: index.orNil) } catch {
                    return false
                }
            }
            if answer == nil {
                unanswered += try await itemIdentifiers(indexName: index.orNil).count
            }
            guard answer == true else { continue }
            try await perform(writes: true) { core throws(DonationError) in
                try core.forgetLostItems(of: index)
            }
        }
        return unanswered
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

extension DonationConfiguration {
    /// Waits for work that may never end, because it is the app's. When ``delegateWaitMax`` is over, it
    /// is cancelled, and not waited for any more.
    ///
    /// - Returns: What the work gave; nil when the time is over.
    fileprivate func waitForDelegate<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value
    ) async -> Value? {
        await withCheckedContinuation { continuation in
            let waiting = Locked<CheckedContinuation<Value?, Never>?>(continuation)
            let end: @Sendable (Value?) -> Void = { value in
                waiting.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }?.resume(returning: value)
            }
            let task = Task { await work() }
            let limit = Task {
                try await waitClock.sleep(for: delegateWaitMax)
                task.cancel()
                end(nil)
            }
            Task {
                end(await task.value)
                limit.cancel()
            }
        }
    }
}
