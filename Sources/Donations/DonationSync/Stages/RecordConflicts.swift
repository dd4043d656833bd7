/// How often records were in conflict in a round.
struct RecordConflicts {
    private var counts: [String: Int] = [:]

    /// How often one record may be in conflict in a round before it waits for the next.
    private static let conflictsMax = 5

    /// Notes a conflict about a record; false when it has to be left for another round.
    mutating func mayTryAgain(_ name: String) -> Bool {
        counts[name, default: 0] += 1
        return counts[name, default: 0] <= Self.conflictsMax
    }

    /// Whether a record is left for another round.
    func isHeld(_ name: String) -> Bool { counts[name, default: 0] > Self.conflictsMax }

    /// How many records are left for another round.
    var heldCount: Int { counts.values.count { $0 > Self.conflictsMax } }
}
