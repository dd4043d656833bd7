import CoreSpotlight
import DonationStore
import Foundation
import Testing

/// What real apps got wrong with the index, and what becomes of it here.
struct MistakeTests {
    @Test func `M5 a link to something not indexed is refused and reported`() async throws {
        try await Spotlight.run { spotlight in
            try await spotlight.view("room", related: "last-message-7")
            #expect(try await spotlight.activities().isEmpty)
            let log = try await spotlight.store.outcomes(limit: 10)
            #expect(log.filter { $0.outcome == .refusedItemMissing }.count == 1)
        }
    }

    @Test func `M5 an item linked to itself is deleted without a loop`() async throws {
        try await Spotlight.run { spotlight in
            let item = Spotlight.item("article", domain: "saved")
            item.attributeSet.relatedUniqueIdentifier = "article"
            let index = CSSearchableIndex.default()
            try await index.indexSearchableItems([item])
            try await spotlight.view("reading", related: "article", domain: "saved")
            try await index.deleteSearchableItems(withDomainIdentifiers: ["saved"])
            #expect(try await spotlight.items().isEmpty)
            #expect(try await spotlight.activities().isEmpty)
        }
    }

    @Test func `M6 and A11 rooms whose names hold periods are escaped or warned of`()
        async throws
    {
        try await Spotlight.run { spotlight in
            let index = CSSearchableIndex.default()
            let rooms = ["!x:example.org", "!x:example.org.uk"]
            try await index.indexSearchableItems(
                rooms.map { Spotlight.item($0, domain: $0) })
            #expect(index.warnings.map(\.code) == [.domainLooksUnescaped, .domainLooksUnescaped])
            try await index.deleteSearchableItems(withDomainIdentifiers: [rooms[0]])
            #expect(try await spotlight.items().isEmpty)

            try await index.indexSearchableItems(
                rooms.map {
                    Spotlight.item($0, domain: CSDomainIdentifier.make("rooms", $0))
                })
            #expect(index.warnings.count == 2)
            try await index.deleteSearchableItems(
                withDomainIdentifiers: [CSDomainIdentifier.make("rooms", rooms[0])])
            #expect(try await spotlight.items() == [rooms[1]])
            try await index.deleteSearchableItems(withDomainIdentifiers: ["rooms"])
            #expect(try await spotlight.items().isEmpty)
        }
    }

    @Test(arguments: [
        ("account.mailbox", false), ("notes", false), ("com.example.notes", false),
        ("www.example.net", true), ("example.org", true), ("a..b", true), ("a.", true),
        ("user@example.org", true), ("!x:example.org", true), ("zone.record%2Ename", false),
        ("https://example.org", true),
    ])
    func `A11 a domain is judged by its parts`(domain: String, isSuspect: Bool) {
        #expect(CSDomainIdentifier.looksUnescaped(domain) == isSuspect)
    }

    @Test(arguments: ["a", "a.b", "100%", "%2E", "%25.", "!x:example.org", "é.ü"])
    func `a level comes back from its escaped form`(name: String) {
        let domain = CSDomainIdentifier.make("top", name)
        #expect(domain.split(separator: ".").count == 2)
        #expect(CSDomainIdentifier.levels(of: domain) == ["top", name])
        #expect(
            !CSDomainIdentifier.looksUnescaped(
                domain.replacing("!", with: "").replacing(":", with: "")))
    }

    @Test func `M7 rooms left before anybody watched are cleaned at the next start`()
        async throws
    {
        let directory = TemporaryFolder()
        try await Spotlight.run(directory: directory.path) { spotlight in
            try await CSSearchableIndex.default().indexSearchableItems([
                Spotlight.item("room-1"), Spotlight.item("room-2"),
            ])
            try await spotlight.view("room-1", related: "room-1")
            await spotlight.store.flushAndClose()
        }
        // The room was left on another device; nothing told this one while it ran.
        try await Spotlight.run(directory: directory.path) { spotlight in
            let receipt = try await CSSearchableIndex.default().rebuild(with: [
                Spotlight.item("room-2")
            ])
            #expect(receipt.removedCount == 3)
            #expect(try await spotlight.items() == ["room-2"])
            #expect(try await spotlight.activities().isEmpty)
        }
    }

    @Test func `M8 clearing another index than the one written to shows in the receipt`()
        async throws
    {
        try await Spotlight.run { spotlight in
            try await CSSearchableIndex.default().indexSearchableItems([Spotlight.item("page")])
            let preview = try await spotlight.store.preview(
                .allSearchableItems(indexName: "history"))
            #expect(preview.removedCount(.searchableItem) == 0)
            #expect(preview.kept[.searchableItem] == 1)
            try await CSSearchableIndex(name: "history").deleteAllSearchableItems()
            #expect(try await spotlight.items() == ["page"])
            try await CSSearchableIndex.default().deleteAllSearchableItems()
            #expect(try await spotlight.items().isEmpty)
        }
    }

    @Test func `M9 what nobody waited for is in the log`() async throws {
        try await Spotlight.run { spotlight in
            let index = CSSearchableIndex.default()
            func withoutWaiting() {
                index.indexSearchableItems([Spotlight.item("a")])
                index.deleteSearchableItems(withIdentifiers: ["a", "b"])
            }
            withoutWaiting()
            try await spotlight.store.flush()
            let log = try await spotlight.store.outcomes(limit: 5)
            let deletion = log.first { $0.call == "delete" }
            #expect(deletion?.removed == 1 && deletion?.unmatched == 1)
        }
    }

    @Test func `M11 what was deleted on the server goes by its link`() async throws {
        try await Spotlight.run { spotlight in
            let post = ContentLink(
                container: "iCloud.com.example.blog", scope: "private", zone: "posts",
                record: "post-1")
            let item = Spotlight.item("post-1")
            item.contentLink = post
            try await CSSearchableIndex.default().indexSearchableItems([
                item, Spotlight.item("post-2"),
            ])
            try await spotlight.view("reading", related: "post-1")
            try await spotlight.store.delete(.linked(post))
            #expect(try await spotlight.items() == ["post-2"])
            #expect(try await spotlight.activities().isEmpty)
        }
    }

    @Test func `M15 opening an item that is gone opens nothing`() async throws {
        try await Spotlight.run { _ in
            let index = CSSearchableIndex.default()
            try await index.indexSearchableItems([Spotlight.item("a", title: "Soup")])
            let launch = try await index.launchActivity(forItem: "a")
            #expect(launch?.activityType == CSSearchableItemActionType)
            #expect(launch?.userInfo?[CSSearchableItemActivityIdentifier] as? String == "a")
            try await index.deleteSearchableItems(withIdentifiers: ["a"])
            #expect(try await index.launchActivity(forItem: "a") == nil)
            #expect(try await CSSearchableIndex(name: "x").launchActivity(forItem: "a") == nil)
        }
    }

    @Test func `M16 the receipt of deleting all says that recent results may linger`()
        async throws
    {
        try await Spotlight.run { spotlight in
            try await CSSearchableIndex.default().indexSearchableItems([Spotlight.item("a")])
            let receipt = try await spotlight.store.delete(.allSearchableItems(indexName: nil))
            #expect(receipt.notes.map(\.remark).contains(.recentResults))
        }
    }
}
