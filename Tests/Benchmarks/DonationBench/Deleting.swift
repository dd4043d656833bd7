import DonationStore
import Donations

/// How long deletions take.
struct Deleting {
    let folder: String

    /// Items of one domain among as many of another, each with an activity related to it.
    func domain(rows: Int) async throws {
        let store = try Bench.store(folder, isDurable: true)
        var source = Rows(seed: 5)
        try await Bench.fill(store, rows: rows * 2) { number in
            source.item(number, domain: number % 2 == 0 ? "doomed.box-\(number % 7)" : "kept.box")
        }
        let start = Bench.processorSeconds()
        let seconds = try await Bench.seconds {
            let receipt = try await store.delete(
                .searchableDomains(["doomed"], indexName: nil))
            guard receipt.removedCount == rows else {
                throw Problem("\(receipt.removedCount) rows went instead of \(rows)")
            }
        }
        Bench.tell("processor_ms", (Bench.processorSeconds() - start) * 1000)
        Bench.tell("ms", seconds * 1000)
        await store.flushAndClose()
    }

    /// Everything, of every kind.
    func all(rows: Int) async throws {
        let filling = try Bench.store(folder, isDurable: false)
        var source = Rows(seed: 6)
        try await Bench.fill(filling, rows: rows) { number in
            switch number % 4 {
            case 0: source.message(number)
            case 1: source.view()
            default: source.item(number)
            }
        }
        await filling.flushAndClose()
        let store = try Bench.store(folder, isDurable: true)
        let seconds = try await Bench.seconds {
            _ = try await store.eraseEverything()
        }
        guard try await store.counts().isEmpty else { throw Problem("something is left") }
        Bench.tell("s", seconds)
        await store.flushAndClose()
    }
}
