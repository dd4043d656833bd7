import Basics
import DonationStore
import Donations
import Foundation
import RandomSeeds
import SQLite
import Testing

/// Searches whose last word is the beginning of another and has more letters than the search
/// tables have an index for: the store compares letters itself, and must not find other rows.
struct SearchBeginningTests {
    private static func item(
        _ identifier: String, _ title: String, keywords: [String] = [], description: String? = nil
    ) -> (item: Donation, write: DonationStore.ItemWrite) {
        SearchTests.item(
            identifier, title: title, keywords: keywords, description: description)
    }

    @Test(arguments: [
        ("soup intern", ["accent", "title", "quoted", "keyword", "described", "shorter"]),
        ("SOUP Internat", ["accent", "title", "quoted", "keyword", "described"]),
        ("soup internati", ["title", "quoted", "keyword", "described"]),
        ("soup hot internati", ["described"]), ("soup internationals", []),
        ("salad internati", []), ("soup 2026-internati", ["described"]),
        // The only word, and letters that only the tables fold.
        ("internati", ["title", "quoted", "keyword", "described", "salad"]),
        ("soup internatí", ["title", "quoted", "keyword", "described"]),
    ])
    func `a row is found when a word of it begins so`(
        text: String, expected: [String]
    ) async throws {
        for bits in [1, 7] {
            let store = try memoryStore { $0.searchPieceBits = bits }
            _ = try await store.index([
                Self.item("title", "Soup, INTERNATIONAL"), Self.item("shorter", "Soup intern"),
                Self.item("inside", "Soup xinternational"), Self.item("none", "Soup inter"),
                Self.item("keyword", "Soup", keywords: ["thick", "international"]),
                Self.item("described", "Hot soup", description: "2026 (internationale)"),
                Self.item("accent", "Soup intérnatal"),
                Self.item("quoted", "Soup „international“"),
                Self.item("salad", "International"),
            ])
            #expect(
                try await store.search(text, limit: 20).sorted() == expected.sorted(),
                "pieces of \(bits) bits")
        }
    }

    @Test(arguments: [7, 12])
    func `rows with other words of the same beginning do not hide it`(bits: Int) async throws {
        let store = try memoryStore { $0.searchPieceBits = bits }
        let others = (0..<1_500).map { Self.item("other-\($0)", "soup interval \($0)") }
        let wanted = (0..<3).map { Self.item("wanted-\($0)", "soup intervened \($0)") }
        _ = try await store.index([wanted[0]] + others.prefix(700) + [wanted[1]])
        _ = try await store.index(others.suffix(800) + [wanted[2]])
        #expect(
            try await store.search("soup interve", limit: 20)
                == ["wanted-0", "wanted-1", "wanted-2"])
        #expect(try await store.search("soup interva", limit: 1_000).count == 1_000)
    }

    /// Rows of words that are alike, with letters and marks of all kinds, one by one: beside a row
    /// that only the tables can tell of, they are asked about all.
    @Test func `the search tables alone would find the same`() async throws {
        let seed = Seeds.one("search tables")
        var random = SeededGenerator(seed: seed)
        let heads = ["", "", "„", "é", "x", "\u{301}", "日", "\u{E000}", "\0", "_", "7-", "ı"]
        let stems = ["inter", "INTER", "intér", "inte\u{301}r", "İnter", "inte"]
        let tails = ["nat", "NAT", "val", "é", "\u{301}nat", "-nat", "7", "ñat", "", "ﬁ", "ﬁnat"]
        func part(_ parts: [String]) -> String {
            parts[Int.random(in: 0..<parts.count, using: &random)]
        }
        func word() -> String {
            part(["hot ", "日", "", "„"]) + part(heads) + part(stems) + part(tails)
                + part(["", "ional", "é", " ñ"])
        }
        let folder = TemporaryFolder()
        let store = try fileStore(folder) { $0.searchPieceBits = 12 }
        let numbers = 0..<400
        _ = try await store.index(
            numbers.map { number in
                Self.item(
                    "\(number)", "row\(number) inter" + part(tails), keywords: [word()],
                    description: number % 3 == 0 ? word() : nil)
            })
        let connection = try Connection(.file(folder.path + "/donations.sqlite"))
        for last in ["intern", "InterNat", "international", "interv", "inter7"] {
            let expected = try connection.rows(
                "SELECT identifier FROM items WHERE id IN"
                    + " (SELECT rowid FROM items_text WHERE items_text MATCH ?)",
                .text("\"\(last)\" *")
            ).compactMap { $0.first?.string }
            var found: [String] = []
            for number in numbers {
                found += try await store.search("row\(number) \(last)", limit: 9)
            }
            #expect(found.sorted() == expected.sorted(), "\(last), CKSWEEP_SEED=\(seed)")
        }
        await store.flushAndClose()
    }
}
