/// A way through the zones that a database had when it began, in the order of their last change: the live ones,
/// and then the deleted.
///
/// A zone that is written to meanwhile moves further back in it, and so is reached still.
struct ZoneWalk {
    /// Zones that have come since have higher numbers.
    let lastIncarnation: Int64
    /// Whether the live ones are not done.
    private(set) var isLive: Bool
    private(set) var isDone = false
    /// Where the database's feed tells of the last one that was taken.
    private(set) var place: Int64

    /// - Parameters:
    ///   - lastIncarnation: The highest number that a zone has now.
    ///   - isLive: Whether live zones are wanted.
    ///   - place: Where to begin; the place of the default zone is 0.
    init(upTo lastIncarnation: Int64, isLive: Bool = true, after place: Int64 = -1) {
        self.lastIncarnation = lastIncarnation
        self.isLive = isLive
        self.place = place
    }

    /// Takes note of a step.
    ///
    /// - Parameters:
    ///   - rows: The zones after ``place``.
    ///   - limit: How many there can be of them in a step; where they are fewer there are no others.
    mutating func advance(past rows: [ZoneRow], limit: Int) {
        if rows.count >= limit, let last = rows.last {
            place = last.dbSeq
        } else {
            isDone = !isLive
            isLive = false
            place = -1
        }
    }

    /// Whether a zone was there at the beginning.
    func covers(_ row: ZoneRow) -> Bool { row.incarnation <= lastIncarnation }
}
