package import Donations

extension DonationStore {
    /// How an item meets one with the same identifier that is indexed already. Neither way is a
    /// deletion: what is related to the item stays (D12, A7).
    package enum ItemWrite: Sendable, Hashable {
        /// The new one takes the place of the old.
        case replace
        /// What the new one names changes, what it sets to nothing is removed, the rest stays.
        /// `changes` are the canonical bytes of those attributes; see ``Donation/payload``.
        case update
    }

    /// Adds or changes items of the index.
    ///
    /// - Parameters:
    ///   - items: Of kind `.searchableItem`; without an expiration they get the default one.
    ///   - batch: An open batch that collects them; nil: now.
    package func index(
        _ items: [(item: Donation, write: ItemWrite)], batch: ItemBatch? = nil,
        completion: @escaping @Sendable (Result<[DonationOutcome], DonationError>) -> Void
    ) {
        preconditionFailure("not yet")
    }

    /// Adds or changes items of the index, and waits until they are on disk.
    package func index(
        _ items: [(item: Donation, write: ItemWrite)], batch: ItemBatch? = nil
    ) async throws(DonationError) -> [DonationOutcome] {
        preconditionFailure("not yet")
    }

    /// Removes items when the batch ends (D25).
    package func delete(itemIdentifiers: [String], batch: ItemBatch) {
        preconditionFailure("not yet")
    }

    /// Carries out a batch in one transaction and keeps the client state with it (D25).
    ///
    /// - Parameters:
    ///   - clientState: At most 250 bytes (A19).
    ///   - expected: What the stored state must be, when not nil; empty: there must be none.
    package func end(
        _ batch: ItemBatch, clientState: [UInt8], expected: [UInt8]?? = nil,
        completion: @escaping @Sendable (Result<Void, DonationError>) -> Void
    ) {
        preconditionFailure("not yet")
    }

    /// The client state kept with the last batch of an index; nil: there is none.
    package func clientState(indexName: String?) async throws(DonationError) -> [UInt8]? {
        preconditionFailure("not yet")
    }

    /// Who is asked about items of an index whose time is over; nil: nobody.
    package func setRenewer(_ renewer: (any ItemRenewer)?, indexName: String?) {
        preconditionFailure("not yet")
    }

    /// Makes the index equal to `items`: adds, changes, and removes what is not offered, with what
    /// relates to it; interactions stay. What a rebuild should call instead of deleting all (M4).
    @discardableResult
    package func rebuild(
        indexName: String?, items: [Donation]
    ) async throws(DonationError) -> DonationReceipt {
        preconditionFailure("not yet")
    }
}
