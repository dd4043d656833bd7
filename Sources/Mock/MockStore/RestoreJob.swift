import CloudModel

/// A snapshot that is being put back. Until the last slice all of it is one open transaction: other
/// requests are refused as by a busy service, and nothing has happened if the server ends.
package final class RestoreJob: ActJob, ExclusiveJob {
    private let name: String
    private let snapshot: Snapshot
    private var progress: Snapshots.Restore?

    init(_ name: String, _ snapshot: Snapshot) {
        self.name = name
        self.snapshot = snapshot
    }

    var isUnfinished: Bool { progress != nil }

    package func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        if progress == nil {
            try store.snapshots.claim(self)
            // What others wrote in this turn is committed with it, before anything of this.
            if store.context.tables.connection.isInTransaction { return true }
        }
        return try work(store, for: .milliseconds(15))
    }

    package func abandon(_ store: MockStore) throws(MockStoreError) {
        let isUnfinished = isUnfinished
        guard end(store), isUnfinished else { return }
        // Nobody else has written in this transaction.
        store.context.tables.connection.rollback()
        try store.didRollBack()
    }

    package func finish(_ store: MockStore) throws(MockStoreError) {
        try store.snapshots.claim(self)
        while try work(store, for: .seconds(60)) {}
    }

    package func report() -> MockAct.Report {
        MockAct.Report(message: "the service is restored to snapshot \(name)", changed: 1)
    }

    private func work(
        _ store: MockStore, for duration: Duration
    ) throws(MockStoreError) -> Bool {
        do throws(MockStoreError) {
            let isMore = try store.context.tables.translating { () throws(CloudError) in
                var restore: Snapshots.Restore
                if let progress {
                    restore = progress
                } else {
                    restore = try store.snapshots.beginRestore(snapshot)
                }
                let began = ContinuousClock.now
                while try store.snapshots.putBackSome(&restore) {
                    guard ContinuousClock.now - began < duration else {
                        progress = restore
                        return true
                    }
                }
                return false
            }
            if isMore { return true }
            end(store)
            try store.reload()
            return false
        } catch {
            end(store)
            throw error
        }
    }

    /// Lets requests in again; says whether this was the restore that kept them out.
    @discardableResult private func end(_ store: MockStore) -> Bool {
        progress = nil
        return store.snapshots.release(self)
    }
}
