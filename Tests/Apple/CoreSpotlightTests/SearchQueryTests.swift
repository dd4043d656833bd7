import AsyncOperations
import CoreSpotlight
import DonationStore
import Foundation
import Testing

/// Reading items back by `CSSearchQuery`.
struct SearchQueryTests {
    private func menu(_ spotlight: Spotlight) async throws {
        var items: [CSSearchableItem] = []
        for (number, title) in ["Crème brûlée", "Cream soup", "Tea", "Icecream"].enumerated() {
            let item = Spotlight.item("item-\(number)", domain: "menu", title: title)
            item.attributeSet.rankingHint = NSNumber(value: number * 10)
            item.attributeSet.keywords = ["food", "n\(number)"]
            item.attributeSet.dueDate = Date(timeIntervalSince1970: 1_000_000 + Double(number))
            item.attributeSet.emailAddresses = ["cook\(number)@example.org"]
            if let key = CSCustomAttributeKey(keyName: "com_example_spice") {
                item.attributeSet.setValue(NSNumber(value: number), forCustomKey: key)
            }
            items.append(item)
        }
        try await CSSearchableIndex.default().indexSearchableItems(items)
    }

    private static func found(_ query: String, attributes: [String]? = nil) async throws
        -> [String]
    {
        var found: [String] = []
        for try await result in CSSearchQuery(queryString: query, attributes: attributes).results {
            found.append(result.id)
        }
        return found.sorted()
    }

    @Test(arguments: [
        (#"title == "cr*"cd"#, [0, 1]), (#"title == "*cream*"c"#, [1, 3]),
        (#"title == "creme brulee"cd"#, [0]), (#"title == "creme brulee""#, []),
        (#"** == "cream*"cdw"#, [1]), (#"** == "food""#, [0, 1, 2, 3]),
        (#"keywords == "n2" || keywords == "n3""#, [2, 3]),
        ("rankingHint >= 20", [2, 3]), ("com_example_spice == 3", [3]),
        ("dueDate > $time.now && dueDate <= $time.now(2)", [1, 2]),
        (#"domainIdentifier == "menu" && rankingHint < 10"#, [0]),
        (#"identifier == "item-2""#, [2]), (#"emailAddresses == "cook1@*""#, [1]),
        (#"contentType == "public.text" && title != "T*""#, [0, 1, 3]),
        ("expirationDate > $time.now", [0, 1, 2, 3]), (#"subject == "*""#, []),
        ("InRange(rankingHint, 5, 25)", [1, 2]), (#"* == "tea"c"#, [2]),
    ])
    func `F30 F46 a query finds what it describes`(query: String, numbers: [Int]) async throws {
        try await Spotlight.run { spotlight in
            try await menu(spotlight)
            #expect(try await Self.found(query) == numbers.map { "item-\($0)" })
        }
    }

    @Test(arguments: [
        (#"title = "x""#, "at 6"), ("", "at 0"), (#"title == "x"#, "at 9"),
        ("rankingHint == x", "at 15"),
    ])
    func `a malformed query is refused with its place`(
        query: String, place: String
    ) async throws {
        try await Spotlight.run { _ in
            do {
                _ = try await Self.found(query)
                Issue.record("it was taken")
            } catch CSSearchQueryError.invalidQuery {
                let error = await #expect(throws: CSSearchQueryError.self) {
                    try await Self.found(query)
                }
                #expect(error?.localizedDescription.contains(place) == true)
                #expect(error?.errorCode == -2002)
            }
        }
    }

    @Test func `only asked attributes are filled in, filters narrow`() async throws {
        try await Spotlight.run { spotlight in
            try await menu(spotlight)
            let context = CSSearchQueryContext()
            context.fetchAttributes = ["title", "kMDItemKeywords"]
            context.filterQueries = ["rankingHint > 5", "rankingHint < 15"]
            let query = CSSearchQuery(queryString: #"** == "food""#, queryContext: context)
            var items: [CSSearchableItem] = []
            for try await result in query.results { items.append(result.item) }
            #expect(items.map(\.uniqueIdentifier) == ["item-1"])
            #expect(items.first?.attributeSet.title == "Cream soup")
            #expect(items.first?.attributeSet.keywords == ["food", "n1"])
            #expect(items.first?.attributeSet.emailAddresses == nil)
            #expect(items.first?.domainIdentifier == "menu")
            #expect(query.foundItemCount == 1)
        }
    }

    @Test func `handlers get the items in parts, then the end`() async throws {
        try await Spotlight.run { spotlight in
            let items = (0..<700).map { Spotlight.item("row-\($0)", title: "soup") }
            try await CSSearchableIndex.default().indexSearchableItems(items)
            let query = CSSearchQuery(queryString: #"title == "soup""#, attributes: ["title"])
            let parts = Locked<[Int]>([])
            query.foundItemsHandler = { items in parts.withLock { $0.append(items.count) } }
            let error = await withCheckedContinuation { continuation in
                query.completionHandler = { continuation.resume(returning: $0 == nil) }
                query.start()
                query.start()
            }
            #expect(error)
            #expect(parts.withLock { $0 } == [256, 256, 188])
            #expect(query.foundItemCount == 700 && !query.isCancelled)
        }
    }

    @Test func `a cancelled search ends with an error`() async throws {
        try await Spotlight.run { spotlight in
            try await menu(spotlight)
            let query = CSSearchQuery(queryString: #"title == "*""#, attributes: nil)
            query.cancel()
            #expect(query.isCancelled)
            do {
                for try await _ in query.results { Issue.record("something was found") }
            } catch CSSearchQueryError.cancelled {}
            let late = CSSearchQuery(queryString: #"title == "*""#, attributes: nil)
            late.foundItemsHandler = { _ in late.cancel() }
            let end = await withCheckedContinuation { continuation in
                late.completionHandler = { error in
                    continuation.resume(returning: (error as? CSSearchQueryError)?.code)
                }
                late.start()
            }
            // The only page was found before.
            #expect(end == nil || end == .cancelled)
        }
    }

    @Test func `F30 protection classes narrow and lock`() async throws {
        try await Spotlight.run { spotlight in
            let secret = CSSearchableIndex(name: "secret", protectionClass: .complete)
            try await secret.indexSearchableItems([Spotlight.item("secret", title: "soup")])
            try await CSSearchableIndex(name: "open").indexSearchableItems([
                Spotlight.item("open", title: "soup")
            ])
            let query = CSSearchQuery(queryString: #"title == "soup""#, attributes: nil)
            query.protectionClasses = [.complete]
            var found: [String] = []
            for try await item in query.results { found.append(item.id) }
            #expect(found == ["secret"])
            spotlight.store.isLocked = true
            #expect(try await Self.found(#"title == "soup""#) == ["open"])
        }
    }

    @Test func `without a store every call says so`() async throws {
        #expect(DonationStore.current == nil)
        #expect(!CSSearchableIndex.isIndexingAvailable())
        do {
            try await CSSearchableIndex(name: "none").indexSearchableItems([])
            Issue.record("there is no store")
        } catch CSIndexError.indexUnavailableError {}
        do {
            _ = try await CSSearchableIndex(name: "none").fetchLastClientState()
            Issue.record("there is no store")
        } catch CSIndexError.indexUnavailableError {}
        do {
            for try await _ in CSSearchQuery(queryString: "title == \"x\"", attributes: nil)
                .results
            {}
            Issue.record("there is no store")
        } catch CSSearchQueryError.indexUnreachable {}
    }
}
