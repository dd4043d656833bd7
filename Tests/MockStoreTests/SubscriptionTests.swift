import CloudModel
import MockServer
import Testing

@Suite struct SubscriptionTests {
    private static func query(
        _ name: String, type: String = "Note", on events: [Subscription.Event] = [.create],
        zone: String? = nil
    ) -> Subscription {
        Subscription(
            subscriptionID: name, kind: .query,
            query: Query(
                recordType: type, filters: [.init(.equals, .field("n"), .int64(1))],
                sorts: [.init(.system(.createdTimestamp))]),
            zoneID: zone.map { RecordZone.ID($0) }, firesOn: events)
    }

    private static func zone(_ name: String, _ zone: String) -> Subscription {
        Subscription(subscriptionID: name, kind: .zone, zoneID: RecordZone.ID(zone))
    }

    @Test func `a subscription comes back with all it was made with`() throws {
        let world = try World()
        var subscription = Self.query("s", on: [.create, .delete])
        var info = Subscription.NotificationInfo()
        info.alertBody = "New note"
        info.alertLocalizationArgs = ["title"]
        info.shouldBadge = true
        info.shouldSendContentAvailable = false
        info.additionalFields = []
        subscription.notificationInfo = info
        subscription.firesOnce = true
        #expect(try world.ada.subscribe(.create(subscription)) == [.subscription(subscription)])
        #expect(try world.ada.subscriptions() == [.subscription(subscription)])
    }

    @Test func `the same ID twice succeeds, the same watch under another ID does not`() throws {
        let world = try World()
        let items = try world.ada.subscribe(
            .create(Self.query("a", on: [.create, .delete])),
            .create(Self.query("a", on: [.create, .delete])),
            .create(Self.query("b", on: [.delete, .create])),
            .create(Self.query("c", on: [.create])),
            .create(Self.query("d", type: "Other", on: [.create, .delete])))
        #expect(items.map(\.error?.code) == [nil, nil, .internalError, nil, nil])
        #expect(try world.ada.subscriptions().count == 3)
    }

    @Test func `A-109 a subscription on a missing zone is refused alone`() throws {
        let world = try World()
        try world.ada.create("Notes")
        let items = try world.ada.subscribe(
            .create(Self.zone("a", "Gone")), .create(Self.zone("b", "Notes")))
        #expect(items.map(\.error?.code) == [.zoneNotFound, nil])
    }

    @Test func `A-110 what a database cannot watch is refused`() throws {
        let world = try World()
        let database = Subscription(subscriptionID: "d", kind: .database)
        #expect(
            try world.database(.shared).subscribe(.create(Self.query("q"))).first?.error?.code
                == .badRequest)
        #expect(
            try world.everybody.subscribe(.create(database)).first?.error?.code == .badRequest)
        #expect(try world.ada.subscribe(.create(database)).first?.error == nil)
        #expect(try world.everybody.subscribe(.create(Self.query("q"))).first?.error == nil)
        let onDefault = Self.zone("z", "_defaultZone")
        #expect(try world.ada.subscribe(.create(onDefault)).first?.error?.code == .badRequest)
        let empty = Subscription(subscriptionID: "e", kind: .query, firesOn: [.create])
        #expect(try world.ada.subscribe(.create(empty)).first?.error?.code == .badRequest)
    }

    @Test func `missing subscriptions are not found, each alone`() throws {
        let world = try World()
        try world.ada.subscribe(.create(Self.query("a")))
        let items = try world.ada.subscribe(
            .delete("gone"), .update(Self.query("b", type: "X")), .delete("a"))
        #expect(items.map(\.error?.code) == [.notFound, .notFound, nil])
        #expect(items[2] == .deleted("a"))
        guard case .subscriptions(let found) = try world.ada.ask(.lookUpSubscriptions(["a"]))
        else { throw Odd() }
        #expect(found.first?.error?.reason == "subscription not found")
    }

    @Test func `a subscription without an ID gets one, and can be changed by it`() throws {
        let world = try World()
        let made = try #require(
            try world.ada.subscribe(.create(Self.query(""))).first?.subscription)
        #expect(made.subscriptionID.utf8.count == 36)
        var changed = made
        changed.firesOn = [.delete]
        try world.ada.subscribe(.update(changed))
        #expect(try world.ada.subscriptions() == [.subscription(changed)])
    }

    @Test func `subscriptions bound to a zone go with it, others stay`() throws {
        let world = try World()
        try world.ada.create("Notes", "Other")
        try world.ada.subscribe(
            .create(Self.zone("zone", "Notes")), .create(Self.query("bound", zone: "Notes")),
            .create(Self.zone("other", "Other")),
            .create(Self.query("free", on: [.update])),
            .create(Subscription(subscriptionID: "all", kind: .database)))
        try world.ada.delete(zone: "Notes")
        #expect(
            try world.ada.subscriptions().compactMap(\.subscription?.subscriptionID)
                == ["all", "free", "other"])
    }

    @Test func `each user has his own, in the public database too`() throws {
        let world = try World()
        try world.everybody.subscribe(.create(Self.query("mine")))
        let bob = world.database(.public, .user("bob"))
        #expect(try bob.subscriptions() == [])
        #expect(try bob.subscribe(.create(Self.query("mine"))).first?.error == nil)
        #expect(try bob.subscribe(.delete("mine")).first?.error == nil)
        #expect(try world.everybody.subscriptions().count == 1)
    }
}
