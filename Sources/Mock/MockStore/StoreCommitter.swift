package import Basics
import CloudModel

/// Opens a store, and is the only one that can commit what is done in it: whoever carries out
/// commands is given the store alone.
///
/// An answer may be sent only after ``finish()``.
package final class StoreCommitter {
    /// The right to end the store's transaction; made here, once a store.
    struct Right: ~Copyable {
        fileprivate init() {}
    }

    package let store: MockStore
    private let right = Right()
    /// Copies the log into the file beside the loop; nil in memory.
    private let checkpointer: Checkpointer?
    /// Waits for the disk beside the loop; nil where a commit does so by itself.
    private let flusher: LogFlusher?
    private var flushedCommits = 0
    /// Why the latest commit failed; nil once one has succeeded.
    package private(set) var failure: MockStoreError?
    /// Commits that failed.
    package private(set) var failures = 0

    /// Opens a store, or creates an empty one.
    ///
    /// - Parameters:
    ///   - seed: Of names and tokens; an existing store keeps its own.
    ///   - image: The initial contents of a store in memory; not used by others.
    ///   - flush: Waits until the disk has what was written to the store's log; without it the system is asked.
    /// - Throws: When the files cannot be used, are damaged, or are open in another process.
    package init(
        location: MockStore.Location, options: MockOptions = MockOptions(), clock: WallClock,
        seed: UInt64, image: StoreImage? = nil, flush: LogFlusher.Flush? = nil
    ) throws(MockStoreError) {
        store = try MockStore(
            location: location, options: options, clock: clock, seed: seed, image: image)
        checkpointer = try Checkpointer(location)
        flusher = try store.context.tables.makeFlusher(location, flush)
        if try store.adoptOlder() || image != nil { try commit() }
    }

    /// Makes everything since the last commit lasting. When it throws, all of it is undone.
    package func commit() throws(MockStoreError) {
        try begin()
        try finish()
    }

    /// Commits everything since the last commit, and begins to write it to the disk: an answer may
    /// be sent only after ``finish()``. When it throws, all of it is undone.
    package func begin() throws(MockStoreError) {
        let tables = store.context.tables
        if let refusal = flusher?.failure { tables.note(refusal) }
        do throws(CloudError) {
            try store.databases.saveCounters()
        } catch {
            // The failure is kept in the tables, and thrown by their commit.
        }
        let didWrite = tables.connection.isInTransaction
        do throws(MockStoreError) {
            try tables.commit(right)
        } catch {
            try fail(error)
        }
        store.didCommit()
        if didWrite { failure = nil }
        if tables.connection.logCommits != flushedCommits {
            flushedCommits = tables.connection.logCommits
            flusher?.begin()
        }
    }

    /// Waits until what was committed is on disk.
    ///
    /// When it throws, nobody knows whether it is there: it must not be answered for, and every
    /// later commit fails.
    package func finish() throws(MockStoreError) {
        flusher?.finish()
        if let refusal = flusher?.failure {
            throw note(MockStoreError(.failed, "the disk rejected a commit: \(refusal)"))
        }
        checkpointer?.committed(
            logPages: store.context.tables.connection.logPages, store.context.tables)
    }

    private func fail(_ error: MockStoreError) throws(MockStoreError) {
        _ = note(error)
        try store.didRollBack()
        throw error
    }

    private func note(_ error: MockStoreError) -> MockStoreError {
        failures += 1
        failure = error
        // Room can be made on a full disk. Of one that fails in another way nobody knows what it
        // does next.
        if error.code != .diskFull { store.context.tables.refuseWrites(error) }
        return error
    }
}
