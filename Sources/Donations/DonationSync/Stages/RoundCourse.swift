/// What all stages share: what a round still has to read, how much goes into one request, and how
/// many more answers it takes that bring it no further.
struct RoundCourse {
    /// When the feed is to be read.
    enum Reading { case now, beforeUpload, atEnd }

    private var due: Set<Reading> = []
    /// How many items go into one request.
    private(set) var batch = Self.batchMax
    /// More than this many were refused in this round.
    private var batchLargest = Self.batchMax
    private var setbacks = 0

    /// How many answers may bring a round no further before it waits: what a service contradicts
    /// itself about is not asked for ever.
    private static let setbacksMax = 50
    /// The most items of one request that the service takes.
    private static let batchMax = 200

    /// Whether the round is to wait rather than ask on.
    var isStuck: Bool { setbacks > Self.setbacksMax }

    func isDue(_ reading: Reading) -> Bool { due.contains(reading) }

    mutating func read(_ reading: Reading) { due.insert(reading) }

    /// The feed was read to its end. What leads to another reading is counted: a round has few.
    mutating func hasRead() {
        due = []
        setbacks += 1
    }

    /// An answer came; the next requests may be larger again.
    mutating func note(isSuccess: Bool) {
        if isSuccess {
            batch = min(batchLargest, batch + max(1, batch / 10))
        } else {
            setbacks += 1
        }
    }

    /// Makes the next requests smaller than a refused one; false when they cannot be.
    mutating func shrink(_ count: Int) -> Bool {
        guard count > 1 else { return false }
        batchLargest = min(batchLargest, count - 1)
        batch = max(1, count / 2)
        return true
    }

    /// The round begins anew; the answers that brought it no further stay counted.
    mutating func restart() {
        due = [.now]
        setbacks += 1
    }
}
