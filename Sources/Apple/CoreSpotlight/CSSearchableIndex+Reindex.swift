internal import DonationStore
public import Donations

extension CSSearchableIndex {
    /// What a delegate can be asked.
    enum ReindexRequest: Sendable {
        case everything
        case these([String])
    }

    /// Asks the delegate to index everything again, as the system does after losing the index,
    /// and deletes what it does not offer; interactions stay. What was deleted on all devices and
    /// is offered all the same is not taken. Not in Apple's interface.
    ///
    /// - Throws: ``CSIndexError``; `indexingUnsupported` without a delegate.
    public func reindexAllItems() async throws -> CSReindexReport {
        try await reindex(.everything)
    }

    /// Asks the delegate to index these items again, and deletes those it does not offer. Not in
    /// Apple's interface.
    ///
    /// - Throws: ``CSIndexError``; `indexingUnsupported` without a delegate.
    public func reindexItems(
        withIdentifiers identifiers: [String]
    ) async throws -> CSReindexReport {
        try await reindex(.these(identifiers))
    }

    /// Makes the index equal to `items`: adds, changes, and deletes what is not among them with
    /// the activities related to it. Interactions stay, and so do activities of items that stay;
    /// that is what deleting everything first would destroy. What was deleted on all devices is not
    /// taken. Not in Apple's interface.
    ///
    /// - Returns: What was removed.
    @discardableResult
    public func rebuild(with items: [CSSearchableItem]) async throws -> DonationReceipt {
        guard let store = currentStore else { throw CSIndexError.noStore }
        let now = store.moment
        let rows = items.map {
            $0.donation(indexName: name, protectionClass: protectionClass, at: now)
        }
        do throws(DonationError) {
            return try await store.rebuild(indexName: name, items: rows)
        } catch {
            throw CSIndexError(error)
        }
    }

    private func reindex(_ request: ReindexRequest) async throws -> CSReindexReport {
        guard let store = currentStore else { throw CSIndexError.noStore }
        return try await reindex(request, in: store)
    }

    /// Asks the delegate about items of this store, and deletes those it does not offer.
    func reindex(
        _ request: ReindexRequest, in store: DonationStore
    ) async throws -> CSReindexReport {
        guard indexDelegate != nil else {
            throw CSIndexError(.indexingUnsupported, reason: "the index has no delegate")
        }
        do throws(DonationError) {
            var candidates: [String] = []
            switch request {
            case .these(let identifiers): candidates = identifiers
            case .everything: candidates = try await store.itemIdentifiers(indexName: name)
            }
            let answer = await ask(store, request)
            guard answer.isAcknowledged else {
                return CSReindexReport(
                    isAcknowledged: false, offered: answer.touched.count,
                    refused: answer.refused.count, removed: 0)
            }
            let missing = candidates.filter { !answer.touched.contains($0) }
            // What a delegate does not offer, it did not delete: other devices keep theirs.
            let receipt = try await store.delete(
                .searchableItems(identifiers: missing, indexName: name), scope: .thisDevice)
            return CSReindexReport(
                isAcknowledged: true, offered: answer.touched.count,
                refused: answer.refused.count,
                removed: receipt.removedCount(.searchableItem))
        } catch {
            throw CSIndexError(error)
        }
    }

    /// Asks the delegate, and waits for its answer.
    ///
    /// - Returns: Whether it acknowledged, the items that were indexed or deleted meanwhile, and
    ///   those of them that were not taken.
    func ask(
        _ store: DonationStore, _ request: ReindexRequest
    ) async -> (isAcknowledged: Bool, touched: Set<String>, refused: Set<String>) {
        let state = IndexState.of(store, name)
        let number =
            switch request {
            case .everything: state.beginRequest(nil)
            case .these(let identifiers): state.beginRequest(identifiers)
            }
        let isAcknowledged = await call(store, request).wait()
        let (touched, refused) = state.endRequest(number)
        if !isAcknowledged { state.warn(.notAcknowledged) }
        return (isAcknowledged, touched, refused)
    }

    /// Calls the delegate on the queue of handlers, with the store as the current one.
    ///
    /// Only the delegate holds the handler after this, so that letting go of it is noticed.
    private func call(_ store: DonationStore, _ request: ReindexRequest) -> Acknowledgement {
        let (answer, handler) = Acknowledgement.make()
        let delegate = Unchecked(indexDelegate)
        callBack { [self] in
            DonationStore.withStore(store) {
                switch request {
                case .everything:
                    delegate.value?.searchableIndex(
                        self, reindexAllSearchableItemsWithAcknowledgementHandler: handler)
                case .these(let identifiers):
                    delegate.value?.searchableIndex(
                        self, reindexSearchableItemsWithIdentifiers: identifiers,
                        acknowledgementHandler: handler)
                }
            }
        }
        return answer
    }
}
