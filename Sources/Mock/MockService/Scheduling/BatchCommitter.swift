package import MockStore

/// Commits the store batch by batch, and warns when it begins to fail.
package final class BatchCommitter {
    private let committer: StoreCommitter
    private let observers: ExchangeObservers
    private let warn: (String) -> Void
    /// The batch that is open.
    private(set) var batch = CommitBatch()

    package init(
        _ committer: StoreCommitter, _ observers: ExchangeObservers,
        warn: @escaping (String) -> Void
    ) {
        self.committer = committer
        self.observers = observers
        self.warn = warn
    }

    var store: MockStore { committer.store }
    /// Commits that failed.
    package var failures: Int { committer.failures }
    /// Why the latest commit failed; nil if it succeeded.
    package var failure: MockStoreError? { committer.failure }

    /// Commits the open batch, and begins to write it to the disk. If it throws, the batch is rolled back.
    package func begin() throws(MockStoreError) {
        observers.noteChanges()
        do throws(MockStoreError) {
            try warning(committer.begin)
        } catch {
            end(.rolledBack)
            throw error
        }
    }

    /// Waits until the disk has what ``begin()`` committed. If it throws, that is unknown.
    package func finish() throws(MockStoreError) {
        do throws(MockStoreError) {
            try warning(committer.finish)
        } catch {
            end(.indeterminate)
            throw error
        }
        end(.committed)
    }

    /// Commits the open batch, and waits until the disk has it.
    package func commit() throws(MockStoreError) {
        try begin()
        try finish()
    }

    private func end(_ outcome: CommitBatch.Outcome) {
        batch.outcome = outcome
        batch = CommitBatch()
        observers.settle(outcome)
    }

    private func warning(
        _ step: () throws(MockStoreError) -> Void
    ) throws(MockStoreError) {
        let was = committer.failure
        do throws(MockStoreError) {
            try step()
        } catch {
            if was == nil {
                let cure = error.code == .diskFull ? "free space" : "restart the server"
                warn("the store accepts no writes: \(error.description); \(cure)")
            }
            throw error
        }
    }
}
