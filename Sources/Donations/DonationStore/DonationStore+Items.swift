package import Donations

extension DonationStore {
    /// How an item meets one with the same identifier that is indexed already. Neither way is a
    /// deletion: what is related to the item stays (D12, A7).
    package enum ItemWrite: Sendable, Hashable {
        /// The new one takes the place of the old.
        case replace
        /// What the new one names changes, what it sets to nothing is removed, the rest stays.
        /// That goes by the payloads, dictionaries of attributes by name with null for what goes;
        /// `title`, `displayName`, `keywords` and `contentDescription` are searched.
        case update
    }

    /// Adds or changes items of the index. An identifier is unique in the app: an item that is
    /// put in another index moves there.
    ///
    /// - Parameters:
    ///   - items: Of kind `.searchableItem`; without an expiration they get the default one.
    ///   - rebuilt: The identifiers of those that are only offered because somebody asked for
    ///     them again: what was deleted on all devices does not come back that way (R10).
    ///   - batch: An open batch that collects them; nil: now.
    ///   - completion: Runs when they are on disk, or at once when a batch has taken them.
    package func index(
        _ items: [(item: Donation, write: ItemWrite)], rebuilt: Set<String> = [],
        batch: ItemBatch? = nil,
        completion: @escaping @Sendable (Result<[DonationOutcome], DonationError>) -> Void
    ) {
        guard let batch else {
            return submit(
                writes: true,
                { core throws(DonationError) in try core.index(items, rebuilt: rebuilt) },
                completion: completion)
        }
        let isTaken = batch.add(.index(items, rebuilt: rebuilt))
        completion(isTaken ? .success(items.map { _ in .stored }) : .failure(.batchEnded))
    }

    /// Adds or changes items of the index, and waits until they are on disk.
    package func index(
        _ items: [(item: Donation, write: ItemWrite)], rebuilt: Set<String> = [],
        batch: ItemBatch? = nil
    ) async throws(DonationError) -> [DonationOutcome] {
        let result = await withCheckedContinuation { continuation in
            index(items, rebuilt: rebuilt, batch: batch) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Removes items when the batch ends (D25).
    ///
    /// - Returns: False when the batch has ended already: nothing happens.
    @discardableResult
    package func delete(itemIdentifiers: [String], batch: ItemBatch) -> Bool {
        batch.add(.delete(itemIdentifiers))
    }

    /// Carries out a batch in one transaction and keeps the client state with it (D25).
    ///
    /// With a state that is too long the batch stays open; with a state that is not the expected
    /// one it is discarded.
    ///
    /// - Parameters:
    ///   - clientState: At most 250 bytes (A19).
    ///   - expected: What the stored state must be, when given; nothing or empty: there must be
    ///     none.
    package func end(
        _ batch: ItemBatch, clientState: [UInt8], expected: [UInt8]?? = nil,
        completion: @escaping @Sendable (Result<Void, DonationError>) -> Void
    ) {
        submit(
            writes: true,
            { core throws(DonationError) in
                try core.end(batch, clientState: clientState, expected: expected)
            }, completion: completion)
    }

    /// Carries out a batch like the form with a completion, and waits until it is on disk.
    package func end(
        _ batch: ItemBatch, clientState: [UInt8], expected: [UInt8]?? = nil
    ) async throws(DonationError) {
        let result = await withCheckedContinuation { continuation in
            end(batch, clientState: clientState, expected: expected) {
                continuation.resume(returning: $0)
            }
        }
        try result.get()
    }

    /// The client state kept with the last batch of an index, without waiting; nil: there is none.
    package func clientState(
        indexName: String?,
        completion: @escaping @Sendable (Result<[UInt8]?, DonationError>) -> Void
    ) {
        submit(
            writes: false, { core throws(DonationError) in try core.clientState(indexName) },
            completion: completion)
    }

    /// Makes the index equal to `items`: adds, changes, and removes what is not offered, with what
    /// relates to it; interactions stay. What a rebuild should call instead of deleting all (M4).
    /// What was deleted on all devices and is offered all the same is refused (R10).
    @discardableResult
    package func rebuild(
        indexName: String?, items: [Donation]
    ) async throws(DonationError) -> DonationReceipt {
        try await perform(writes: true) { core throws(DonationError) in
            try core.rebuild(indexName: indexName, items: items)
        }
    }
}

extension DonationError {
    fileprivate static let batchEnded = DonationError(.batch, "the batch has ended already")
}
