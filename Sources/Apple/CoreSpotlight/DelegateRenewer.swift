internal import DonationStore

/// Asks the delegate of an index about expired items.
final class DelegateRenewer: ItemRenewer {
    private struct WeakIndex: Sendable {
        weak var index: CSSearchableIndex?
    }

    private let index: WeakIndex
    private let store: WeakStore

    init(_ index: CSSearchableIndex, store: DonationStore) {
        self.index = WeakIndex(index: index)
        self.store = WeakStore(store)
    }

    func renew(identifiers: [String], indexName: String?) async {
        guard let index = index.index, let store = store.store, index.indexDelegate != nil else {
            return
        }
        _ = await index.ask(store, .these(identifiers))
    }

    func renewAll(indexName: String?) async throws -> Bool {
        guard let index = index.index, let store = store.store, index.indexDelegate != nil else {
            return false
        }
        return try await index.reindex(.everything, in: store).isAcknowledged
    }
}
