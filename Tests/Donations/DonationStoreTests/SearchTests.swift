import Basics
import DonationStore
import Donations
import Foundation
import Testing

/// Full-text search in the store.
struct SearchTests {
    let store: DonationStore

    init() throws {
        var configuration = DonationConfiguration(
            bundleIdentifier: "com.example.search", directory: "",
            now: { Date(timeIntervalSince1970: 1_000_000) })
        configuration.searchPieceBits = 2
        store = try DonationStore(configuration: configuration)
    }

    static func item(
        _ identifier: String, title: String? = nil, displayName: String? = nil,
        keywords: [String] = [], description: String? = nil, hint: Int64 = 0,
        change: (inout Donation) -> Void = { _ in }
    ) -> (item: Donation, write: DonationStore.ItemWrite) {
        var row = Donation(
            .searchableItem, identifier: identifier, type: "public.text",
            at: Timestamp(milliseconds: 0))
        row.title = title
        row.displayName = displayName
        row.keywords = keywords
        row.description = description
        row.numbers["rankingHint"] = hint
        change(&row)
        return (row, .replace)
    }

    @Test(arguments: [
        ("creme", ["a"]), ("CRÈME brul", ["a"]), ("brûlée", ["a"]), ("brulees", []),
        ("dessert", ["a", "b"]), ("des", ["a", "b"]), ("sugar", ["a"]), ("burnt sug", ["a"]),
        ("tarte", ["b"]), ("ессе", []), ("борщ", ["c"]), ("БОР", ["c"]), ("", []), ("\"", []),
        ("* OR title:", []), ("creme AND", []), ("日本", ["d"]), ("x'); DROP TABLE items", []),
    ])
    func `words are found as they begin, without capitals and accents`(
        text: String, expected: [String]
    ) async throws {
        _ = try await store.index([
            Self.item(
                "a", title: "Crème brûlée", keywords: ["dessert", "oven"],
                description: "with burnt sugar"),
            Self.item("b", displayName: "Tarte", keywords: ["dessert"]),
            Self.item("c", title: "Борщ"), Self.item("d", title: "日本料理"),
        ])
        #expect(try await store.search(text, limit: 10) == expected)
    }

    @Test func `order is by place of the words, then hint, then identifier`() async throws {
        _ = try await store.index([
            Self.item("description", title: "Tea", description: "soup", hint: 100),
            Self.item("keyword", title: "Tea", keywords: ["soup"], hint: 100),
            Self.item("prefix", title: "Best soups", hint: 100),
            Self.item("word", title: "Hot soup", hint: 1),
            Self.item("begins", title: "Soup of the day", hint: 1),
            Self.item("name", displayName: "SOUP", hint: 0),
            Self.item("word-b", title: "Hot soup", hint: 50),
            Self.item("word-a", title: "Hot soup", hint: 50),
        ])
        let order = [
            "name", "begins", "word-a", "word-b", "word", "prefix", "keyword", "description",
        ]
        #expect(try await store.search("soup", limit: 10) == order)
        #expect(try await store.search("soup", limit: 3) == Array(order.prefix(3)))
        #expect(try await store.search("soup", limit: 0).isEmpty)
        #expect(try await store.search("soup", limit: -1).isEmpty)
    }

    @Test func `of many answers those with high hints are ranked`() async throws {
        var items = (0..<3_000).map { Self.item("row-\($0)", title: "soup \($0)", hint: 5) }
        items[7].item.numbers["rankingHint"] = 90
        items[2_900].item.numbers["rankingHint"] = 80
        _ = try await store.index(items)
        let found = try await store.search("soup", limit: 5_000)
        #expect(found.count == DonationStore.searchLimitMax)
        #expect(found.prefix(2) == ["row-7", "row-2900"])
        #expect(found.contains("row-2999") && !found.contains("row-6"))
        // An exact answer beats every hint of longer ones.
        #expect(try await store.search("soup 12", limit: 1) == ["row-12"])
    }

    @Test func `what changed or went is not found by its former words`() async throws {
        _ = try await store.index([
            Self.item("a", title: "old words", hint: 90), Self.item("b", title: "old"),
        ])
        _ = try await store.index([Self.item("a", title: "new words", hint: 10)])
        #expect(try await store.search("old", limit: 10) == ["b"])
        #expect(try await store.search("words", limit: 10) == ["a"])
        try await store.delete(.searchableItems(identifiers: ["a"], indexName: nil))
        #expect(try await store.search("words", limit: 10).isEmpty)
        try await store.delete(.allSearchableItems(indexName: nil))
        #expect(try await store.search("old", limit: 10).isEmpty)
        _ = try await store.index([Self.item("c", title: "old again")])
        #expect(try await store.search("old", limit: 10) == ["c"])
    }

    @Test func `expired, restricted and protected rows are not seen`() async throws {
        _ = try await store.index([
            Self.item("expired", title: "soup") {
                $0.expiration = Timestamp(milliseconds: 1_000_000_000)
            },
            Self.item("linked", title: "soup") {
                $0.link = ContentLink(container: "iCloud.com.example")
            },
            Self.item("complete", title: "soup") {
                $0.protectionClass = "NSFileProtectionComplete"
            },
            Self.item("open", title: "soup") {
                $0.protectionClass = "NSFileProtectionCompleteUntilFirstUserAuthentication"
            },
        ])
        #expect(try await store.search("soup", limit: 9) == ["complete", "linked", "open"])
        store.isLocked = true
        #expect(try await store.search("soup", limit: 9) == ["linked", "open"])
        #expect(try await store.visibleItem("complete") == nil)
        try await store.restrict(container: "iCloud.com.example")
        #expect(try await store.search("soup", limit: 9) == ["open"])
        try await store.unrestrict(container: "iCloud.com.example")
        store.isLocked = false
        #expect(try await store.search("soup", limit: 9) == ["complete", "linked", "open"])
        #expect(try await store.visibleItem("expired") == nil)
    }

    @Test func `F46 activities are found when they may be searched for`() async throws {
        for (name, eligibility) in [("seen", Donation.Eligibility.search), ("hidden", .handoff)] {
            var activity = Donation(
                .activity, type: "com.example.view", at: Timestamp(milliseconds: 0))
            activity.persistentIdentifier = name
            activity.title = "Soup"
            activity.eligibility = eligibility
            _ = try await store.donateActivity(activity)
        }
        _ = try await store.index([Self.item("item", title: "Soup")])
        let hits = try await store.find("soup", limit: 9)
        #expect(hits.map(\.identifier) == ["item", "seen"])
        #expect(hits.map(\.kind) == [.searchableItem, .savedActivity])
        try await store.delete(.activities(persistentIdentifiers: ["seen"]))
        #expect(try await store.search("soup", limit: 9) == ["item"])
    }

    @Test func `a walk sees every visible item once, by words or without`() async throws {
        _ = try await store.index(
            (0..<1_000).map { number in
                Self.item("row-\(number)", title: number % 3 == 0 ? "three" : "other")
            })
        for query in [#"title == "three""#, "rankingHint == 0"] {
            let predicate = try QueryPredicate(parsing: query, now: 0)
            var cursor: SearchCursor? = SearchCursor(for: predicate)
            var seen: [String] = []
            while let place = cursor {
                let page = try await store.items(after: place, limit: 64)
                seen += page.items.map(\.identifier)
                cursor = page.next
            }
            #expect(Set(seen).count == seen.count)
            #expect(seen.count == (query.hasPrefix("title") ? 334 : 1_000))
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `F29 an activity is saved and found, or neither, after any deletion`(seed: UInt64)
        async throws
    {
        let clock = TestClock()
        let store = try memoryStore(clock)
        var history = RandomHistory(seed: seed)
        for number in 0..<60 {
            switch history.step(number, at: clock.now) {
            case .donate(let row): _ = try await store.donate(row)
            case .activity(var row):
                row.title = "seen \(row.persistentIdentifier ?? "")"
                row.eligibility = [.search, .prediction]
                _ = try await store.donateActivity(row)
            case .index(let row): try await store.index(row)
            case .delete(let selector):
                if case .everything = selector { continue }
                try await store.delete(selector)
            case .wait, .crash: break
            }
            let saved = try await store.list(.savedActivity)
            let found = try await store.search(words: "seen", limit: 1000)
                .filter { $0.kind == .savedActivity }
            let living = saved.filter { row in
                row.expiration.map { $0.milliseconds > clock.now.milliseconds } ?? true
            }
            #expect(Set(found.map(\.row)) == Set(living.map(\.row)), "seed \(seed)")
            // Each is the latest of its events, and no event is without it.
            let keys = Set(try await store.list(.activity).compactMap(\.savedKey))
            #expect(keys == Set(saved.compactMap(\.savedKey)), "seed \(seed), step \(number)")
        }
    }
}
