import CloudModel

/// The histories of the store: each restore begins one, so that tokens which saw what was undone can be
/// told from those of before.
final class Histories: StorePart {
    private let context: StoreContext
    private var table: HistoryTables { context.tables.histories }
    /// The number of the history of now.
    private(set) var epoch: UInt32 = 0

    init(_ context: StoreContext) { self.context = context }

    func reload() throws(CloudError) {
        epoch = UInt32(truncatingIfNeeded: try context.tables.meta("epoch") ?? 0)
    }

    /// The token of a place in a zone's feed.
    func token(_ row: ZoneRow, at sequence: Int64, _ session: Session) -> FeedToken {
        FeedToken(
            kind: .zone, incarnation: row.feed, sequence: sequence,
            digest: FeedToken.digest([row.name], from: session.database.digest), epoch: epoch)
    }

    /// The token of a place in a database's feed.
    func token(at sequence: Int64, _ session: Session) -> FeedToken {
        var token = FeedToken(
            kind: .database, sequence: sequence, digest: session.database.digest, epoch: epoch)
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
        var (ours, theirs) = (Int64(self.epoch), Int64(epoch))
        // A history begins later than the one it leaves: both ways lead to where they meet.
        while ours != theirs {
            let later = max(ours, theirs)
            guard let branch = try table.parent(of: later, at: place),
                branch.epoch < later, position <= branch.seq
            else { return false }
            if ours == later { ours = branch.epoch } else { theirs = branch.epoch }
        }
        return true
    }

    /// Begins a history that leaves the one of `parent`, in the open transaction; ``reload()`` makes it
    /// that of now.
    func begin(after parent: UInt32) throws(CloudError) {
        try table.begin(after: parent, now: epoch)
    }
}
