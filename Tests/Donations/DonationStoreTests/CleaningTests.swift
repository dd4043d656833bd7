import AsyncOperations
import DonationStore
import Donations
import Foundation
import Testing

/// Deleted words are in no file of the store: not in free pages, not in the log, not in a search
/// table, whose words share their beginnings, so that the tests look for their ends.
struct CleaningTests {
    /// A word, and the part of it that stands in a file wherever the word does.
    private static func word(_ number: Int) -> (whole: String, end: String) {
        let first = ["q", "w", "x", "y", "z", "j", "k", "v"][number % 8]
        return ("\(first)u\(number)murmel\(number)baum", "murmel\(number)baum")
    }

    private static func fill(_ store: DonationStore, rows: Int) async throws {
        for number in 0..<rows {
            var item = Donation.item("x\(number)", domain: "d\(number % 5).e")
            item.title = word(number).whole
            item.keywords = ["key" + word(number).whole]
            try await store.index(item)
            var view = Donation.activity("p\(number)", related: "x\(number)")
            view.title = "view " + word(number).whole
            _ = try await store.donateActivity(view)
            var message = Donation.interaction("i\(number)", group: "g\(number % 5)")
            message.title = "To " + word(number).whole
            message.images = [.init(parameter: "soup", bytes: Array(word(number).whole.utf8))]
            _ = try await store.donate(message)
        }
    }

    /// Whether the files hold the words of exactly the numbers that fulfil a condition.
    private static func expectWords(
        _ folder: TemporaryFolder, rows: Int, _ isKept: (Int) -> Bool
    ) throws {
        let bytes = try folder.bytes()
        for number in 0..<rows {
            let isThere = bytes.range(of: Data(word(number).end.utf8)) != nil
            #expect(isThere == isKept(number), "\(word(number).whole)")
        }
    }

    @Test(arguments: [10, 60])
    func `deleted words are in no file of a closed store`(rows: Int) async throws {
        let folder = TemporaryFolder()
        let store = try fileStore(folder) {
            $0.isDurable = false
            $0.searchPieceBits = 3
        }
        try await Self.fill(store, rows: rows)
        try await store.delete(.searchableItems(identifiers: ["x1"], indexName: nil))
        try await store.delete(.interactions(identifiers: ["i1"]))
        try await store.delete(.searchableDomains(["d0"], indexName: nil))
        try await store.delete(.interactionGroup("g0"))
        // Renamed.
        var item = Donation.item("x2", domain: "d2.e")
        item.title = "salad"
        try await store.index(item)
        try await store.delete(.activities(persistentIdentifiers: ["p2"]))
        try await store.delete(.interactions(identifiers: ["i2"]))
        await store.flushAndClose()
        try Self.expectWords(folder, rows: rows) { $0 % 5 != 0 && $0 != 1 && $0 != 2 }
        let again = try fileStore(folder)
        #expect(try await again.search(Self.word(3).whole, limit: 9) == ["x3", "p3"])
        #expect(try await again.search(Self.word(1).whole, limit: 9).isEmpty)
    }

    @Test func `a small store is clean as soon as nobody waits for it`() async throws {
        let folder = TemporaryFolder()
        let store = try fileStore(folder) { configuration in
            configuration.cleansWhileIdle = true
            configuration.isDurable = false
            configuration.searchPieceBits = 3
        }
        try await Self.fill(store, rows: 10)
        try await store.delete(.searchableItems(identifiers: ["x1"], indexName: nil))
        try await store.delete(.interactions(identifiers: ["i1"]))
        // Each call comes after what was done while nobody waited.
        for _ in 0..<10_000 where try folder.contains(Self.word(1).end) {
            try await store.flush()
        }
        try Self.expectWords(folder, rows: 10) { $0 != 1 }
    }

    @Test func `what a run leaves behind that ended after a deletion is cleaned by the next`()
        async throws
    {
        let folder = TemporaryFolder()
        let copies = Locked<[TemporaryFolder]>([])
        let isDeleting = Locked(false)
        let store = try fileStore(folder) { configuration in
            configuration.cleansWhileIdle = true
            configuration.isDurable = false
            configuration.searchPieceBits = 2
            configuration.hook = { step in
                guard step == .afterCommit, isDeleting.withLock({ $0 }) else { return }
                let copy = try folder.copy()
                copies.withLock { $0.append(copy) }
            }
        }
        try await Self.fill(store, rows: 10)
        isDeleting.withLock { $0 = true }
        try await store.delete(.searchableItems(identifiers: ["x1"], indexName: nil))
        try await store.delete(.interactions(identifiers: ["i1"]))
        try await store.eraseEverything()
        let ended = copies.withLock { $0 }
        #expect(ended.count == 3)
        for (number, copy) in ended.enumerated() {
            // The third had time to clean after the first two.
            let word = Self.word(number < 2 ? 1 : 2)
            #expect(try copy.contains(word.end), "the end came before the cleaning")
            await (try fileStore(copy)).flushAndClose()
            try Self.expectWords(copy, rows: 10) {
                number == 0 ? true : number == 1 ? $0 != 1 : false
            }
        }
        copies.withLock { $0 = [] }
    }
}
