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

/// The snapshots, which are gone with the process, and the restore that is under way.
package final class Snapshots: StorePart {
    /// How far a restore has come.
    struct Restore {
        fileprivate let snapshot: Snapshot
        fileprivate var rows: ChangeLog.Restore
        /// The counters of all databases when it began.
        fileprivate let counters: [[Value]]
    }

    private let context: StoreContext
    private let databases: Databases
    private let histories: Histories
    private var log: ChangeLog { ChangeLog(tables: context.tables) }
    private var snapshots: [String: Snapshot] = [:]
    /// Those that were there before this turn.
    private var committed: [String: Snapshot] = [:]
    private var committedGeneration: Int64 = 0
    /// That of the last snapshot that was taken; 0: there is no change log.
    private var lastGeneration: Int64 = 0
    /// The change log has nothing older than this generation.
    private var forgottenBefore: Int64 = 0
    /// Until it ends, requests are refused.
    private var restoring: (any ExclusiveJob)?

    init(_ context: StoreContext, _ databases: Databases, _ histories: Histories) {
        self.context = context
        self.databases = databases
        self.histories = histories
    }

    package func didCommit() {
        committed = snapshots
        committedGeneration = lastGeneration
    }

    package func didRollBack() {
        snapshots = committed
        lastGeneration = committedGeneration
        forgottenBefore = 0
    }

    // MARK: - Of a store that is a copy

    /// Those whose names are known.
    var kept: [String: Snapshot] { snapshots }

    /// Has those whose changes were copied with the store.
    func begin(with copied: [String: Snapshot]) {
        snapshots = copied
        committed = copied
    }

    // MARK: - Taking one

    /// Keeps what every database holds now under a name.
    ///
    /// - Throws: ``MockStoreError/Code/limit`` when there are ``MockOptions/snapshotsMax`` others.
    func keep(_ name: String) throws(MockStoreError) {
        let most = context.options.snapshotsMax
        guard snapshots[name] != nil || snapshots.count < most else {
            throw MockStoreError(
                .limit,
                "the limit is \(most) snapshots: use one of the names again, "
                    + snapshots.keys.sorted().joined(separator: ", "))
        }
        let snapshot = try context.tables.translating { () throws(CloudError) in
            try context.tables.beginIfNeeded()
            try databases.saveCounters()
            return Snapshot(
                generation: try log.beginGeneration(), lastIncarnation: databases.lastIncarnation,
                epoch: histories.current)
        }
        snapshots[name] = snapshot
        lastGeneration = snapshot.generation
    }

    // MARK: - Restoring one

    /// The restore of a snapshot; nil where there is none of this name.
    func restore(_ name: String) -> RestoreJob? { snapshots[name].map { RestoreJob(name, $0) } }

    var isEmpty: Bool { snapshots.isEmpty }

    /// The names of those that are kept, in order.
    var names: [String] { snapshots.keys.sorted() }

    /// Whether requests are refused because a snapshot is being restored.
    var isRestoring: Bool { restoring != nil }

    /// Has requests wait that come while a snapshot is being restored.
    func requireNoRestore() throws(CloudError) {
        guard isRestoring else { return }
        throw CloudError(
            .tryAgainLater, reason: MockStoreError.restoring.description, retryAfter: .seconds(1))
    }

    /// Whether the open transaction has half of a restore, so that it must not be committed.
    var isRestoreUnfinished: Bool { restoring?.isUnfinished == true }

    /// Keeps requests and other restores out until ``release(_:)``.
    func claim(_ job: any ExclusiveJob) throws(MockStoreError) {
        guard restoring == nil || restoring === job else { throw .restoring }
        restoring = job
    }

    /// Lets requests in again; says whether this was the restore that kept them out.
    func release(_ job: any ExclusiveJob) -> Bool {
        guard restoring === job else { return false }
        restoring = nil
        return true
    }

    func beginRestore(_ snapshot: Snapshot) throws(CloudError) -> Restore {
        try context.tables.beginIfNeeded()
        try databases.saveCounters()
        return Restore(
            snapshot: snapshot,
            rows: try log.beginRestore(
                to: snapshot.generation, lastIncarnation: snapshot.lastIncarnation),
            counters: try context.tables.histories.counters())
    }

    /// Puts some rows back, and in the end the counters; says whether there is more to do.
    func putBackSome(_ restore: inout Restore) throws(CloudError) -> Bool {
        if try log.putBackSome(&restore.rows) { return true }
        try context.tables.histories.keepTags(of: restore.counters)
        try histories.begin(after: restore.snapshot.epoch)
        return false
    }

    // MARK: - Forgetting

    /// Forgets a snapshot; what only it still needed is removed later.
    ///
    /// - Returns: Whether there was one of this name.
    package func forget(_ name: String) throws(MockStoreError) -> Bool {
        guard !isRestoring else { throw .restoring }
        return snapshots.removeValue(forKey: name) != nil
    }

    /// Forgets all of them and what changed since, in the open transaction: what an import brings has nothing to
    /// do with it.
    func forgetAll() throws(CloudError) {
        try log.end()
        snapshots = [:]
        lastGeneration = 0
        forgottenBefore = 0
    }

    /// Whether a snapshot has records of a deleted zone, so that they cannot be removed.
    func hold(_ incarnation: Int64) throws(CloudError) -> Bool {
        guard !snapshots.isEmpty, let deletion = try log.generation(ofDeletion: incarnation) else {
            return false
        }
        return snapshots.values.contains {
            $0.generation <= deletion && incarnation <= $0.lastIncarnation
        }
    }

    /// Forgets some of what the change log has for snapshots that are no more.
    ///
    /// - Returns: Whether there may be more to do.
    func forgetChanges() throws(CloudError) -> Bool {
        let oldest = snapshots.values.map(\.generation).min() ?? lastGeneration + 1
        guard lastGeneration > 0, oldest > forgottenBefore else { return false }
        if try log.forgetSome(before: oldest) { return true }
        forgottenBefore = oldest
        return false
    }
}
