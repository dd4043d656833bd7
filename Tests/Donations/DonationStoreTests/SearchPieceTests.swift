import DonationStore
import Donations
import Foundation
import SQLite
import Testing

/// The words of a kind are in several search tables, so that none has to be written anew as a whole
/// because of one deletion.
struct SearchPieceTests {
    private static func item(_ number: Int, hint: Int64 = 0) -> Donation {
        var item = Donation.item("x\(number)", domain: "d\(number % 5)")
        item.title = "soup number\(number)ofmany"
        item.numbers["rankingHint"] = hint
        return item
    }

    private static func fill(_ store: DonationStore, _ numbers: Range<Int>) async throws {
        for number in numbers { try await store.index(item(number)) }
    }

    /// The search tables of items, and what each has written.
    private static func pieces(_ folder: TemporaryFolder) throws -> [String: [[Value]]] {
        let connection = try Connection(.file(folder.path + "/donations.sqlite"))
        let tables = try connection.rows(
            "SELECT name FROM sqlite_schema WHERE sql GLOB 'CREATE VIRTUAL TABLE items*'"
        ).compactMap { $0.first?.string }
        var pieces: [String: [[Value]]] = [:]
        for table in tables {
            try connection.execute("INSERT INTO \(table)(\(table)) VALUES ('integrity-check')")
            pieces[table] = try connection.rows("SELECT id, block FROM \(table)_data ORDER BY id")
        }
        return pieces
    }

    @Test func `a deletion has only the tables written anew that had its words`() async throws {
        let folder = TemporaryFolder()
        let store = try fileStore(folder) { $0.searchPieceBits = 4 }
        try await Self.fill(store, 0..<100)
        await store.flushAndClose()
        let before = try Self.pieces(folder)
        // Rows are counted from 1, and the first 15 are in the first table.
        #expect(
            before.keys.sorted() == ["items_text"] + (1...6).map { "items_words_\($0)" })
        let again = try fileStore(folder)
        try await again.delete(.searchableItems(identifiers: ["x20", "x70"], indexName: nil))
        #expect(try await again.search("soup", limit: 1000).count == 98)
        await again.flushAndClose()
        let after = try Self.pieces(folder)
        let changed = after.keys.filter { after[$0] != before[$0] }.sorted()
        #expect(changed == ["items_words_1", "items_words_4"])
        for word in ["number20ofmany", "number70ofmany"] { #expect(try !folder.contains(word)) }
        #expect(try folder.contains("number21ofmany"))
    }

    @Test func `a table goes with its last row, and the newest stays`() async throws {
        let folder = TemporaryFolder()
        let store = try fileStore(folder) { $0.searchPieceBits = 2 }
        try await Self.fill(store, 0..<20)
        try await store.delete(
            .searchableItems(identifiers: (4..<20).map { "x\($0)" }, indexName: nil))
        await store.flushAndClose()
        // Four rows each, counted from 1.
        #expect(
            try Self.pieces(folder).keys.sorted()
                == ["items_text", "items_words_1", "items_words_5"])
        let again = try fileStore(folder)
        #expect(try await again.search("soup", limit: 9) == ["x0", "x1", "x2", "x3"])
        try await Self.fill(again, 20..<30)
        #expect(try await again.search("soup", limit: 99).count == 14)
        try await again.delete(.allSearchableItems(indexName: nil))
        #expect(try await again.search("soup", limit: 99).isEmpty)
        await again.flushAndClose()
        #expect(try Self.pieces(folder).keys.sorted() == ["items_text", "items_words_7"])
        #expect(try !folder.contains("ofmany"))
    }

    @Test func `hints and numbers order rows of all tables, page by page too`() async throws {
        let store = try memoryStore { $0.searchPieceBits = 2 }
        var numbers = Array(0..<40)
        numbers.swapAt(3, 30)
        for number in numbers {
            try await store.index(Self.item(number, hint: [0, 0, 0, 50, 10][number % 5]))
        }
        func rank(_ number: Int) -> Int { [0, 0, 0, 2, 1][number % 5] }
        let expected = numbers.reversed().enumerated().sorted {
            (rank($1.element), $0.offset) < (rank($0.element), $1.offset)
        }.map { "x\($0.element)" }
        let predicate = try QueryPredicate(parsing: #"title == "soup*""#, now: 0)
        for limit in [1, 3, 7, 100] {
            var cursor: SearchCursor? = SearchCursor(for: predicate)
            var seen: [String] = []
            while let place = cursor {
                let page = try await store.items(after: place, limit: limit)
                seen += page.items.map(\.identifier)
                cursor = page.next
            }
            #expect(seen == expected, "pages of \(limit)")
        }
    }

    @Test func `a file of version 2 keeps its one table, and new rows go into others`() async throws
    {
        let folder = TemporaryFolder()
        let store = try fileStore(folder) { $0.searchPieceBits = 40 }
        try await Self.fill(store, 0..<10)
        // As a run leaves it that ended before the cleaning.
        try await store.delete(.searchableItems(identifiers: ["x3"], indexName: nil))
        let copy = try folder.copy()
        await store.flushAndClose()
        try Self.makeVersion2(copy)
        #expect(try copy.contains("number3ofmany"))
        // What was left to clean is found under its older name.
        await (try fileStore(copy) { $0.searchPieceBits = 3 }).flushAndClose()
        #expect(try !copy.contains("number3ofmany"))

        let new = try fileStore(copy)
        #expect(try await new.search("soup", limit: 99).count == 9)
        try await Self.fill(new, 10..<30)
        try await new.delete(.searchableItems(identifiers: ["x5", "x25"], indexName: nil))
        #expect(try await new.search("soup", limit: 99).count == 27)
        await new.flushAndClose()
        // Ten rows were there: the first table has those up to 15.
        let tables = try Self.pieces(copy).keys.sorted()
        #expect(tables == ["items_text", "items_words_2", "items_words_3"])
        for number in [3, 5, 25] { #expect(try !copy.contains("number\(number)ofmany")) }
        for number in [4, 24] { #expect(try copy.contains("number\(number)ofmany")) }
    }

    private static func makeVersion2(_ folder: TemporaryFolder) throws {
        let connection = try Connection(.file(folder.path + "/donations.sqlite"))
        let isNoted = try connection.rows("SELECT 1 FROM facts WHERE name = 'clean-items_text'")
        #expect(!isNoted.isEmpty)
        try connection.execute(
            "UPDATE facts SET name = 'clean-items' WHERE name = 'clean-items_text';"
                + "DELETE FROM facts WHERE name GLOB 'pieces-*'; DROP INDEX sync_gone_waiting;"
                + "ALTER TABLE sync_zones ADD COLUMN survivor INTEGER NOT NULL DEFAULT 0;"
                + "PRAGMA user_version = 2"
        )
    }
}
