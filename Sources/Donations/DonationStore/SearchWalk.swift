import Donations

/// A walk down the search tables of a kind, from the highest places, for rows with some words.
struct SearchWalk {
    let kind: DonationKind
    /// What every row has.
    let words: QueryFullText
    /// Compares the letters of the last word, as long as that costs less than asking the tables;
    /// nil: it does not.
    var beginning: SearchBeginning?
    let rank: SearchRank
    let isLocked: Bool
    /// How many more rows are looked for; at the end 0, or what there was too little.
    private(set) var room: Int
    private(set) var found: [SearchCandidate] = []
    /// How many rows were read for their letters, which were others.
    private(set) var others = 0

    /// - Parameter room: How many rows are looked for.
    init(
        _ kind: DonationKind, _ words: QueryFullText, beginning: SearchBeginning? = nil,
        rank: SearchRank, room: Int, isLocked: Bool
    ) {
        self.kind = kind
        self.words = words
        self.beginning = beginning
        self.rank = rank
        self.isLocked = isLocked
        self.room = room
    }

    /// Adds what a search table has, and how many rows were read in vain for it.
    mutating func add(_ candidates: [SearchCandidate], others: Int = 0) {
        found += candidates
        room -= candidates.count
        self.others += others
    }
}
