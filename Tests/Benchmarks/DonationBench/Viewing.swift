import Basics
import DonationStore
import Donations

/// How long searches and suggestions take.
struct Viewing {
    let folder: String

    /// The 99th percentile of 2000 searches over items.
    func search(rows: Int) async throws {
        let store = try Bench.store(folder, isDurable: false)
        var source = Rows(seed: 1)
        try await Bench.fill(store, rows: rows) { source.item($0) }
        var times = Times()
        var found = 0
        for _ in 0..<2000 {
            let query = source.query()
            try await times.take {
                found += try await store.search(words: query, limit: 20).count
            }
        }
        guard found > 2000 else { throw Problem("next to nothing was found") }
        times.tell()
        await store.flushAndClose()
    }

    /// The 99th percentile of suggestions at 500 moments, over messages and views.
    func suggest(rows: Int) async throws {
        let store = try Bench.store(folder, isDurable: false)
        var source = Rows(seed: 2)
        try await Bench.fill(store, rows: rows) { number in
            number % 10 < 7 ? source.message(number) : source.view()
        }
        var random = SeededGenerator(seed: 3)
        var times = Times()
        for _ in 0..<500 {
            let hours = Int64.random(in: 0..<168, using: &random)
            let moment = Timestamp(milliseconds: Bench.now.milliseconds + hours * 3_600_000)
            try await times.take {
                let found = try await store.suggestions(SuggestionRequest(now: moment))
                guard found.count == 10 else { throw Problem("too few were suggested") }
            }
        }
        times.tell()
        await store.flushAndClose()
    }

    /// The most memory while rows are donated, listed, searched, suggested, exported, deleted.
    ///
    /// One person in three hundred is asked for: an answer with a third of all rows would be
    /// measured by its own size.
    func memory(rows: Int) async throws {
        let store = try Bench.store(folder, isDurable: false)
        var source = Rows(seed: 4)
        try await Bench.fill(store, rows: rows) { number in
            switch number % 4 {
            case 0: source.message(number)
            case 1: source.view()
            default: source.item(number)
            }
        }
        var bytes = 0
        try await store.export { bytes += $0.count }
        _ = try await store.search(words: source.query(), limit: 20)
        _ = try await store.suggestions(SuggestionRequest(now: Bench.now))
        _ = try await store.remainder(mentioning: ["person-217"])
        _ = try await store.delete(.searchableDomains(["account-1"], indexName: nil))
        _ = try await store.delete(.everything)
        await store.flushAndClose()
        Bench.tell("exported_mib", Double(bytes) / 1_048_576)
        Bench.tell("rss_mib", try Bench.memoryMax())
    }
}
