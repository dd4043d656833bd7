import CloudModel
import MockStore
import Testing

/// How much one request can ask for: nobody else is served while it is answered.
@Suite struct BoundTests {
    private func world() throws -> World {
        let world = try World()
        try world.ada.create("Notes")
        return world
    }

    private func write(_ count: Int, _ prefix: String, to target: String, _ world: World) throws {
        var left = (0..<count).map {
            RecordOperation.make(
                .create, "\(prefix)\($0)", ["to": .link(target, .deleteSelf)])
        }[...]
        while !left.isEmpty {
            _ = try world.ada.modify(Array(left.prefix(200)))
            left = left.dropFirst(200)
        }
    }

    @Test func `the changes of many zones come in answers of a bounded size, and all of them come`()
        throws
    {
        let world = try world()
        let zones = (0..<12).map { "z\($0)" }
        for zone in zones {
            try world.ada.create(zone)
            for number in 0..<9 { try world.ada.put("r\(number)", zone: zone) }
        }
        try world.set { $0.recordsPageMax = 5 }
        var tokens: [String: ChangeToken] = [:]
        var found: [String: [String]] = [:]
        var left = zones
        var answers = 0
        while !left.isEmpty {
            let requests = left.map {
                ZoneChangesRequest(zoneID: RecordZone.ID($0), token: tokens[$0])
            }
            guard case .zoneChanges(let items) = try world.ada.ask(.read(.zoneChanges(requests)))
            else { throw Odd() }
            answers += 1
            try #require(answers < 100)
            var records = 0
            left = []
            for case .page(let page) in items {
                let zone = page.zoneID.zoneName
                #expect(!page.records.isEmpty || !page.moreComing)
                records += page.records.count
                tokens[zone] = page.token
                found[zone, default: []] += page.records.map(\.recordName)
                if page.moreComing { left.append(zone) }
            }
            #expect(records <= 4 * 5 + zones.count)
        }
        #expect(answers > 3)
        #expect(zones.allSatisfy { found[$0] == (0..<9).map { "r\($0)" } })
    }

    @Test func `a filter compares with so many values, and a query has so many filters`() throws {
        let world = try world()
        try world.ada.put("a", ["n": .int64(1), "t": .string("x")])
        func reason(_ filters: [Query.Filter]) -> String? {
            let query = Query(recordType: "Note", filters: filters)
            return world.ada.reason(
                .read(
                    .queryRecords(RecordQueryRequest(query: query, zoneID: RecordZone.ID("Notes"))))
            )
        }
        func values(_ count: Int64) -> Query.Filter {
            Query.Filter(.in, .field("n"), .list(.int64, (0..<count).map { .int64($0) }))
        }
        func text(
            _ length: Int, _ comparator: Query.Comparator = .containsAnyTokens
        ) -> Query.Filter {
            Query.Filter(comparator, .field("t"), .string(String(repeating: "x", count: length)))
        }
        #expect(reason([values(250)]) == nil)
        #expect(reason([values(251)]) == "a filter has more than 250 values")
        #expect(reason([text(4096)]) == nil)
        #expect(reason([text(4097)]) == "a filter's text has more than 4096 bytes")
        #expect(reason([text(4097, .equals)]) == nil)
        #expect(reason([text(200_000, .equals)]) != nil)
        #expect(reason(Array(repeating: text(1), count: 50)) == nil)
        #expect(reason(Array(repeating: text(1), count: 51)) == "more than 50 filters or sorts")
    }

    @Test func `a deletion takes so many records with it, or none`() throws {
        let world = try world()
        try world.ada.put("root")
        try write(700, "a", to: "root", world)
        try write(700, "b", to: "a0", world)
        try write(599, "c", to: "a1", world)
        try world.ada.put("last", ["to": .link("c0", .deleteSelf)])
        let refused = try world.ada.one(.forceDelete("root"))
        #expect(refused.error?.reason == "more than 2000 records would be deleted too")
        #expect(try world.ada.exists("root") && world.ada.exists("c598"))
        try world.ada.one(.forceDelete("last"))
        #expect(try world.ada.one(.forceDelete("root")).error == nil)
        #expect(try world.ada.drain().items.allSatisfy(\.isDeleted))
    }

    @Test func `a search of very many zones comes in pages`() throws {
        let world = try world()
        for start in stride(from: 0, to: 4_000, by: 200) {
            let zones = (start..<start + 200).map {
                RecordZone.Operation.create(RecordZone.ID("z\($0)"))
            }
            _ = try world.ada.ask(.write(.modifyZones(zones)))
        }
        try world.ada.put("far", zone: "z3999")
        var marker: String?
        var (pages, names) = (0, [String]())
        repeat {
            let page = try world.ada.query(
                Query(recordType: "Note"), zone: nil, zoneWide: true, marker: marker)
            names += page.records.map(\.recordName)
            marker = page.continuationMarker
            pages += 1
        } while marker != nil && pages < 10
        #expect(names == ["far"] && pages > 1)
    }

    @Test func `a user has so many subscriptions in a database`() throws {
        let world = try world()
        func make(_ name: String) throws -> Subscription.Item {
            let subscription = Subscription(
                subscriptionID: name, kind: .zone, zoneID: RecordZone.ID("Notes"))
            let reply = try world.ada.ask(.write(.modifySubscriptions([.create(subscription)])))
            guard case .subscriptions(let items) = reply else { throw Odd() }
            return try #require(items.first)
        }
        for number in 0..<1000 {
            guard case .subscription = try make("s\(number)") else { throw Odd() }
        }
        guard case .subscription = try make("s0") else { throw Odd() }
        guard case .failure(_, let error) = try make("one more") else { throw Odd() }
        #expect(error.reason == "more than 1000 subscriptions of one user")
    }
}
