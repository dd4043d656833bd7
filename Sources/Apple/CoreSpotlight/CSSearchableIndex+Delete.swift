internal import DonationStore
internal import Donations

extension CSSearchableIndex {
    /// Deletes the items with these identifiers, and every activity that is strongly related to
    /// one of them with its donations. Identifiers that match nothing are no error.
    ///
    /// The default index reaches items of every index. In a batch the items go when it ends.
    public func deleteSearchableItems(
        withIdentifiers identifiers: [String],
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        guard let store = currentStore else { return delete(nil, completionHandler) }
        IndexState.of(store, name).touch(identifiers)
        if let batch = openBatch {
            store.delete(itemIdentifiers: identifiers, batch: batch)
            return answer(to: completionHandler)(nil)
        }
        delete(.searchableItems(identifiers: identifiers, indexName: name), completionHandler)
    }

    /// The same, waiting until the items are gone for good.
    public func deleteSearchableItems(withIdentifiers identifiers: [String]) async throws {
        try await waiting {
            deleteSearchableItems(withIdentifiers: identifiers, completionHandler: $0)
        }
    }

    /// Deletes the items of these domains and of those below them, and every activity that is
    /// strongly related to one of them with its donations.
    ///
    /// On the default index also activities whose attribute set has such a domain. Batches do not
    /// collect this call.
    public func deleteSearchableItems(
        withDomainIdentifiers domainIdentifiers: [String],
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        delete(.searchableDomains(domainIdentifiers, indexName: name), completionHandler)
    }

    /// The same, waiting until the items are gone for good.
    public func deleteSearchableItems(
        withDomainIdentifiers domainIdentifiers: [String]
    ) async throws {
        try await waiting {
            deleteSearchableItems(withDomainIdentifiers: domainIdentifiers, completionHandler: $0)
        }
    }

    /// Deletes all items of the index, of all indexes when it is the default one; the activities
    /// related to them; the client state; and **every interaction that the app or Siri donated**.
    ///
    /// To rebuild an index use ``rebuild(with:)``. Batches do not collect this call.
    public func deleteAllSearchableItems(
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        if let store = currentStore {
            let index = IndexState.of(store, name)
            if index.isReindexing {
                index.warn(.deleteAllWhileReindexing)
                index.noteWipe()
            }
        }
        delete(.allSearchableItems(indexName: name), completionHandler)
    }

    /// The same, waiting until everything is gone for good.
    public func deleteAllSearchableItems() async throws {
        try await waiting { deleteAllSearchableItems(completionHandler: $0) }
    }

    private func delete(
        _ selector: DonationSelector?, _ handler: (@Sendable ((any Error)?) -> Void)?
    ) {
        let answer = answer(to: handler)
        guard let store = currentStore, let selector else { return answer(CSIndexError.noStore) }
        store.delete(selector, scope: .everywhere) { result in
            switch result {
            case .success: answer(nil)
            case .failure(let error): answer(CSIndexError(error))
            }
        }
    }
}
