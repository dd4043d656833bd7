import AsyncOperations
import CloudModel
import DonationStore
import Donations
import Testing

/// The second half of the decision table: time, the current activity, lists, batches, crashes.
struct LaterDecisionTableTests {
    /// Renews the items it is told to.
    final class Renewer: ItemRenewer {
        let asked = Locked<[String]>([])
        let store: DonationStore
        let renewed: Set<String>

        init(_ store: DonationStore, renewed: Set<String>) {
            self.store = store
            self.renewed = renewed
        }

        func renew(identifiers: [String], indexName: String?) async {
            asked.withLock { $0 += identifiers }
            let items = identifiers.filter { renewed.contains($0) }.map {
                (item: Donation.item($0, index: indexName), write: DonationStore.ItemWrite.replace)
            }
            _ = try? await store.index(items)
        }

        func renewAll(indexName: String?) async -> Bool {
            await renew(identifiers: renewed.sorted(), indexName: indexName)
            return true
        }
    }

    /// Never answers, whatever becomes of its task.
    private final class SilentRenewer: ItemRenewer {
        func renew(identifiers: [String], indexName: String?) async { await silence() }

        func renewAll(indexName: String?) async -> Bool {
            await silence()
            return true
        }

        private func silence() async {
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
    }

    @Test func `D13 a delegate that never answers is not waited for, and that is told`()
        async throws
    {
        let clock = TestClock()
        let store = try memoryStore(clock) { $0.delegateWaitMax = .milliseconds(1) }
        try await store.index(.item("x"))
        store.setRenewer(SilentRenewer(), indexName: nil)
        clock.advance(by: .seconds(31 * 86_400))
        let receipt = try #require(try await store.expire().first)
        #expect(receipt.notes == [.init(remark: .delegateSilent, rows: 1)])
        #expect(receipt.removedCount == 1)
        #expect(try await store.contents() == [])
    }

    @Test func `a delegate that never offers lost items is asked again the next time`()
        async throws
    {
        let store = try memoryStore { $0.delegateWaitMax = .milliseconds(1) }
        try await store.index(.item("x"), .item("y"))
        store.setRenewer(SilentRenewer(), indexName: nil)
        try await store.sync { sync throws(DonationError) in
            _ = try sync.removeExchangedRows(includingItems: false)
        }
        for _ in 0..<2 {
            let receipt = try #require(try await store.expire().first)
            #expect(receipt.notes == [.init(remark: .delegateSilent, rows: 2)])
        }
        let renewer = Renewer(store, renewed: ["y"])
        store.setRenewer(renewer, indexName: nil)
        _ = try await store.expire()
        #expect(renewer.asked.withLock { $0 } == ["y"])
    }

    @Test func `D13 an item past its date goes with what relates to it, unless it is renewed`()
        async throws
    {
        let clock = TestClock()
        let store = try memoryStore(clock)
        try await store.index(.item("x"), .item("y"))
        _ = try await store.donateActivity(.activity("p", related: "x"))
        _ = try await store.donateActivity(.activity("q", related: "y"))
        let renewer = Renewer(store, renewed: ["y"])
        store.setRenewer(renewer, indexName: nil)
        clock.advance(by: .seconds(29 * 86_400))
        #expect(try await store.expire() == [])
        clock.advance(by: .seconds(86_400))
        let receipts = try await store.expire()
        let asked = renewer.asked.withLock { $0.sorted() }
        #expect(asked == ["x", "y"])
        #expect(try await store.contents() == ["savedActivity q", "searchableItem y"])
        #expect(
            receipts.first?.counts == [
                .init(kind: .activity, rule: .relatedItem, rows: 1),
                .init(kind: .savedActivity, rule: .relatedItem, rows: 1),
                .init(kind: .searchableItem, rule: .expiry, rows: 1),
            ])
    }

    @Test func `D14 an activity past its date goes with all its events, nothing else does`()
        async throws
    {
        let clock = TestClock()
        let store = try memoryStore(clock)
        try await store.index(.item("x"))
        _ = try await store.donate(.interaction("i"))
        var activity = Donation.activity("p", related: "x")
        _ = try await store.donateActivity(activity)
        activity.expiration = clock.now.advanced(by: .seconds(60))
        _ = try await store.donateActivity(activity)
        // Another one whose latest event took the date away.
        var renewed = Donation.activity("q")
        renewed.expiration = activity.expiration
        _ = try await store.donateActivity(renewed)
        renewed.expiration = nil
        _ = try await store.donateActivity(renewed)
        clock.advance(by: .seconds(60))
        try await store.expire()
        #expect(
            try await store.contents() == [
                "interaction i", "savedActivity q", "searchableItem x",
            ])
        #expect(try await store.counts()[.activity] == 2)
    }

    @Test func `D15 resigning ends the advertising and leaves what is stored`() async throws {
        let store = try memoryStore()
        #expect(try await store.becomeCurrent(.activity("p"), object: 1) == .stored)
        #expect(try await store.currentObject() == 1)
        store.resignCurrent(object: 2)
        #expect(try await store.currentObject() == 1)
        store.resignCurrent(object: 1)
        #expect(try await store.currentObject() == nil)
        #expect(try await store.contents() == ["savedActivity p"])
    }

    @Test(arguments: [
        DonationSelector.activities(persistentIdentifiers: ["p"]), .allActivities,
        .searchableItems(identifiers: ["x"], indexName: nil),
        .searchableDomains(["d"], indexName: nil),
    ])
    func `D16 a deletion that hits the current activity ends its advertising`(
        selector: DonationSelector
    ) async throws {
        let store = try memoryStore()
        try await store.index(.item("x", domain: "d"))
        let activity = Donation.activity("p", related: "x")
        _ = try await store.becomeCurrent(activity, object: 1)
        try await store.delete(selector)
        #expect(try await store.currentObject() == nil)
    }

    @Test func `D17 and D18 setting a list replaces the whole of it and nothing beside it`()
        async throws
    {
        let store = try memoryStore()
        _ = try await store.donate(.interaction("i"))
        try await store.replace(.voiceShortcut, with: [ListEntry(identifier: "mine")])
        for kind in [DonationKind.relevantShortcut, .shortcutSuggestion, .upcomingMedia] {
            try await store.replace(
                kind, with: [ListEntry(identifier: "1"), ListEntry(identifier: "2")])
            try await store.replace(kind, with: [ListEntry(identifier: "3", title: "Three")])
            #expect(try await store.entries(kind).map(\.identifier) == ["3"])
            try await store.replace(kind, with: [])
            #expect(try await store.entries(kind) == [])
        }
        #expect(try await store.counts() == [.interaction: 1, .voiceShortcut: 1])
    }

    @Test(arguments: everySelector)
    func `D19 no deletion takes the user's own voice shortcuts`(selector: DonationSelector)
        async throws
    {
        let store = try memoryStore()
        try await store.replace(.voiceShortcut, with: [ListEntry(identifier: "mine")])
        try await store.delete(selector)
        try await store.eraseEverything()
        #expect(try await store.entries(.voiceShortcut).map(\.identifier) == ["mine"])
    }

    @Test func `D20 a vocabulary's type is replaced alone, and all types go together`() async throws
    {
        let store = try memoryStore()
        try await store.replace(.vocabulary, scope: "contact", with: [ListEntry(identifier: "Ann")])
        try await store.replace(
            .vocabulary, scope: "playlist", with: [ListEntry(identifier: "Mix")])
        try await store.replace(.vocabulary, scope: "contact", with: [ListEntry(identifier: "Bob")])
        #expect(try await store.entries(.vocabulary).map(\.identifier) == ["Bob", "Mix"])
        try await store.delete(.list(.vocabulary, scope: "contact"))
        #expect(try await store.entries(.vocabulary).map(\.identifier) == ["Mix"])
        let receipt = try await store.delete(.list(.vocabulary, scope: nil))
        #expect(receipt.removedCount(.vocabulary) == 1)
        #expect(try await store.counts() == [:])
        await #expect(throws: DonationError.self) {
            let long = ListEntry(identifier: String(repeating: "a", count: 1025))
            try await store.replace(.vocabulary, scope: "contact", with: [long])
        }
    }

    @Test func `D21 deleting App Intents records tells their identifiers and spares interactions`()
        async throws
    {
        let store = try memoryStore()
        _ = try await store.donate([
            .record("1", type: "Open", entity: "n1"), .record("2", type: "Open", entity: "n2"),
            .record("3", type: "Share", entity: "n1"), .record("4", type: "Share"),
            .interaction("1", type: "Open"),
        ])
        #expect(try await store.deleteAppIntents(.appIntents(identifiers: ["4", "9"])) == ["4"])
        #expect(
            try await store.deleteAppIntents(.appIntentType("Open", entityIdentifier: "n2"))
                == ["2"])
        #expect(
            try await store.deleteAppIntents(
                .appIntentsAbout(entityType: "Note", entityIdentifier: "n1")) == ["1", "3"])
        #expect(try await store.contents() == ["interaction 1"])
    }

    @Test func `D22 deleting entities takes their items, and those as D6`() async throws {
        let store = try memoryStore()
        for name in ["n1", "n2"] {
            var item = Donation.item("item " + name)
            item.entityType = "Note"
            item.entityIdentifier = name
            try await store.index(item)
            _ = try await store.donateActivity(.activity(name, related: "item " + name))
        }
        _ = try await store.donate(.record("r", entity: "n1"))
        try await store.delete(.appEntities(type: "Note", identifiers: ["n1"]))
        #expect(
            try await store.contents() == [
                "appIntent r", "savedActivity n2", "searchableItem item n2",
            ])
        try await store.delete(.appEntities(type: "Note", identifiers: nil))
        #expect(try await store.contents() == ["appIntent r"])
    }

    @Test(arguments: [
        DonationSelector.interactions(identifiers: []), .interactions(identifiers: ["", "no"]),
        .interactionGroup(""), .activities(persistentIdentifiers: []),
        .activities(persistentIdentifiers: [""]), .searchableDomains([""], indexName: nil),
        .searchableItems(identifiers: [""], indexName: nil), .activityType(""),
        .intentClass(""), .appEntities(type: "", identifiers: nil),
        .appIntentsAbout(entityType: "", entityIdentifier: ""),
        .appIntentType("", entityIdentifier: nil), .appIntents(identifiers: [""]),
    ])
    func `D23 unknown and empty names delete nothing, with success`(selector: DonationSelector)
        async throws
    {
        let store = try memoryStore()
        _ = try await store.donate([
            .interaction("a"), .interaction("b", group: ""), .record("r"),
        ])
        _ = try await store.donateActivity(.activity(""))
        try await store.index(.item("x", domain: ""), .item("y", domain: "d"))
        let before = try await store.counts()
        #expect(try await store.delete(selector).removedCount == 0)
        #expect(try await store.counts() == before)
    }

    @Test func `D24 the same deletion twice, and two in either order, end alike`() async throws {
        let pair: [DonationSelector] = [
            .searchableDomains(["a"], indexName: nil), .interactionGroup("g"),
        ]
        var ends: [[String]] = []
        for selectors in [pair, pair.reversed(), pair + pair] {
            let store = try memoryStore()
            try await store.index(.item("x", domain: "a.b"), .item("y"))
            _ = try await store.donate([.interaction("i", group: "g"), .interaction("j")])
            _ = try await store.donateActivity(.activity("p", related: "x"))
            for selector in selectors { try await store.delete(selector) }
            ends.append(try await store.contents())
        }
        #expect(ends[0] == ["interaction j", "searchableItem y"])
        #expect(ends[1] == ends[0])
        #expect(ends[2] == ends[0])
    }

    @Test func `D25 a batch takes effect as one when it ends, and not before`() async throws {
        let folder = TemporaryFolder()
        let store = try fileStore(folder)
        try await store.index(.item("old", index: "n"))
        let batch = ItemBatch(indexName: "n")
        _ = try await store.index([(.item("new", index: "n"), .replace)], batch: batch)
        store.delete(itemIdentifiers: ["old"], batch: batch)
        #expect(try await store.contents() == ["searchableItem old"])
        // A crash now changes nothing.
        let crashed = try fileStore(try folder.copy())
        #expect(try await crashed.contents() == ["searchableItem old"])
        #expect(try await crashed.clientState(indexName: "n") == nil)
        try await store.end(batch, clientState: [7])
        #expect(try await store.contents() == ["searchableItem new"])
        #expect(try await store.clientState(indexName: "n") == [7])
        await #expect(throws: DonationError.self) { try await store.end(batch, clientState: [8]) }
    }

    @Test func `D26 what a completed deletion removed does not return after a crash`() async throws
    {
        let folder = TemporaryFolder()
        let store = try fileStore(folder)
        _ = try await store.donate([.interaction("a"), .interaction("b")])
        try await store.delete(.interactions(identifiers: ["a"]))
        let reopened = try fileStore(try folder.copy())
        #expect(try await reopened.contents() == ["interaction b"])
    }

    @Test func `D27 erasing one app's store leaves another app's alone`() async throws {
        let folders = [TemporaryFolder(), TemporaryFolder()]
        let stores = [
            try fileStore(folders[0]),
            try fileStore(folders[1]) { $0.bundleIdentifier = "com.example.other" },
        ]
        for store in stores { _ = try await store.donate(.interaction("a")) }
        try await stores[0].eraseEverything()
        #expect(try await stores[0].counts() == [:])
        #expect(try await stores[1].contents() == ["interaction a"])
    }

    @Test func `D28 a named index does not reach activities by their own domain`() async throws {
        let store = try memoryStore()
        try await store.index(.item("x", domain: "d", index: "n"), .item("y", domain: "d"))
        _ = try await store.donateActivity(.activity("own", domain: "d"))
        _ = try await store.donateActivity(.activity("of x", related: "x"))
        let receipt = try await store.delete(.searchableDomains(["d"], indexName: "n"))
        #expect(try await store.contents() == ["savedActivity own", "searchableItem y"])
        #expect(receipt.notes == [.init(remark: .activitiesOfDomain, rows: 1)])
    }
}

/// One of each kind of selector.
let everySelector: [DonationSelector] = [
    .interactions(identifiers: ["mine"]), .interactionGroup("mine"), .allInteractions,
    .activities(persistentIdentifiers: ["mine"]), .allActivities,
    .searchableItems(identifiers: ["mine"], indexName: nil),
    .searchableDomains(["mine"], indexName: nil), .allSearchableItems(indexName: nil),
    .appIntents(identifiers: ["mine"]), .appEntities(type: "mine", identifiers: nil),
    .activityType("mine"), .intentClass("mine"),
    .donated(fromMilliseconds: .min, untilMilliseconds: .max, includingItems: true),
    .linked(ContentLink(container: "mine")), .list(.vocabulary, scope: nil),
    .expired(atMilliseconds: .max), .everything,
]

extension DonationStore {
    /// Makes an activity current, and waits.
    func becomeCurrent(_ activity: Donation, object: UInt64) async throws -> DonationOutcome {
        try await withCheckedThrowingContinuation { continuation in
            becomeCurrent(activity, object: object) { continuation.resume(with: $0) }
        }
    }
}
