import DonationStore
import Donations
import Testing

/// One test for each row of the decision table: what a call removes, and what it leaves.
struct DecisionTableTests {
    @Test func `D1 deleting interactions by identifier removes those and nothing else`()
        async throws
    {
        let store = try memoryStore()
        _ = try await store.donate([.interaction("a"), .interaction("b", group: "a")])
        _ = try await store.donateActivity(.activity("a"))
        try await store.index(.item("a"))
        let receipt = try await store.delete(.interactions(identifiers: ["a"]))
        #expect(
            try await store.contents() == [
                "interaction b", "savedActivity a", "searchableItem a",
            ])
        #expect(receipt.counts == [.init(kind: .interaction, rule: .direct, rows: 1)])
        #expect(receipt.removed.map(\.rule) == [.direct])
        #expect(!receipt.removed[0].identifierDigest.isEmpty)
        #expect(receipt.removed[0].identifierDigest != "a")
    }

    @Test func `D2 deleting a group leaves interactions of no group`() async throws {
        let store = try memoryStore()
        _ = try await store.donate([
            .interaction("a", group: "g"), .interaction("b", group: "h"), .interaction("g"),
        ])
        try await store.delete(.interactionGroup("g"))
        #expect(try await store.contents() == ["interaction b", "interaction g"])
    }

    @Test func `D3 deleting all interactions leaves what Siri recorded, activities and items`()
        async throws
    {
        let store = try memoryStore()
        _ = try await store.donate([
            .interaction("a"), .interaction("s", siri: true), .record("r"),
        ])
        try await store.index(.item("x"))
        _ = try await store.donateActivity(.activity("p"))
        let receipt = try await store.delete(.allInteractions)
        #expect(
            try await store.contents() == [
                "appIntent r", "interaction s", "savedActivity p", "searchableItem x",
            ])
        #expect(receipt.notes == [.init(remark: .siriInteractions, rows: 1)])
    }

    @Test func `D4 deleting by persistent identifier removes the activity and its events`()
        async throws
    {
        let store = try memoryStore()
        try await store.index(.item("x"))
        _ = try await store.donateActivity(.activity("p", related: "x"))
        _ = try await store.donateActivity(.activity("p"))
        _ = try await store.donateActivity(.activity("q"))
        _ = try await store.donate(.interaction("p"))
        let receipt = try await store.delete(.activities(persistentIdentifiers: ["p"]))
        #expect(
            try await store.contents() == [
                "interaction p", "savedActivity q", "searchableItem x",
            ])
        #expect(receipt.removedCount(.activity) == 2)
        #expect(receipt.removedCount(.savedActivity) == 1)
    }

    @Test func `D5 deleting all activities removes those without an identifier too`() async throws {
        let store = try memoryStore()
        try await store.index(.item("x"))
        _ = try await store.donateActivity(.activity("p"))
        _ = try await store.donateActivity(.activity())
        _ = try await store.donate(.interaction("i"))
        try await store.delete(.allActivities)
        #expect(try await store.contents() == ["interaction i", "searchableItem x"])
        #expect(try await store.counts()[.activity] == nil)
    }

    @Test func `D6 deleting an item removes activities strongly related to it`() async throws {
        let store = try memoryStore()
        try await store.index(.item("x"), .item("y"))
        _ = try await store.donateActivity(.activity("p", related: "x"))
        _ = try await store.donateActivity(.activity("q", related: "y"))
        _ = try await store.donateActivity(.activity("x", weak: "x"))
        _ = try await store.donate(.interaction("x"))
        let receipt = try await store.delete(
            .searchableItems(identifiers: ["x"], indexName: nil))
        #expect(
            try await store.contents() == [
                "interaction x", "savedActivity q", "savedActivity x", "searchableItem y",
            ])
        #expect(Set(receipt.counts.map(\.rule)) == [.direct, .relatedItem])
    }

    @Test func `D6 an activity that has moved on to another item loses only the old events`()
        async throws
    {
        let store = try memoryStore()
        try await store.index(.item("x"), .item("y"))
        _ = try await store.donateActivity(.activity("p", related: "x"))
        _ = try await store.donateActivity(.activity("p", related: "y"))
        try await store.delete(.searchableItems(identifiers: ["x"], indexName: nil))
        #expect(try await store.contents() == ["savedActivity p", "searchableItem y"])
        #expect(try await store.list(.activity).map(\.relatedIdentifier) == ["y"])
    }

    @Test(arguments: [
        DonationSelector.searchableItems(identifiers: ["x"], indexName: nil),
        .searchableDomains(["d"], indexName: nil), .allSearchableItems(indexName: nil),
    ])
    func `D7 a weak relation never takes the activity along`(selector: DonationSelector)
        async throws
    {
        let store = try memoryStore()
        try await store.index(.item("x", domain: "d"))
        _ = try await store.donateActivity(.activity("p", weak: "x"))
        try await store.delete(selector)
        #expect(try await store.contents() == ["savedActivity p"])
    }

    @Test func `D8 a domain takes what lies below it, by part and not by letter`() async throws {
        let store = try memoryStore()
        try await store.index(
            .item("1", domain: "a"), .item("2", domain: "a.b"), .item("3", domain: "ab"),
            .item("4"), .item("5", domain: "a-b"))
        _ = try await store.donateActivity(.activity("of item", related: "2", domain: "z"))
        _ = try await store.donateActivity(.activity("own domain", domain: "a.c"))
        _ = try await store.donateActivity(.activity("beside", domain: "ab"))
        let receipt = try await store.delete(.searchableDomains(["a"], indexName: nil))
        #expect(
            try await store.contents() == [
                "savedActivity beside", "searchableItem 3", "searchableItem 4",
                "searchableItem 5",
            ])
        #expect(receipt.removedCount(.savedActivity) == 2)
    }

    @Test func `D9 deleting all items wipes every interaction, Siri's too`() async throws {
        let store = try memoryStore()
        try await store.index(.item("x"), .item("y", index: "n"))
        _ = try await store.donate([
            .interaction("a"), .interaction("s", siri: true), .record("r"),
        ])
        _ = try await store.donateActivity(.activity("p", related: "x"))
        _ = try await store.donateActivity(.activity("never related"))
        let batch = ItemBatch(indexName: "n")
        try await store.end(batch, clientState: [1])
        let receipt = try await store.delete(.allSearchableItems(indexName: nil))
        #expect(
            try await store.contents() == ["appIntent r", "savedActivity never related"])
        #expect(receipt.removed.filter { $0.rule == .allItemsInteractions }.count == 2)
        #expect(receipt.notes.contains(.init(remark: .unrelatedActivities, rows: 1)))
        #expect(try await store.clientState(indexName: "n") == nil)
    }

    @Test func `D10 an activity whose item is not indexed is not stored`() async throws {
        let store = try memoryStore()
        #expect(
            try await store.donateActivity(.activity("p", related: "x")) == .refusedItemMissing)
        #expect(try await store.counts() == [:])
        #expect(try await store.outcomes(limit: 5).map(\.outcome) == [.refusedItemMissing])
        try await store.index(.item("x"))
        #expect(try await store.donateActivity(.activity("p", related: "x")) == .stored)
    }

    @Test(arguments: [
        DonationSelector.activities(persistentIdentifiers: ["p"]),
        .searchableItems(identifiers: ["x"], indexName: nil),
    ])
    func `D11 an activity with both identifiers goes by either`(selector: DonationSelector)
        async throws
    {
        let store = try memoryStore()
        try await store.index(.item("x"))
        _ = try await store.donateActivity(.activity("p", related: "x"))
        try await store.delete(selector)
        #expect(try await store.counts()[.activity] == nil)
        #expect(try await store.counts()[.savedActivity] == nil)
    }

    @Test(arguments: [DonationStore.ItemWrite.replace, .update])
    func `D12 indexing an item again takes nothing along`(write: DonationStore.ItemWrite)
        async throws
    {
        let store = try memoryStore()
        try await store.index(.item("x", domain: "a"))
        _ = try await store.donateActivity(.activity("p", related: "x"))
        _ = try await store.donate(.interaction("i"))
        let outcome = try await store.index([(.item("x", domain: "b"), write)])
        #expect(outcome == [.replaced])
        #expect(
            try await store.contents() == [
                "interaction i", "savedActivity p", "searchableItem x",
            ])
        // The relation goes by the item as it is now.
        #expect(
            try await store.delete(.searchableDomains(["a"], indexName: nil)).removedCount == 0)
        #expect(
            try await store.delete(.searchableDomains(["b"], indexName: nil)).removedCount == 3)
    }
}
