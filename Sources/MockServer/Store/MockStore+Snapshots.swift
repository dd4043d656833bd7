import CloudModel
import SQLite

/// What every database held at one time.
struct Snapshot {
    /// Of the change log: it has what was changed since.
    let generation: Int64
    /// No zone of the snapshot is newer.
    let lastIncarnation: Int64
    /// The history it belongs to.
    let epoch: UInt32
}

/// Long work on the store that is done in slices, one a turn.
package protocol StoreJob: AnyObject {
    /// Does some milliseconds' work in the open turn.
    ///
    /// - Returns: Whether there is more; what was done so far is stored with the turn, except of a
    ///   restore, which is stored as a whole.
    func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool

    /// Called instead when nobody will go on with it.
    func abandon(_ store: MockStore) throws(MockStoreError)
}

extension StoreJob {
    package func abandon(_ store: MockStore) throws(MockStoreError) {}
}

/// A snapshot that is being put back. Until the last slice all of it is one open transaction: other
/// requests are refused as by a busy service, and nothing has happened if the server ends.
package final class RestoreJob: StoreJob {
    private let snapshot: Snapshot
    private var progress: (rows: ChangeLog.Restore, counters: [[Value]])?

    init(_ snapshot: Snapshot) { self.snapshot = snapshot }

    package func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        if progress == nil {
            guard store.restoring == nil || store.restoring === self else { throw .restoring }
            store.restoring = self
            // What others wrote in this turn is committed with it, before anything of this.
            if store.tables.connection.isInTransaction { return true }
        }
        return try work(store, for: .milliseconds(15))
    }

    package func abandon(_ store: MockStore) throws(MockStoreError) {
        guard store.restoring === self else { return }
        let isUnfinished = isUnfinished
        end(store)
        guard isUnfinished else { return }
        // Nobody else has written in this transaction.
        store.tables.connection.rollback()
        try store.turnWasUndone()
    }

    /// Does all of it in the open turn.
    func finish(_ store: MockStore) throws(MockStoreError) {
        guard store.restoring == nil else { throw .restoring }
        while try work(store, for: .seconds(60)) {}
    }

    /// Whether some of it stands in a transaction that must not be committed yet.
    var isUnfinished: Bool { progress != nil }

    private func work(
        _ store: MockStore, for duration: Duration
    ) throws(MockStoreError) -> Bool {
        do throws(MockStoreError) {
            let isMore = try store.translating { () throws(CloudError) in
                if self.progress == nil { self.progress = try store.beginRestore(snapshot) }
                guard var progress else { return false }
                let began = ContinuousClock.now
                while try store.changeLog.putBackSome(&progress.rows) {
                    guard ContinuousClock.now - began < duration else {
                        self.progress = progress
                        return true
                    }
                }
                try store.finishRestore(snapshot, counters: progress.counters)
                return false
            }
            guard !isMore else { return true }
            end(store)
            try store.readAnew()
            return false
        } catch {
            end(store)
            throw error
        }
    }

    private func end(_ store: MockStore) {
        progress = nil
        store.restoring = nil
    }
}

extension MockStore {
    var changeLog: ChangeLog { ChangeLog(tables: tables) }
    private var histories: HistoryTables { HistoryTables(tables: tables) }

    /// Keeps what every database holds now under a name, to be put back later. Users, sign-outs,
    /// restrictions and schemas are not part of it. A snapshot is gone with the process.
    ///
    /// - Throws: ``MockStoreError/Code/limit`` when there are ``MockOptions/snapshotsMax`` others.
    package func keepSnapshot(_ name: String) throws(MockStoreError) {
        guard snapshots[name] != nil || snapshots.count < options.snapshotsMax else {
            throw MockStoreError(
                .limit,
                "at most \(options.snapshotsMax) snapshots are kept: take one of the names again, "
                    + snapshots.keys.sorted().joined(separator: ", "))
        }
        try stored { () throws(CloudError) in
            try tables.beginIfNeeded()
            try saveCounters()
            snapshots[name] = Snapshot(
                generation: try changeLog.beginGeneration(), lastIncarnation: lastIncarnation,
                epoch: epoch)
        }
    }

    /// Puts back what a snapshot holds, as when a server is restored from a backup.
    ///
    /// The counters behind tags, incarnations and shares are not turned back, so that nothing
    /// has a name that something else had. Tokens given out since the snapshot expire; those of
    /// before go on.
    ///
    /// - Returns: Whether there is a snapshot of this name.
    package func restoreSnapshot(_ name: String) throws(MockStoreError) -> Bool {
        guard let job = restoreJob(name) else { return false }
        try job.finish(self)
        return true
    }

    /// The same in slices; nil where there is no snapshot of this name.
    package func restoreJob(_ name: String) -> RestoreJob? {
        snapshots[name].map { RestoreJob($0) }
    }

    fileprivate func beginRestore(
        _ snapshot: Snapshot
    ) throws(CloudError) -> (rows: ChangeLog.Restore, counters: [[Value]]) {
        try tables.beginIfNeeded()
        try saveCounters()
        let counters = try histories.counters()
        let rows = try changeLog.beginRestore(
            to: snapshot.generation, lastIncarnation: snapshot.lastIncarnation)
        return (rows, counters)
    }

    fileprivate func finishRestore(
        _ snapshot: Snapshot, counters: [[Value]]
    ) throws(CloudError) {
        try histories.keepTags(of: counters)
        _ = try histories.begin(after: snapshot.epoch, now: epoch)
    }

    /// Whether a snapshot has records of a deleted zone, so that they cannot be removed.
    func isInSnapshot(_ incarnation: Int64) throws(CloudError) -> Bool {
        guard !snapshots.isEmpty,
            let deletion = try changeLog.generation(ofDeletion: incarnation)
        else { return false }
        return snapshots.values.contains {
            $0.generation <= deletion && incarnation <= $0.lastIncarnation
        }
    }

    /// Forgets some of what the change log has for snapshots that are no more.
    ///
    /// - Returns: Whether there may be more to do.
    func forgetChanges() throws(CloudError) -> Bool {
        guard let oldest = snapshots.values.map(\.generation).min(), oldest > forgottenBefore
        else { return false }
        if try changeLog.forgetSome(before: oldest) { return true }
        forgottenBefore = oldest
        return false
    }

    /// Whether what a token of some epoch has seen is part of the history of now.
    ///
    /// - Parameter place: A zone's incarnation, a share's number, or a database's ID negated.
    func isHistory(
        _ epoch: UInt32, place: Int64, upTo position: Int64
    ) throws(CloudError) -> Bool {
        var (ours, theirs) = (Int64(self.epoch), Int64(epoch))
        // A history begins later than the one it leaves: both ways lead to where they meet.
        while ours != theirs {
            let later = max(ours, theirs)
            guard let branch = try histories.parent(of: later, at: place),
                branch.epoch < later, position <= branch.seq
            else { return false }
            if ours == later { ours = branch.epoch } else { theirs = branch.epoch }
        }
        return true
    }
}
