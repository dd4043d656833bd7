/// The writes that are committed together: those of all requests of one turn of the loop.
///
/// Work that continues in a later turn, such as a delayed response, a held request or the next slice of a job,
/// keeps the batch it was part of and reads here what happened to it. Only what is in the store belongs to a
/// batch: faults, settings, the clock, credentials, the journal and findings change at once, and stay changed
/// when the batch is rolled back.
package final class CommitBatch {
    enum Outcome {
        /// Committed, or still open.
        case committed
        /// None of its writes are in the store.
        case rolledBack
        /// The disk failed after the commit began: the writes may be in the store or not.
        case indeterminate
    }

    var outcome = Outcome.committed
}
