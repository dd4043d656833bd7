/// Who did what, apart from our client: kept while it happens.
struct Ledger: Sendable {
    /// When a thing came to be what it is, in the world's milliseconds; at the beginning: never.
    private(set) var born: [Thing: Int64] = [:]
    /// What others than our client took away.
    private(set) var taken: Set<Thing> = []
    /// What others than our client have changed, and left where it was.
    private(set) var touched: Set<Thing> = []
    /// What was arranged for the latest command and has happened.
    var happened: [Event] = []
    /// Whether another person's token came during it.
    var isSwapped: Bool { happened.contains(.swap) }

    /// Whether others than our client have done nothing.
    var isQuiet: Bool { born.isEmpty && taken.isEmpty && touched.isEmpty }

    /// Others than our client have done something.
    mutating func note(_ before: Contents, _ after: Contents, at time: Int64) {
        for thing in after.news(since: before) {
            if before[thing] == nil { born[thing] = time } else { touched.insert(thing) }
            taken.remove(thing)
        }
        taken.formUnion(after.losses(since: before))
    }

    /// Whether somebody else wrote it after that moment.
    func isBorn(_ thing: Thing, after moment: Int64) -> Bool {
        born[thing].map { $0 > moment } ?? false
    }
}
