import AsyncOperations
import DonationStore
import Donations
import Testing

/// How the questions that Apple leaves open are answered: one test for each that the store
/// decides.
struct ReadingTests {
    @Test func `A1 an unknown identifier is a success, and the receipt names it by digest`()
        async throws
    {
        let store = try memoryStore()
        _ = try await store.donate(.interaction("a"))
        let receipt = try await store.delete(.interactions(identifiers: ["a", "b", "c"]))
        #expect(receipt.removedCount == 1)
        #expect(receipt.unmatchedCount == 2)
        #expect(receipt.unmatched.count == 2)
        #expect(try await store.outcomes(limit: 1).first?.unmatched == 2)
    }

    @Test func `A1 a strict store throws instead, and deletes nothing`() async throws {
        let store = try memoryStore { $0.isStrict = true }
        _ = try await store.donate(.interaction("a"))
        await #expect(throws: DonationError.self) {
            try await store.delete(.interactions(identifiers: ["a", "b"]))
        }
        #expect(try await store.contents() == ["interaction a"])
    }

    @Test func `A2 the same identifier is the same event and the last write wins`() async throws {
        let store = try memoryStore()
        #expect(try await store.donate(.interaction("a", group: "g")) == .stored)
        #expect(try await store.donate(.interaction("a", group: "h")) == .replaced)
        #expect(try await store.list(.interaction).map(\.group) == ["h"])
        #expect(try await store.counts() == [.interaction: 1])
    }

    @Test func `A3 everything takes Siri's rows, all interactions does not`() async throws {
        let store = try memoryStore()
        _ = try await store.donate(.interaction("s", siri: true))
        #expect(try await store.delete(.allInteractions).removedCount == 0)
        #expect(try await store.eraseEverything().first?.removedCount == 1)
    }

    @Test func `A4 all items and everything differ in activities of no item`() async throws {
        let store = try memoryStore()
        _ = try await store.donateActivity(.activity("p"))
        #expect(try await store.delete(.allSearchableItems(indexName: nil)).removedCount == 0)
        #expect(try await store.eraseEverything().first?.removedCount == 2)
    }

    @Test func `A7 replacing an item wipes nothing, removing it does`() async throws {
        let store = try memoryStore()
        for _ in 0..<3 { try await store.index(.item("x")) }
        _ = try await store.donateActivity(.activity("p", related: "x"))
        try await store.index(.item("x", title: "again"))
        #expect(try await store.counts()[.savedActivity] == 1)
    }

    @Test func `A8 becoming current again is an event only when something is new`() async throws {
        let store = try memoryStore()
        var activity = Donation.activity("p")
        #expect(try await store.becomeCurrent(activity, object: 1) == .stored)
        #expect(try await store.becomeCurrent(activity, object: 1) == .unchanged)
        activity.title = "new"
        #expect(try await store.becomeCurrent(activity, object: 1) == .stored)
        // After a deletion the object must be made current again to be stored again.
        try await store.delete(.allActivities)
        #expect(try await store.counts() == [:])
        #expect(try await store.becomeCurrent(activity, object: 1) == .stored)
        #expect(try await store.counts() == [.activity: 1, .savedActivity: 1])
        // Another object that becomes current and the first one again: a new act.
        #expect(try await store.becomeCurrent(.activity("q"), object: 2) == .stored)
        #expect(try await store.becomeCurrent(activity, object: 1) == .stored)
    }

    @Test func `A8 events of one object without an identifier share one saved activity`()
        async throws
    {
        let store = try memoryStore()
        var activity = Donation.activity()
        _ = try await store.becomeCurrent(activity, object: 1)
        activity.title = "new"
        _ = try await store.becomeCurrent(activity, object: 1)
        _ = try await store.becomeCurrent(activity, object: 2)
        #expect(try await store.counts() == [.activity: 3, .savedActivity: 2])
    }

    @Test func `A9 an item without a renewer expires with what relates to it`() async throws {
        let clock = TestClock()
        let store = try memoryStore(clock)
        try await store.index(.item("x"))
        _ = try await store.donateActivity(.activity("p", related: "x"))
        clock.advance(by: .seconds(31 * 86_400))
        try await store.expire()
        #expect(try await store.counts() == [:])
    }

    @Test func `A10 a named index limits a deletion, but not the wipe of interactions`()
        async throws
    {
        let store = try memoryStore()
        try await store.index(.item("x", index: "n"), .item("y"))
        _ = try await store.donateActivity(.activity("p", related: "x"))
        _ = try await store.donateActivity(.activity("q", related: "y"))
        _ = try await store.donate([.interaction("a"), .interaction("s", siri: true)])
        #expect(
            try await store.delete(.searchableItems(identifiers: ["y"], indexName: "n"))
                .removedCount == 0)
        try await store.delete(.allSearchableItems(indexName: "n"))
        #expect(try await store.contents() == ["savedActivity q", "searchableItem y"])
    }

    @Test func `A10 an item put in another index moves there`() async throws {
        let store = try memoryStore()
        try await store.index(.item("x"))
        try await store.index(.item("x", index: "n"))
        #expect(try await store.counts() == [.searchableItem: 1])
        #expect(
            try await store.delete(.searchableItems(identifiers: ["x"], indexName: "n"))
                .removedCount == 1)
    }

    @Test func `A11 an escaped level of a domain is no parent of another one`() async throws {
        let store = try memoryStore()
        let rooms = ["!x:example.org", "!x:example.org.uk"].map { DomainName.level($0) }
        try await store.index(.item("1", domain: rooms[0]), .item("2", domain: rooms[1]))
        try await store.delete(.searchableDomains([rooms[0]], indexName: nil))
        #expect(try await store.contents() == ["searchableItem 2"])
    }

    @Test func `A12 names are compared byte by byte, and other spellings are near misses`()
        async throws
    {
        let store = try memoryStore()
        _ = try await store.donate(.interaction("caf\u{E9}"))
        let receipt = try await store.delete(.interactions(identifiers: ["cafe\u{301}"]))
        #expect(receipt.removedCount == 0)
        #expect(receipt.nearMisses.map(\.rule) == [.canonicallyEqual])
        #expect(
            try await store.delete(.interactions(identifiers: ["caf\u{E9}"])).removedCount == 1)
    }

    @Test func `A13 empty names are stored as none`() async throws {
        let store = try memoryStore()
        _ = try await store.donate(.interaction("a", group: ""))
        _ = try await store.donateActivity(.activity("", related: "", domain: ""))
        _ = try await store.donateActivity(.activity(""))
        #expect(try await store.list(.interaction).first?.group == nil)
        #expect(try await store.list(.savedActivity).map(\.persistentIdentifier) == [nil, nil])
        await #expect(throws: DonationError.self) { try await store.donate(.interaction("")) }
    }

    @Test(arguments: [
        DonationSelector.activities(persistentIdentifiers: ["p"]), .allActivities,
    ])
    func `A14 an activity in an interaction's response is taken out, the interaction stays`(
        selector: DonationSelector
    ) async throws {
        let folder = TemporaryFolder()
        let store = try fileStore(folder)
        var interaction = Donation.interaction("a", group: "g")
        interaction.nestedActivity = .init(
            activityType: "com.example.view", persistentIdentifier: "p",
            payload: PayloadValue.string("secret of the response").encoded)
        interaction.mentions = ["Ann"]
        _ = try await store.donate(interaction)
        #expect(try await store.list(.interaction).first?.nestedActivity != nil)
        let receipt = try await store.delete(selector)
        #expect(receipt.scrubbedCount == 1)
        #expect(receipt.scrubbed.count == 1)
        #expect(receipt.removedCount == 0)
        #expect(receipt.unmatchedCount == 0)
        let row = try #require(try await store.list(.interaction).first)
        #expect(row.nestedActivity == nil)
        #expect(row.mentions == ["Ann"])
        #expect(try await store.remainder(mentioning: ["p"]) == [])
        try await store.eraseEverything()
        let isThere = try folder.contains("secret of the response")
        #expect(!isThere)
    }

    @Test func `A15 an undeclared activity type is not stored, and that is logged`() async throws {
        let store = try memoryStore { $0.activityTypes = ["com.example.view"] }
        #expect(try await store.donateActivity(.activity("p")) == .stored)
        #expect(
            try await store.donateActivity(.activity("q", type: "com.example.other"))
                == .refusedActivityType)
        #expect(
            try await store.outcomes(limit: 1).map(\.type) == ["com.example.other"])
    }

    @Test func `A17 a refusal decided elsewhere is kept in the log`() async throws {
        let store = try memoryStore()
        store.note(.refusedValue, kind: .activity, type: "com.example.view")
        #expect(try await store.outcomes(limit: 9).map(\.outcome) == [.refusedValue])
    }

    @Test func `A19 a client state has at most 250 bytes`() async throws {
        let store = try memoryStore()
        let batch = ItemBatch(indexName: "n")
        let error = await #expect(throws: DonationError.self) {
            try await store.end(batch, clientState: [UInt8](repeating: 1, count: 251))
        }
        #expect(error?.code == .clientStateTooLong)
        let state = [UInt8](repeating: 1, count: 250)
        try await store.end(batch, clientState: state, expected: [])
        let next = ItemBatch(indexName: "n")
        _ = try await store.index([(.item("x", index: "n"), .replace)], batch: next)
        let mismatch = await #expect(throws: DonationError.self) {
            try await store.end(next, clientState: [2], expected: [3])
        }
        #expect(mismatch?.code == .clientStateMismatch)
        #expect(try await store.clientState(indexName: "n") == state)
        #expect(try await store.counts() == [:])
    }

    @Test func `A20 a receipt marks what was public`() async throws {
        let store = try memoryStore()
        var activity = Donation.activity("p")
        activity.eligibility.insert(.publicIndexing)
        _ = try await store.donateActivity(activity)
        let receipt = try await store.delete(.allActivities)
        #expect(receipt.publicRows == 2)
        #expect(receipt.removed.map(\.wasPublic) == [true, true])
        #expect(receipt.notes == [.init(remark: .publicParts, rows: 2)])
    }

    @Test func `A21 calls that nobody waits for take effect in their order`() async throws {
        let store = try memoryStore()
        let order = Locked<[Int]>([])
        for number in 0..<200 {
            store.donate([.interaction("a")]) { _ in order.withLock { $0.append(number * 2) } }
            store.delete(.interactions(identifiers: ["a"])) { result in
                if case .success(let receipt) = result, receipt.removedCount == 1 {
                    order.withLock { $0.append(number * 2 + 1) }
                }
            }
        }
        try await store.flush()
        let seen = order.withLock { $0 }
        #expect(seen == Array(0..<400))
        #expect(try await store.counts() == [:])
    }

    @Test func `A22 a deletion is meant for all devices unless asked for on this one`() async throws
    {
        let store = try memoryStore()
        #expect(try await store.delete(.allInteractions).scope == .everywhere)
        #expect(
            try await store.delete(.allInteractions, scope: .thisDevice).scope == .thisDevice)
        #expect(try await store.retire(activityType: "t").scope == .everywhere)
        // What is called at a sign-out.
        #expect(try await store.eraseEverything().map(\.scope) == [.thisDevice])
    }

    @Test func `A23 an app and its extension share one store, another app is refused`()
        async throws
    {
        let folder = TemporaryFolder()
        let app = try fileStore(folder)
        let appExtension = try fileStore(folder)
        _ = try await appExtension.donate(.interaction("a"))
        #expect(try await app.contents() == ["interaction a"])
        try await app.delete(.allInteractions)
        #expect(try await appExtension.counts() == [:])
        let error = #expect(throws: DonationError.self) {
            try fileStore(folder) { $0.bundleIdentifier = "com.example.other" }
        }
        #expect(error?.code == .foreignStore)
    }
}
