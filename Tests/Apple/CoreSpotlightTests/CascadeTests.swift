import CoreSpotlight
import DonationStore
import Foundation
import Testing

/// What each deletion of the index takes with it, and what it leaves.
struct CascadeTests {
    /// Items a, b and one of another index; activities related to them in every way.
    private func soup(_ spotlight: Spotlight) async throws {
        let index = CSSearchableIndex.default()
        try await index.indexSearchableItems([
            Spotlight.item("a", domain: "menu.hot"), Spotlight.item("b", domain: "menu"),
            Spotlight.item("c", domain: "menubar"),
        ])
        try await CSSearchableIndex(name: "orders").indexSearchableItems([
            Spotlight.item("order", domain: "menu")
        ])
        try await spotlight.view("of-a", related: "a")
        try await spotlight.view("of-a", related: "a")
        try await spotlight.view(nil, related: "a")
        try await spotlight.view("of-b", related: "b")
        try await spotlight.view("weak-a", weak: "a")
        try await spotlight.view("of-order", related: "order")
        try await spotlight.view("plain")
        try await spotlight.view("domain", domain: "menu.hot")
        try await spotlight.interact("said")
        try await spotlight.interact("by-siri", bySiri: true)
        #expect(try await spotlight.events() == 8)
    }

    @Test func `F31 F32 D6 an item takes the activities strongly related to it`() async throws {
        try await Spotlight.run { spotlight in
            try await soup(spotlight)
            try await CSSearchableIndex.default().deleteSearchableItems(
                withIdentifiers: ["a", "unknown"])
            #expect(try await spotlight.items() == ["b", "c", "order"])
            #expect(
                try await spotlight.activities() == [
                    "domain", "of-b", "of-order", "plain", "weak-a",
                ])
            #expect(try await spotlight.events() == 5)
            #expect(try await spotlight.interactions() == ["by-siri", "said"])
        }
    }

    @Test func `F31 D7 a weakly related activity may come first and stays`() async throws {
        try await Spotlight.run { spotlight in
            try await spotlight.view("early", weak: "later")
            #expect(try await spotlight.activities() == ["early"])
            let index = CSSearchableIndex.default()
            try await index.indexSearchableItems([Spotlight.item("later")])
            try await index.deleteSearchableItems(withIdentifiers: ["later"])
            #expect(try await spotlight.items().isEmpty)
            #expect(try await spotlight.activities() == ["early"])
            try await index.deleteAllSearchableItems()
            #expect(try await spotlight.activities() == ["early"])
        }
    }

    @Test func `F32 D8 a domain takes what lies below it, by part`() async throws {
        try await Spotlight.run { spotlight in
            try await soup(spotlight)
            try await CSSearchableIndex.default().deleteSearchableItems(
                withDomainIdentifiers: ["menu"])
            // menubar is no part of menu; A10: the default index reaches every index.
            #expect(try await spotlight.items() == ["c"])
            #expect(try await spotlight.activities() == ["plain", "weak-a"])
            #expect(try await spotlight.interactions() == ["by-siri", "said"])
        }
    }

    @Test func `F32 D9 and A4 all items take every interaction, and no unrelated activity`()
        async throws
    {
        try await Spotlight.run { spotlight in
            try await soup(spotlight)
            let orders = CSSearchableIndex(name: "orders")
            orders.beginBatch()
            try await orders.endBatch(withClientState: Data("one".utf8))
            try await CSSearchableIndex.default().deleteAllSearchableItems()
            #expect(try await spotlight.items().isEmpty)
            #expect(try await spotlight.interactions().isEmpty)
            #expect(try await spotlight.activities() == ["domain", "plain", "weak-a"])
            #expect(try await orders.fetchLastClientState().isEmpty)
        }
    }

    @Test func `F31 D10 an activity of an item that is not indexed is refused`() async throws {
        try await Spotlight.run { spotlight in
            try await spotlight.view("dangling", related: "nowhere")
            #expect(try await spotlight.activities().isEmpty)
            #expect(try await spotlight.events() == 0)
            let outcomes = try await spotlight.store.outcomes(limit: 5)
            #expect(outcomes.contains { $0.outcome == .refusedItemMissing })
        }
    }

    @Test(arguments: [false, true])
    func `F30 D12 and A7 replacing or updating an item is no deletion`(isUpdate: Bool) async throws
    {
        try await Spotlight.run { spotlight in
            try await soup(spotlight)
            let item = Spotlight.item("a", title: "Another name")
            item.isUpdate = isUpdate
            try await CSSearchableIndex.default().indexSearchableItems([item])
            #expect(try await spotlight.activities().contains("of-a"))
            #expect(try await spotlight.events() == 8)
            #expect(try await spotlight.store.search("another", limit: 5) == ["a"])
        }
    }

    @Test func `D28 a named index reaches no activity by domain`() async throws {
        try await Spotlight.run { spotlight in
            try await soup(spotlight)
            try await CSSearchableIndex(name: "orders").deleteSearchableItems(
                withDomainIdentifiers: ["menu"])
            #expect(try await spotlight.items() == ["a", "b", "c"])
            #expect(
                try await spotlight.activities() == [
                    "domain", "of-a", "of-b", "plain", "unnamed", "weak-a",
                ])
        }
    }

    @Test func `A10 a named index deletes its own items, and all interactions`() async throws {
        try await Spotlight.run { spotlight in
            try await soup(spotlight)
            let orders = CSSearchableIndex(name: "orders")
            try await orders.deleteSearchableItems(withIdentifiers: ["a"])
            #expect(try await spotlight.items() == ["a", "b", "c", "order"])
            try await orders.deleteAllSearchableItems()
            #expect(try await spotlight.items() == ["a", "b", "c"])
            #expect(try await !spotlight.activities().contains("of-order"))
            #expect(try await spotlight.activities().contains("of-a"))
            #expect(try await spotlight.interactions().isEmpty)
        }
    }

    @Test func `A12 identifiers are compared byte by byte`() async throws {
        try await Spotlight.run { spotlight in
            let index = CSSearchableIndex.default()
            try await index.indexSearchableItems([
                Spotlight.item("caf\u{E9}"), Spotlight.item("cafe\u{301}"),
            ])
            #expect(try await spotlight.items().count == 2)
            try await index.deleteSearchableItems(withIdentifiers: ["caf\u{E9}"])
            let left = try await spotlight.items()
            #expect(left.map { Array($0.utf8) } == [Array("cafe\u{301}".utf8)])
        }
    }

    @Test(arguments: [[], [""], ["nothing"]])
    func `D23 and D24 a deletion that matches nothing succeeds, twice`(
        identifiers: [String]
    ) async throws {
        try await Spotlight.run { spotlight in
            try await soup(spotlight)
            let index = CSSearchableIndex.default()
            for _ in 0..<2 {
                try await index.deleteSearchableItems(withIdentifiers: identifiers)
                try await index.deleteSearchableItems(withDomainIdentifiers: identifiers)
            }
            #expect(try await spotlight.items().count == 4)
            #expect(try await spotlight.events() == 8)
        }
    }

    struct Soup: IndexedEntity {
        let id: Int
        var hideInSpotlight = false
        var attributeSet: CSSearchableItemAttributeSet {
            let attributes = CSSearchableItemAttributeSet(contentType: .content)
            attributes.displayName = "Soup \(id)"
            return attributes
        }
    }

    @Test func `F61 D22 an entity takes its items and what relates to them`() async throws {
        try await Spotlight.run { spotlight in
            let index = CSSearchableIndex.default()
            try await index.indexAppEntities([Soup(id: 1), Soup(id: 2), Soup(id: 3)], priority: 7)
            let associated = Spotlight.item("recipe")
            associated.associateAppEntity(Soup(id: 1), priority: 3)
            try await index.indexSearchableItems([associated, Spotlight.item("other")])
            try await spotlight.view("cooking", related: "recipe")
            #expect(try await spotlight.store.find("soup 2", limit: 1).first?.rankingHint == 7)

            try await index.deleteAppEntities(identifiedBy: [1], ofType: Soup.self)
            #expect(try await spotlight.items() == ["Soup/2", "Soup/3", "other"])
            #expect(try await spotlight.activities().isEmpty)
            try await index.indexAppEntities([Soup(id: 2, hideInSpotlight: true)])
            #expect(try await spotlight.items() == ["Soup/3", "other"])
            try await index.deleteAppEntities(ofType: Soup.self)
            #expect(try await spotlight.items() == ["other"])
        }
    }
}
