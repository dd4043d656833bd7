import Basics
import CloudModel

/// What the parts of the store share.
final class StoreContext {
    let tables: StoreTables
    let clock: WallClock
    /// The seed names were made with; a store that is opened again keeps its own.
    private(set) var seed: UInt64
    /// How often the store was opened, this time included.
    let starts: Int64
    var options: MockOptions
    /// What those who read are told later than it happens.
    let lags = Lags()
    /// What those who watch the store are to be told.
    let changes = ChangeNotes()
    /// Whose storage is full.
    let quotas: Quotas
    /// How far back faults may look at feeds.
    var faultLag = Duration.zero
    /// Of the names and numbers that the service gives.
    var generator: SeededGenerator
    /// Records that the command under way has taken into shared hierarchies or out of them by moving
    /// others, or told participants of.
    var moved = 0

    init(
        location: MockStore.Location, options: MockOptions, clock: WallClock, seed: UInt64,
        image: StoreImage? = nil
    ) throws(MockStoreError) {
        tables = try StoreTables(location, image)
        quotas = Quotas(tables)
        self.options = options
        self.clock = clock
        let tables = tables
        let (kept, starts) = try tables.translating { () throws(CloudError) in
            let kept = try tables.meta("seed").map { UInt64(bitPattern: $0) }
            if kept == nil { try tables.setMeta("seed", Int64(bitPattern: seed)) }
            let starts = (try tables.meta("starts") ?? 0) + 1
            try tables.setMeta("starts", starts)
            return (kept ?? seed, starts)
        }
        self.seed = kept
        self.starts = starts
        // Another start must not give the same identifiers again.
        let base = image == nil ? kept : seed
        generator = SeededGenerator(seed: base &+ UInt64(starts) &* 0x9E37_79B9)
    }

    /// Reads once more what the tables have: a snapshot file may have brought another seed.
    func reload() throws(CloudError) {
        seed = try tables.meta("seed").map { UInt64(bitPattern: $0) } ?? seed
    }

    /// Refuses a request with more items than a request may have.
    func requireCount(_ count: Int) throws(CloudError) {
        guard count <= options.operationsMax else {
            throw CloudError(
                .badRequest, reason: "more than \(options.operationsMax) items in one request",
                rule: 47)
        }
    }

    /// Answers the items of a request, each by itself: what fails in one is answered beside the others,
    /// and a failure of the store ends the request.
    func answers<Item, Answer>(
        to items: [Item], _ answer: (Item) throws(CloudError) -> Answer,
        failed: (Item, CloudError) -> Answer
    ) throws(CloudError) -> [Answer] {
        try requireCount(items.count)
        var answers: [Answer] = []
        answers.reserveCapacity(items.count)
        for item in items {
            do throws(CloudError) {
                answers.append(try answer(item))
            } catch {
                guard tables.failure == nil else { throw error }
                answers.append(failed(item, error))
            }
        }
        return answers
    }
}

/// A part of the store, which may keep some of what the tables hold in memory too.
protocol StorePart: AnyObject {
    /// The open batch was committed.
    func didCommit()

    /// The open batch was rolled back.
    func didRollBack() throws(CloudError)

    /// Reads what it keeps of the tables once more: at the start, and after they were put back.
    func reload() throws(CloudError)
}

extension StorePart {
    func didCommit() {}
    func didRollBack() throws(CloudError) { try reload() }
    func reload() throws(CloudError) {}
}
