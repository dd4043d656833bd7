import CloudModel
import MockStore
import Testing

@Suite struct InspectionTests {
    private func filled() throws -> World {
        let world = try World()
        for user in ["ada", "bob"] {
            try world.cloud.withStore { store in
                try store.seed(
                    zones: ["Notes", "Empty", "_defaultZone"], at: World.address(), user: user
                ) { zone in
                    zone == "Empty"
                        ? [] : [SeedRecord("a", type: "Note", fields: ["n": .int64(1)])]
                }
            }
        }
        try world.everybody.put("p", zone: "_defaultZone")
        try world.ada.subscribe(
            .create(Subscription(subscriptionID: "s", kind: .database)))
        return world
    }

    @Test func `a summary counts zones, records and subscriptions of each database`() throws {
        let world = try filled()
        let summary = try world.cloud.withStore { try $0.summary() }
        #expect(summary.map { $0.user ?? "public" } == ["ada", "bob", "public"])
        #expect(summary.map(\.zones) == [2, 2, 0])
        #expect(summary.map(\.records) == [2, 2, 1])
        #expect(summary.map(\.subscriptions) == [1, 0, 0])
    }

    @Test func `a dump is equal when the data are, and tells every change`() throws {
        let world = try filled()
        func dump(_ user: String?) throws -> String {
            try world.cloud.withStore { try $0.dump(user: user) }
        }
        let (ada, bob) = (try dump("ada"), try dump("bob"))
        #expect(ada.contains(#"{"record":{"recordName":"a","recordType":"Note""#))
        #expect(ada.contains(#"{"subscription":{"subscriptionID":"s""#))
        #expect(try dump(nil).contains(#"{"record":{"recordName":"p","recordType":"Note""#))
        _ = try world.ada.drain()
        #expect(try dump("ada") == ada)
        try world.ada.one(.forceDelete("a"))
        #expect(try dump("ada") != ada)
        #expect(try dump("bob") == bob)
    }

    @Test func `seeded records behave as written ones`() throws {
        let world = try World()
        try world.cloud.withStore { store in
            try store.seed(zones: ["Notes"], at: World.address(), user: "ada") { _ in
                [
                    SeedRecord("a", type: "Note", fields: ["n": .int64(1)]),
                    SeedRecord("b", type: "Note", fields: ["to": .link("a", .deleteSelf)]),
                    SeedRecord("a", type: "Note", fields: ["n": .int64(2)]),
                ]
            }
        }
        #expect(try world.ada.names(Query(recordType: "Note")) == ["b", "a"])
        #expect(try world.ada.lookUp("a").first?.record?.fields["n"]?.value == .int64(2))
        try world.ada.one(.forceDelete("a"))
        #expect(try world.ada.drain().items.map(\.isDeleted) == [true, true])
    }

    @Test(arguments: [
        (ResetScope(), [0, 0, 0]), (ResetScope(user: "ada"), [0, 2, 1]),
        (ResetScope(scope: .public), [2, 2, 0]), (ResetScope(zoneName: "Notes"), [1, 1, 1]),
        (ResetScope(user: "bob", zoneName: "_defaultZone"), [2, 1, 1]),
        (ResetScope(environment: .production), [2, 2, 1]),
    ])
    func `a reset empties what it names and nothing else`(
        scope: ResetScope, records: [Int]
    ) throws {
        let world = try filled()
        try world.cloud.withStore { try $0.reset(scope) }
        #expect(try world.cloud.withStore { try $0.summary() }.map(\.records) == records)
        #expect(try world.cloud.withStore { $0.users.map(\.name) } == ["ada", "bob"])
        try world.ada.create("Notes")
        try world.ada.put("again")
        #expect(try world.ada.exists("again"))
    }

    @Test func `names that cannot be accounts are refused`() throws {
        let world = try World()
        for name in ["", "a b", "näme", String(repeating: "x", count: 65)] {
            #expect(throws: MockStoreError.self) {
                try world.cloud.withStore { try $0.addUser(MockUser(name)) }
            }
        }
    }
}
