import CloudModel
import Testing

@Suite struct SubscriptionTests {
    private static func query(
        _ name: String, type: String = "Note", on events: [Subscription.Event] = [.create],
        zone: String? = nil, number: Int64 = 1
    ) -> Subscription {
        Subscription(
            subscriptionID: name, kind: .query,
            query: Query(
                recordType: type, filters: [.init(.equals, .field("n"), .int64(number))],
                sorts: [.init(.system(.createdTimestamp))]),
            zoneID: zone.map { RecordZone.ID($0) }, firesOn: events)
    }

    private static func zone(_ name: String, _ zone: String) -> Subscription {
        Subscription(subscriptionID: name, kind: .zone, zoneID: RecordZone.ID(zone))
    }

    @Test(arguments: Depth.allCases)
    func `a subscription comes back with all it was made with`(depth: Depth) async throws {
        let world = try World(depth)
        var subscription = Self.query("s", on: [.create, .delete])
        var info = Subscription.NotificationInfo()
        info.alertBody = "New note"
        info.alertLocalizationArgs = ["title"]
        info.shouldBadge = true
        info.shouldSendContentAvailable = false
        info.additionalFields = []
        subscription.notificationInfo = info
        subscription.firesOnce = true
        #expect(
            try await world.ada.subscribe(.create(subscription)) == [.subscription(subscription)])
        #expect(try await world.ada.subscriptions() == [.subscription(subscription)])
    }

    @Test(arguments: Depth.allCases)
    func `the same ID twice succeeds, the same watch under another ID does not`(depth: Depth)
        async throws
    {
        let world = try World(depth)
        let items = try await world.ada.subscribe(
            .create(Self.query("a", on: [.create, .delete])),
            .create(Self.query("b", on: [.delete, .create])),
            .create(Self.query("c", on: [.create])),
            .create(Self.query("d", type: "Other", on: [.create, .delete])))
        #expect(items.map(\.error?.code) == [nil, .internalError, nil, nil])
        let again = Subscription.Operation.create(Self.query("a", on: [.create, .delete]))
        #expect(try await world.ada.subscribe(again).first?.error == nil)
        #expect(try await world.ada.subscriptions().count == 3)
    }

    @Test(arguments: Depth.allCases)
    func `one type can be watched by several queries, zones and events`(depth: Depth) async throws {
        let world = try World(depth)
        try await world.ada.create("Notes", "Other")
        let items = try await world.ada.subscribe(
            .create(Self.query("a")), .create(Self.query("b", number: 2)),
            .create(Self.query("c", on: [.update])), .create(Self.query("d", zone: "Notes")),
            .create(Self.query("e", zone: "Other")))
        #expect(items.map(\.error?.code) == [nil, nil, nil, nil, nil])
        let duplicate = try await world.ada.subscribe(.create(Self.query("f", number: 2)))
        #expect(duplicate.first?.error?.code == .internalError)
        #expect(try await world.ada.subscriptions().count == 5)
    }

    @Test(arguments: Depth.allCases)
    func `two operations for one subscription refuse the whole request`(depth: Depth) async throws {
        let world = try World(depth)
        let twice = CloudCommand.write(
            .modifySubscriptions([
                .create(Self.query("a")), .delete("a"),
            ]))
        #expect(await world.ada.code(twice) == .badRequest)
        #expect(try await world.ada.subscriptions() == [])
    }

    @Test(arguments: Depth.allCases)
    func `C-109 a subscription on a missing zone is refused alone`(depth: Depth) async throws {
        let world = try World(depth)
        try await world.ada.create("Notes")
        let items = try await world.ada.subscribe(
            .create(Self.zone("a", "Gone")), .create(Self.zone("b", "Notes")))
        #expect(items.map(\.error?.code) == [.zoneNotFound, nil])
    }

    @Test(arguments: Depth.allCases)
    func `C-110 what a database cannot watch is refused`(depth: Depth) async throws {
        let world = try World(depth)
        let database = Subscription(subscriptionID: "d", kind: .database)
        #expect(
            try await world.database(.shared).subscribe(.create(Self.query("q"))).first?.error?.code
                == .badRequest)
        #expect(
            try await world.everybody.subscribe(.create(database)).first?.error?.code == .badRequest
        )
        #expect(try await world.ada.subscribe(.create(database)).first?.error == nil)
        #expect(try await world.everybody.subscribe(.create(Self.query("q"))).first?.error == nil)
        let onDefault = Self.zone("z", "_defaultZone")
        #expect(try await world.ada.subscribe(.create(onDefault)).first?.error?.code == .badRequest)
        let empty = Subscription(subscriptionID: "e", kind: .query, firesOn: [.create])
        #expect(await world.ada.code(.write(.modifySubscriptions([.create(empty)]))) == .badRequest)
    }

    @Test(arguments: Depth.allCases)
    func `missing subscriptions are not found, each alone`(depth: Depth) async throws {
        let world = try World(depth)
        try await world.ada.subscribe(.create(Self.query("a")))
        let items = try await world.ada.subscribe(
            .delete("gone"), .update(Self.query("b", type: "X")), .delete("a"))
        #expect(items.map(\.error?.code) == [.notFound, .notFound, nil])
        #expect(items[2] == .deleted("a"))
        guard
            case .subscriptions(let found) = try await world.ada.ask(
                .read(.lookUpSubscriptions(["a"])))
        else { throw Odd() }
        #expect(found.first?.error?.reason == "subscription not found")
    }

    @Test(arguments: Depth.allCases)
    func `a subscription without an ID gets one, and can be changed by it`(depth: Depth)
        async throws
    {
        let world = try World(depth)
        let made = try #require(
            try await world.ada.subscribe(.create(Self.query(""))).first?.subscription)
        #expect(made.subscriptionID.utf8.count == 36)
        var changed = made
        changed.firesOn = [.delete]
        try await world.ada.subscribe(.update(changed))
        #expect(try await world.ada.subscriptions() == [.subscription(changed)])
    }

    @Test(arguments: Depth.allCases)
    func `subscriptions bound to a zone go with it, others stay`(depth: Depth) async throws {
        let world = try World(depth)
        try await world.ada.create("Notes", "Other")
        try await world.ada.subscribe(
            .create(Self.zone("zone", "Notes")), .create(Self.query("bound", zone: "Notes")),
            .create(Self.zone("other", "Other")),
            .create(Self.query("free", on: [.update])),
            .create(Subscription(subscriptionID: "all", kind: .database)))
        try await world.ada.delete(zone: "Notes")
        #expect(
            try await world.ada.subscriptions().compactMap(\.subscription?.subscriptionID)
                == ["all", "free", "other"])
    }

    @Test(arguments: Depth.allCases)
    func `each user has his own, in the public database too`(depth: Depth) async throws {
        let world = try World(depth)
        try await world.everybody.subscribe(.create(Self.query("mine")))
        let bob = world.database(.public, .user("bob"))
        #expect(try await bob.subscriptions() == [])
        #expect(try await bob.subscribe(.create(Self.query("mine"))).first?.error == nil)
        #expect(try await bob.subscribe(.delete("mine")).first?.error == nil)
        #expect(try await world.everybody.subscriptions().count == 1)
    }
}
