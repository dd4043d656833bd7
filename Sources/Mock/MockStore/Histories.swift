import CloudModel

/// The histories of the store: each restore begins one, so that tokens which saw what was undone can be
/// told from those of before.
final class Histories: StorePart {
    private let context: StoreContext
    private var table: HistoryTables { context.tables.histories }
    /// The number of the history of now.
    private(set) var current: UInt32 = 0

    init(_ context: StoreContext) { self.context = context }

    func reload() throws(CloudError) {
        current = UInt32(truncatingIfNeeded: try context.tables.meta("epoch") ?? 0)
    }

    /// The token of a place in a zone's feed.
    func token(_ row: ZoneRow, at sequence: Int64, _ session: Session) -> FeedToken {
        FeedToken(
            kind: .zone, incarnation: row.feed, sequence: sequence,
            digest: FeedToken.digest([row.name], from: session.database.digest), epoch: current)
    }

    /// The token of a place in a database's feed.
    func token(at sequence: Int64, _ session: Session) -> FeedToken {
        var token = FeedToken(
            kind: .database, sequence: sequence, digest: session.database.digest, epoch: current)
        if context.options.databaseTokenJitter {
            token.nonce = UInt16(truncatingIfNeeded: context.generator.next())
        }
        return token
    }

    /// Whether what a token of some epoch has seen is part of the history of now.
    ///
    /// - Parameter place: A zone's incarnation, a share's number, or a database's ID negated.
    func includes(
        _ epoch: UInt32, place: Int64, upTo position: Int64
    ) throws(CloudError) -> Bool {
        guard epoch != current else { return true }
        // Both ways lead back to where they meet, if they do.
        var ours: Set<Int64> = [Int64(current)]
        var reached = Int64(current)
        while let branch = try table.parent(of: reached, at: place), position <= branch.seq,
            ours.insert(branch.epoch).inserted
        {
            if branch.epoch == Int64(epoch) { return true }
            reached = branch.epoch
        }
        var theirs: Set<Int64> = []
        reached = Int64(epoch)
        while theirs.insert(reached).inserted,
            let branch = try table.parent(of: reached, at: place), position <= branch.seq
        {
            if ours.contains(branch.epoch) { return true }
            reached = branch.epoch
        }
        return false
    }

    /// Begins a history that leaves the one of `parent`, in the open transaction; ``reload()`` makes it
    /// that of now.
    func begin(after parent: UInt32) throws(CloudError) {
        try table.begin(after: parent, now: current)
    }

    /// Begins the history of a store that is a copy of another one, which goes on by itself: neither has
    /// a number of the other's.
    ///
    /// - Parameter number: Drawn for this copy.
    func begin(ofFork number: UInt64) throws(CloudError) {
        try table.begin(after: current, now: HistoryTables.base(number))
    }
}
