import AsyncOperations
import Basics
import DonationStore
import Donations
import Testing

/// What Apple's interfaces do not have: previews, what remains, dates, links, restrictions.
struct StoreTests {
    @Test func `a row comes back as it was stored`() async throws {
        let store = try memoryStore()
        var row = Donation.interaction("caf\u{E9}\0x", group: "g", siri: true)
        row.begin = Timestamp(milliseconds: -5)
        row.end = Timestamp(milliseconds: 7)
        row.expiration = Timestamp(milliseconds: 9)
        row.title = "title"
        row.displayName = ""
        row.keywords = ["a\nb", "c"]
        row.description = "text"
        row.suggestedInvocationPhrase = "Soup!"
        row.webpageURL = "https://example.com/?q#f"
        row.targetContentIdentifier = "target"
        row.predictionKey = [0, 255]
        row.entityType = "E"
        row.entityIdentifier = "e"
        row.numbers = ["direction": 1, "status": -3]
        row.payload = PayloadValue.dictionary(["k": .integer(1)]).encoded
        row.mentions = ["tel:1", "Ann"]
        row.nestedActivity = .init(activityType: "t", persistentIdentifier: nil, payload: [1])
        row.actionID = "act"
        row.link = ContentLink(
            container: "iCloud.a", scope: "private", zone: "z", zoneOwner: "o", record: "r")
        row.weakRelatedIdentifier = "weak"
        row.protectionClass = "complete"
        row.eligibility = [.handoff, .prediction]
        _ = try await store.donate(row)
        var expected = row
        expected.row = 1
        #expect(try await store.list(.interaction) == [expected])
    }

    @Test func `a preview is the receipt of the deletion, and changes nothing`() async throws {
        let store = try memoryStore()
        try await store.index(.item("x", domain: "a"))
        _ = try await store.donateActivity(.activity("p", related: "x"))
        _ = try await store.donate([.interaction("i"), .interaction("s", siri: true)])
        for selector in everySelector {
            let before = try await store.list(.everything, limit: 100)
            let preview = try await store.preview(selector)
            #expect(try await store.list(.everything, limit: 100) == before)
            #expect(preview.journalSequence == 0)
        }
        let preview = try await store.preview(.allSearchableItems(indexName: nil))
        var receipt = try await store.delete(.allSearchableItems(indexName: nil))
        #expect(receipt.journalSequence > 0)
        receipt.journalSequence = 0
        #expect(receipt == preview)
    }

    @Test func `a receipt lists a bounded number of rows and counts all`() async throws {
        let store = try memoryStore { $0.receiptEntriesMax = 5 }
        _ = try await store.donate((0..<20).map { .interaction("\($0)") })
        let receipt = try await store.delete(.allInteractions)
        #expect(receipt.removed.count == 5)
        #expect(receipt.removedCount == 20)
        #expect(!receipt.isComplete)
    }

    @Test func `M2 a key that the donation does not carry is found as another kind of key`()
        async throws
    {
        let store = try memoryStore()
        var row = Donation.interaction("6F0A", group: "account")
        row.mentions = ["account.chat"]
        _ = try await store.donate(row)
        for name in ["account.chat", "account"] {
            let receipt = try await store.delete(.interactions(identifiers: [name]))
            #expect(receipt.removedCount == 0)
            #expect(receipt.unmatchedCount == 1)
            #expect(receipt.nearMisses.map(\.rule) == [.otherKey])
        }
        #expect(
            try await store.remainder(mentioning: ["account.chat"]).map(\.rule) == [.mention])
    }

    @Test func `M3 looking first deletes nothing, and what was deleted before closing is gone`()
        async throws
    {
        let folder = TemporaryFolder()
        let store = try fileStore(folder)
        for name in ["1", "2"] { _ = try await store.donate(.interaction(name)) }
        _ = try await store.preview(.allInteractions)
        #expect(try await store.contents() == ["interaction 1", "interaction 2"])
        // Nobody waits for the answer before the app ends.
        store.delete(.allInteractions) { _ in }
        await store.flushAndClose()
        #expect(try await fileStore(folder).contents() == [])
    }

    @Test func `M18 what is done again after a deletion is stored again`() async throws {
        let store = try memoryStore()
        _ = try await store.donate(.interaction("1"))
        try await store.delete(.interactions(identifiers: ["1"]))
        _ = try await store.donate(.interaction("1"))
        _ = try await store.donateActivity(.activity("p"))
        try await store.delete(.activities(persistentIdentifiers: ["p"]))
        _ = try await store.donateActivity(.activity("p"))
        #expect(
            try await store.contents() == ["interaction 1", "savedActivity p"])
    }

    @Test func `M14 a range of time can be deleted alone`() async throws {
        let clock = TestClock()
        let store = try memoryStore(clock)
        for name in ["1", "2", "3"] {
            var row = Donation.interaction(name)
            row.begin = clock.now
            _ = try await store.donate(row)
            try await store.index(.item(name))
            clock.advance(by: .seconds(60))
        }
        let start = sampleTime.milliseconds + 60_000
        try await store.delete(
            .donated(
                fromMilliseconds: start, untilMilliseconds: start + 60_000, includingItems: false))
        #expect(
            try await store.contents() == [
                "interaction 1", "interaction 3", "searchableItem 1", "searchableItem 2",
                "searchableItem 3",
            ])
    }

    @Test func `retiring an action takes all of its donations`() async throws {
        let store = try memoryStore()
        _ = try await store.donateActivity(.activity("p", type: "old"))
        _ = try await store.donateActivity(.activity("q", type: "new"))
        _ = try await store.donate([
            .interaction("a", type: "Old"), .interaction("b", type: "New"),
            .record("r", type: "Old"),
        ])
        #expect(try await store.retire(activityType: "old").removedCount == 2)
        #expect(try await store.retire(intentClass: "Old").removedCount == 2)
        #expect(try await store.contents() == ["interaction b", "savedActivity q"])
    }

    @Test func `content that goes takes what is linked to it`() async throws {
        let store = try memoryStore()
        func link(_ zone: String, _ record: String?) -> ContentLink {
            ContentLink(container: "iCloud.a", scope: "private", zone: zone, record: record)
        }
        var rows: [Donation] = []
        for (name, place) in [
            ("1", link("z", "r")), ("2", link("z", nil)), ("3", link("y", "r")),
        ] {
            var row = Donation.interaction(name)
            row.link = place
            rows.append(row)
        }
        _ = try await store.donate(rows + [.interaction("4")])
        #expect(try await store.preview(.linked(link("z", "r"))).removedCount == 1)
        #expect(try await store.preview(.linked(link("z", nil))).removedCount == 2)
        #expect(
            try await store.delete(.linked(ContentLink(container: "iCloud.a"))).counts
                == [.init(kind: .interaction, rule: .content, rows: 3)])
        #expect(try await store.contents() == ["interaction 4"])
    }

    @Test func `a restricted container takes nothing new until it is lifted`() async throws {
        let store = try memoryStore()
        var row = Donation.interaction("a")
        row.link = ContentLink(container: "iCloud.a")
        _ = try await store.donate(row)
        let before = try await store.list(.everything, limit: 10)
        try await store.restrict(container: "iCloud.a")
        #expect(try await store.restrictedContainers() == ["iCloud.a"])
        #expect(try await store.donate(row) == .refusedRestricted)
        #expect(try await store.donate(.interaction("b")) == .stored)
        try await store.delete(.interactions(identifiers: ["b"]))
        try await store.unrestrict(container: "iCloud.a")
        #expect(try await store.list(.everything, limit: 10) == before)
        #expect(try await store.donate(row) == .replaced)
        try await store.restrict(container: "iCloud.a")
        // What the user wants deleted is deleted all the same.
        #expect(try await store.delete(.interactions(identifiers: ["a"])).removedCount == 1)
    }

    @Test func `an update merges attributes and removes those set to nothing`() async throws {
        let store = try memoryStore()
        func item(_ attributes: [String: PayloadValue]) -> Donation {
            var item = Donation.item("x")
            item.payload = PayloadValue.dictionary(attributes).encoded
            return item
        }
        try await store.index(item(["title": .string("a"), "rating": .integer(1)]))
        _ = try await store.index([
            (item(["title": .string("b"), "rating": .null, "pages": .integer(2)]), .update)
        ])
        let row = try #require(try await store.list(.searchableItem).first)
        #expect(row.title == "b")
        let payload = try PayloadValue(decoding: row.payload)
        #expect(payload == .dictionary(["title": .string("b"), "pages": .integer(2)]))
    }

    @Test func `M4 a rebuild removes what is not offered again and nothing else`() async throws {
        let store = try memoryStore()
        try await store.index(.item("x"), .item("y"), .item("z", index: "n"))
        _ = try await store.donateActivity(.activity("p", related: "x"))
        _ = try await store.donateActivity(.activity("q", related: "y"))
        _ = try await store.donate(.interaction("i"))
        let receipt = try await store.rebuild(indexName: nil, items: [.item("y"), .item("new")])
        #expect(receipt.removedCount == 3)
        #expect(
            try await store.contents() == [
                "interaction i", "savedActivity q", "searchableItem new", "searchableItem y",
                "searchableItem z",
            ])
    }

    @Test func `images are kept with their donation and go with it`() async throws {
        let folder = TemporaryFolder()
        let store = try fileStore(folder)
        var row = Donation.interaction("a")
        row.images = [.init(parameter: "soup", bytes: [1, 2, 3])]
        _ = try await store.donate(row)
        let file = try #require(try await store.list(.interaction).first?.images.first?.file)
        #expect(try await store.image(file) == [1, 2, 3])
        #expect(folder.images == [file])
        row.images = [.init(parameter: "soup", bytes: [4])]
        _ = try await store.donate(row)
        #expect(folder.images.count == 1)
        #expect(try await store.image(file) == nil)
        #expect(try await store.image("../donations.sqlite") == nil)
        try await store.delete(.interactions(identifiers: ["a"]))
        #expect(folder.images == [])
    }

    @Test func `large deletions that leave little and those that leave nothing are exact`()
        async throws
    {
        let store = try memoryStore { $0.searchPieceBits = 10 }
        let items = (0..<12_000).map { number in
            (
                item: Donation.item(
                    "\(number)", domain: number < 11_990 ? "a" : "b", title: "soup"),
                write: DonationStore.ItemWrite.replace
            )
        }
        _ = try await store.index(items)
        let receipt = try await store.delete(.searchableDomains(["a"], indexName: nil))
        #expect(receipt.removedCount == 11_990)
        #expect(try await store.counts() == [.searchableItem: 10])
        #expect(try await store.list(.searchableItem).allSatisfy { $0.domain == "b" } == true)
        // The rows that were put aside keep their numbers, and new ones get others.
        try await store.index(.item("new"))
        #expect(try await store.list(.searchableItem).last?.row == 12_001)
        try await store.delete(.allSearchableItems(indexName: nil))
        #expect(try await store.counts() == [:])
    }

    @Test func `M9 the totals count what the log no longer has, until all is erased`()
        async throws
    {
        let store = try memoryStore()
        _ = try await store.donate(.interaction("a"))
        try await store.delete(.interactions(identifiers: ["a"]))
        for _ in 0..<1200 { store.delete(.interactions(identifiers: ["none"])) { _ in } }
        _ = try await store.donateActivity(.activity("p", related: "missing"))
        #expect(try await store.outcomes(limit: 5000).count == 1000)
        let facts = try await store.auditFacts()
        #expect(facts.deletions == 1 && facts.emptyDeletions == 1200)
        #expect(facts.refusals == [.refusedItemMissing: 1])
        try await store.eraseEverything()
        let after = try await store.auditFacts()
        #expect(after.emptyDeletions == 0 && after.refusals == [:])
    }

    @Test func `M2 a parameter is found however old its donation is`() async throws {
        let store = try memoryStore()
        var old = Donation.interaction("old")
        old.mentions = ["chat-1"]
        _ = try await store.donate(old)
        _ = try await store.store((0..<3000).map { Donation.interaction("new\($0)") })
        let receipt = try await store.delete(.interactions(identifiers: ["chat-1"]))
        #expect(receipt.removedCount == 0 && receipt.nearMisses.map(\.rule) == [.otherKey])
    }
}
