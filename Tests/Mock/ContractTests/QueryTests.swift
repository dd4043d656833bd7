import Basics
import CloudModel
import Testing

@Suite struct QueryTests {
    private func world(_ depth: Depth, isAlone: Bool = false) async throws -> World {
        let world = try World(depth, isAlone: isAlone)
        try await world.ada.create("Notes", "Other")
        return world
    }

    /// Three notes with a field of each kind.
    private func notes(_ depth: Depth, isAlone: Bool = false) async throws -> World {
        let world = try await world(depth, isAlone: isAlone)
        for (index, title) in ["apple pie", "Banana", "cherry"].enumerated() {
            let number = Int64(index + 1)
            try await world.ada.put(
                title.split(separator: " ").first.map(String.init) ?? title,
                [
                    "title": .string(title), "n": .int64(number), "x": .double(Double(number) / 2),
                    "when": .timestamp(Timestamp(milliseconds: number * 1000)),
                    "tags": .list(
                        .string,
                        [["red", "green"], ["green"], ["blue"]][index].map { .string($0) }),
                    "place": .location(
                        Location(latitude: 52.5 + Double(index), longitude: 13.4)),
                    "to": .link(["a", "b", "c"][index]),
                    "data": .bytes([UInt8(index)]),
                ])
        }
        return world
    }

    private static func filter(
        _ comparator: Query.Comparator, _ field: String, _ value: FieldValue,
        distance: Double? = nil
    ) -> Query {
        Query(
            recordType: "Note",
            filters: [.init(comparator, .field(field), value, distance: distance)])
    }

    private static func texts(_ texts: String...) -> FieldValue {
        .list(.string, texts.map { .string($0) })
    }

    private static let found: [(Query, [String])] = [
        (filter(.equals, "n", .int64(2)), ["Banana"]),
        (filter(.notEquals, "n", .int64(2)), ["apple", "cherry"]),
        (filter(.lessThan, "n", .int64(2)), ["apple"]),
        (filter(.lessThanOrEquals, "n", .int64(2)), ["apple", "Banana"]),
        (filter(.greaterThan, "x", .double(1)), ["cherry"]),
        (filter(.greaterThanOrEquals, "x", .int64(1)), ["Banana", "cherry"]),
        (
            filter(.greaterThan, "when", .timestamp(Timestamp(milliseconds: 1000))),
            ["Banana", "cherry"]
        ),
        (filter(.lessThan, "title", .string("a")), ["Banana"]),
        (filter(.equals, "to", .link("b")), ["Banana"]),
        (filter(.equals, "data", .bytes([2])), ["cherry"]),
        (filter(.equals, "missing", .int64(1)), []),
        (filter(.notEquals, "missing", .int64(1)), ["apple", "Banana", "cherry"]),
        (
            filter(
                .near, "place", .location(Location(latitude: 52.5, longitude: 13.4)),
                distance: 120_000), ["apple", "Banana"]
        ),
        (filter(.containsAllTokens, "title", .string("PIE apple")), ["apple"]),
        (filter(.containsAllTokens, "title", .string("apple tart")), []),
        (filter(.containsAnyTokens, "title", .string("tart, cherry!")), ["cherry"]),
        (filter(.in, "title", texts("Banana", "cherry", "x")), ["Banana", "cherry"]),
        (filter(.notIn, "title", texts("Banana", "cherry")), ["apple"]),
        (filter(.in, "to", .list(.reference, [.link("c")])), ["cherry"]),
        (filter(.beginsWith, "title", .string("ap")), ["apple"]),
        (filter(.notBeginsWith, "title", .string("ap")), ["Banana", "cherry"]),
        (filter(.listContains, "tags", .string("green")), ["apple", "Banana"]),
        (filter(.notListContains, "tags", .string("green")), ["cherry"]),
        (filter(.listContainsAll, "tags", texts("green", "red")), ["apple"]),
        (filter(.notListContainsAll, "tags", texts("green", "red")), ["Banana", "cherry"]),
        (filter(.listContainsAny, "tags", texts("red", "blue")), ["apple", "cherry"]),
        (filter(.notListContainsAny, "tags", texts("red", "blue")), ["Banana"]),
        (filter(.listMemberBeginsWith, "tags", .string("gr")), ["apple", "Banana"]),
        (filter(.notListMemberBeginsWith, "tags", .string("gr")), ["cherry"]),
    ]

    @Test(arguments: Depth.allCases, found)
    func `each comparator finds what it should`(
        depth: Depth, row: (Query, [String])
    ) async throws {
        let (query, expected) = row
        #expect(try await notes(depth).ada.names(query) == expected)
    }

    @Test(arguments: Depth.allCases)
    func `filters all have to hold`(depth: Depth) async throws {
        let query = Query(
            recordType: "Note",
            filters: [
                .init(.greaterThan, .field("n"), .int64(1)),
                .init(.listContains, .field("tags"), .string("green")),
            ])
        #expect(try await notes(depth).ada.names(query) == ["Banana"])
    }

    @Test(arguments: Depth.allCases)
    func `a search without a field looks at all texts`(depth: Depth) async throws {
        func search(_ text: String) -> Query {
            Query(
                recordType: "Note",
                filters: [.init(.containsAllTokens, .anyField, .string(text))])
        }
        let world = try await notes(depth)
        #expect(try await world.ada.names(search("green")) == ["apple", "Banana"])
        #expect(try await world.ada.names(search("pie red")) == ["apple"])
    }

    private static let system: [(Query.SystemField, FieldValue, [String]?)] = [
        (.recordName, .link("Banana"), ["Banana"]),
        (.recordName, .string("Banana"), ["Banana"]),
        (.createdTimestamp, .timestamp(World.start), nil),
        (.modifiedTimestamp, .timestamp(Timestamp(milliseconds: 1)), []),
        (.createdUserRecordName, .string("_nobody"), []),
        (.parent, .link("Banana"), []), (.share, .link("Banana"), []),
    ]

    @Test(arguments: Depth.allCases, system)
    func `system fields can be filtered by`(
        depth: Depth, row: (Query.SystemField, FieldValue, [String]?)
    ) async throws {
        let (field, value, expected) = row
        let query = Query(
            recordType: "Note", filters: [.init(.equals, .system(field), value)])
        #expect(
            try await notes(depth).ada.names(query) == expected ?? ["apple", "Banana", "cherry"])
    }

    @Test(arguments: Depth.allCases)
    func `creators are found under both spellings of the system field`(depth: Depth) async throws {
        let world = try await notes(depth)
        let name = try await world.name("ada")
        for key in [Query.Key.system(.createdUserRecordName), .field("___createdBy")] {
            let query = Query(recordType: "Note", filters: [.init(.equals, key, .link(name))])
            #expect(try await world.ada.names(query).count == 3)
        }
    }

    private static let sorted: [(Query.Sort, [String])] = [
        (Query.Sort(.field("n"), ascending: false), ["cherry", "Banana", "apple"]),
        (Query.Sort(.field("title")), ["Banana", "apple", "cherry"]),
        (
            Query.Sort(
                .field("place"), relativeLocation: Location(latitude: 54.4, longitude: 13.4)),
            ["cherry", "Banana", "apple"]
        ),
        (Query.Sort(.system(.recordName)), ["Banana", "apple", "cherry"]),
    ]

    @Test(arguments: Depth.allCases, sorted)
    func `results come in the order asked for`(
        depth: Depth, row: (Query.Sort, [String])
    ) async throws {
        let (sort, expected) = row
        let query = Query(recordType: "Note", sorts: [sort])
        let world = try await notes(depth)
        #expect(try await world.ada.names(query) == expected)
        #expect(try await world.ada.names(query, limit: 1) == expected)
    }

    @Test func `the markers of any query lead on, whatever bytes they hold`() async throws {
        let world = try await world(.inProcess)
        for name in ["a", "b"] { try await world.ada.put(name, ["n": .int64(1)]) }
        for number in 0..<2000 {
            let query = Self.filter(.lessThan, "n", .int64(Int64(number) + 2))
            #expect(try await world.ada.names(query, limit: 1) == ["a", "b"])
        }
    }

    @Test(arguments: Depth.allCases)
    func `later sorts break ties, and records without the field come last`(depth: Depth)
        async throws
    {
        let world = try await world(depth)
        for (name, group, rank) in [("a", 1, 2), ("b", 2, 1), ("c", 1, 1), ("d", 2, 3)] {
            try await world.ada.put(name, ["g": .int64(Int64(group)), "r": .int64(Int64(rank))])
        }
        try await world.ada.put("none")
        let query = Query(
            recordType: "Note",
            sorts: [.init(.field("g"), ascending: false), .init(.field("r"))])
        for limit in [1, 2, 200] {
            #expect(try await world.ada.names(query, limit: limit) == ["b", "d", "c", "a", "none"])
        }
    }

    private static let unusable: [Query] = [
        filter(.in, "title", .string("x")), filter(.listContainsAll, "tags", .string("x")),
        filter(.near, "place", .location(Location(latitude: 0, longitude: 0))),
        filter(.beginsWith, "title", .int64(1)), filter(.equals, "n", .string("1")),
        filter(.lessThan, "n", .list(.int64, [.int64(1)])),
        Query(recordType: "Note", filters: [.init(.equals, .anyField, .string("x"))]),
        Query(
            recordType: "Note",
            filters: [.init(.in, .field("title"), texts("x"), isTyped: false)]),
    ]

    @Test(arguments: Depth.allCases, unusable)
    func `a value the comparator cannot use is a bad request`(depth: Depth, query: Query)
        async throws
    {
        let world = try await notes(depth)
        let request = RecordQueryRequest(query: query, zoneID: RecordZone.ID("Notes"))
        #expect(await world.ada.code(.read(.queryRecords(request))) == .badRequest)
    }

    @Test(arguments: Depth.allCases)
    func `an unknown type is not found, or empty by a switch`(depth: Depth) async throws {
        let world = try await notes(depth, isAlone: true)
        let request = RecordQueryRequest(query: Query(recordType: "Nothing"))
        #expect(await world.ada.code(.read(.queryRecords(request))) == .notFound)
        #expect(
            await world.ada.reason(.read(.queryRecords(request)))?.contains(
                "Did not find record type")
                == true)
        try await world.service.set(#"{"unknownTypeIsEmpty": true}"#) {
            $0.unknownTypeIsEmpty = true
        }
        #expect(await world.ada.code(.read(.queryRecords(request))) == nil)
        let gone = RecordQueryRequest(
            query: Query(recordType: "Note"), zoneID: RecordZone.ID("Gone"))
        #expect(await world.ada.code(.read(.queryRecords(gone))) == .zoneNotFound)
    }

    @Test(arguments: Depth.allCases)
    func `a type that anybody ever saved is known to everybody, in that environment`(
        depth: Depth
    ) async throws {
        let world = try World(depth)
        let bob = world.database(.private, .user("bob"))
        let save = RecordOperation(.create, recordName: "once", recordType: "Once")
        try await bob.one(save, zone: "_defaultZone")
        let delete = RecordOperation.forceDelete("once")
        try await bob.one(delete, zone: "_defaultZone")
        let request = RecordQueryRequest(query: Query(recordType: "Once"))
        for scope in [Database.Scope.private, .public] {
            let asker = world.database(scope)
            #expect(await asker.code(.read(.queryRecords(request))) == nil)
        }
        let elsewhere = world.database(.private, .user("ada"), .production)
        #expect(await elsewhere.code(.read(.queryRecords(request))) == .notFound)
    }

    @Test(arguments: Depth.allCases)
    func `a type that the schema declares is known before anybody saves one`(
        depth: Depth
    ) async throws {
        let world = try World(depth)
        try await world.service.setSchema(
            "DEFINE SCHEMA RECORD TYPE Plan ( \"___recordID\" REFERENCE QUERYABLE );",
            of: world.container)
        for environment in [Container.Environment.development, .production] {
            let asker = world.database(.private, .user("ada"), environment)
            let request = RecordQueryRequest(query: Query(recordType: "Plan"))
            #expect(await asker.code(.read(.queryRecords(request))) == nil)
            let other = RecordQueryRequest(query: Query(recordType: "Plans"))
            #expect(await asker.code(.read(.queryRecords(other))) == .notFound)
        }
    }

    @Test(arguments: Depth.allCases)
    func `zones are searched one by one, or all of them`(depth: Depth) async throws {
        let world = try await world(depth)
        try await world.ada.put("a")
        try await world.ada.put("b", zone: "Other")
        try await world.ada.put("c", zone: "_defaultZone")
        let query = Query(recordType: "Note")
        #expect(try await world.ada.names(query) == ["a"])
        #expect(try await world.ada.names(query, zone: nil) == ["c"])
        for limit in [1, 200] {
            let all = try await world.ada.names(query, zone: nil, zoneWide: true, limit: limit)
            #expect(all.sorted() == ["a", "b", "c"])
        }
        #expect(try await world.ada.names(query, zone: "Other", zoneWide: true) == ["b"])
    }

    @Test(arguments: Depth.allCases, [[], [Query.Sort(.field("n"), ascending: false)]])
    func `C-108 deleting what was found does not shift the next page`(
        depth: Depth, sorts: [Query.Sort]
    ) async throws {
        let world = try await world(depth)
        for index in 0..<30 { try await world.ada.put("r\(index)", ["n": .int64(Int64(index))]) }
        let query = Query(recordType: "Note", sorts: sorts)
        var found: [String] = []
        var marker: String?
        repeat {
            let page = try await world.ada.query(query, limit: 7, marker: marker)
            found += page.records.map(\.recordName)
            for name in page.records.map(\.recordName) {
                try await world.ada.one(.forceDelete(name))
            }
            marker = page.continuationMarker
        } while marker != nil
        #expect(Set(found).count == 30 && found.count == 30)
        #expect(try await world.ada.names(query) == [])
    }

    @Test(arguments: Depth.allCases)
    func `a page has at most 200 records, and a marker only when there is more`(depth: Depth)
        async throws
    {
        let world = try await world(depth)
        for start in [0, 200] {
            _ = try await world.ada.modify(
                (start..<start + 200).map { RecordOperation.make(.create, "r\($0)") })
        }
        let query = Query(recordType: "Note")
        let first = try await world.ada.query(query, limit: 5000)
        #expect(first.records.count == 200 && first.continuationMarker != nil)
        let second = try await world.ada.query(query, marker: first.continuationMarker)
        #expect(second.records.count == 200 && second.continuationMarker == nil)
        #expect(Base64.decode(try #require(first.continuationMarker)) != nil)
    }

    @Test(arguments: Depth.allCases)
    func `a marker of another query or of nobody is a bad request`(depth: Depth) async throws {
        let world = try await notes(depth)
        let query = Query(recordType: "Note")
        let marker = try #require(try await world.ada.query(query, limit: 1).continuationMarker)
        let sorted = Query(recordType: "Note", sorts: [.init(.field("n"))])
        for (query, text) in [(sorted, marker), (query, "AAAA"), (query, "no base64")] {
            let request = RecordQueryRequest(
                query: query, zoneID: RecordZone.ID("Notes"), continuationMarker: text)
            #expect(await world.ada.code(.read(.queryRecords(request))) == .badRequest)
        }
    }

    @Test(arguments: Depth.allCases, [[], [Query.Sort(.field("n"))]])
    func `empty pages with a marker come before each page, by a switch`(
        depth: Depth, sorts: [Query.Sort]
    ) async throws {
        let world = try await notes(depth, isAlone: true)
        try await world.service.set(#"{"emptyPages": 2}"#) { $0.emptyPages = 2 }
        let query = Query(recordType: "Note", sorts: sorts)
        let page = try await world.ada.query(query)
        #expect(page.records == [] && page.continuationMarker != nil)
        #expect(try await world.ada.names(query, limit: 1).count == 3)
    }

    @Test(arguments: Depth.allCases)
    func `C-107 the index lags behind by a switch, lookups do not`(depth: Depth) async throws {
        let world = try await notes(depth, isAlone: true)
        try await world.service.set(#"{"indexLagMilliseconds": 3000}"#) {
            $0.indexLag = .seconds(3)
        }
        world.advance(10_000)
        try await world.ada.put("late", ["n": .int64(9)])
        let query = Query(recordType: "Note")
        #expect(try await world.ada.names(query).count == 3)
        #expect(try await world.ada.exists("late"))
        world.advance(3000)
        #expect(try await world.ada.names(query).count == 4)
    }

    @Test(arguments: Depth.allCases)
    func `only wanted fields are answered, and none for an empty list`(depth: Depth) async throws {
        let world = try await notes(depth)
        for (keys, expected) in [(["n", "n"], ["n"]), ([], [])] as [([String], [String])] {
            let page = try await world.ada.query(Query(recordType: "Note"), desiredKeys: keys)
            #expect(page.records.first?.record?.fields.keys.sorted() == expected)
        }
    }
}
