import DonationStore
import Donations
import SQLite

/// How many donations a second, each durable before the next, beside SQLite alone.
struct Donating {
    let folder: String

    func run(rows: Int) async throws {
        // In turns, so that a slow moment of the disk meets both.
        let rounds = 4
        let store = try Bench.store("\(folder)/ours", isDurable: true)
        let raw = try RawInserts(folder: "\(folder)/raw")
        var source = Rows(seed: 7)
        var ours = 0.0
        var theirs = 0.0
        for round in 0..<rounds {
            let page = (0..<rows / rounds).map { source.message(round * rows + $0) }
            ours += try await Bench.seconds {
                for row in page {
                    guard try await store.donate([row]) == [.stored] else {
                        throw Problem("a donation was refused")
                    }
                }
            }
            theirs += try await Bench.seconds { for row in page { try raw.insert(row) } }
        }
        await store.flushAndClose()
        Bench.tell("ours_per_s", Double(rows) / ours)
        Bench.tell("sqlite_per_s", Double(rows) / theirs)
        Bench.tell("ratio", theirs / ours)
    }
}

/// The same rows in the same table with the same indexes, and nothing around it: a prepared
/// statement, a transaction for each, as durable.
struct RawInserts {
    private let connection: Connection
    private let insert: Statement

    init(folder: String) throws {
        // The store makes its tables; the file is then SQLite's alone.
        let configuration = DonationConfiguration(
            bundleIdentifier: "com.example.bench", directory: folder, clock: .fixed(Bench.now))
        _ = try DonationStore(configuration: configuration)
        connection = try Connection(.file(configuration.databasePath))
        try connection.useWriteAheadLog(.full)
        insert = try connection.prepare(
            "INSERT INTO interactions(identifier, grp, type, siri, eligibility, exotic, begun,"
                + " ended, donated, nested, prediction, title, body, hint, slot,"
                + " general1, specific1)"
                + " VALUES (?, ?, ?, 0, 0, 0, ?, ?, ?, 0, ?, ?, ?, 0, ?, ?, ?)")
    }

    func insert(_ row: Donation) throws {
        insert.bind(1, row.identifier)
        insert.bind(2, row.group)
        insert.bind(3, row.type)
        for index in 4...6 { insert.bind(index, row.begin.milliseconds) }
        insert.bind(7, row.predictionKey)
        insert.bind(8, row.title)
        insert.bind(9, row.payload)
        insert.bind(10, SuggestionSlot(row.begin).index)
        insert.bind(11, Int64(row.identifier.hashValue))
        insert.bind(12, Int64(row.title.hashValue))
        try connection.begin(.immediate)
        try insert.run()
        try connection.commit()
    }
}
