import CloudModel
import MockServer
import Testing

@Suite struct QueryTests {
    private func world(_ options: MockOptions = MockOptions()) throws -> World {
        let world = try World(options: options)
        try world.ada.create("Notes", "Other")
        return world
    }

    /// Three notes with a field of each kind.
    private func notes() throws -> World {
        let world = try world()
        for (index, title) in ["apple pie", "Banana", "cherry"].enumerated() {
            let number = Int64(index + 1)
            try world.ada.put(
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

    @Test(arguments: [
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
    ])
    func `each comparator finds what it should`(query: Query, expected: [String]) throws {
        #expect(try notes().ada.names(query) == expected)
    }

    @Test func `filters all have to hold`() throws {
        let query = Query(
            recordType: "Note",
            filters: [
                .init(.greaterThan, .field("n"), .int64(1)),
                .init(.listContains, .field("tags"), .string("green")),
            ])
        #expect(try notes().ada.names(query) == ["Banana"])
    }

    @Test func `a search without a field looks at all texts`() throws {
        func search(_ text: String) -> Query {
            Query(
                recordType: "Note",
                filters: [.init(.containsAllTokens, .anyField, .string(text))])
        }
        let world = try notes()
        #expect(try world.ada.names(search("green")) == ["apple", "Banana"])
        #expect(try world.ada.names(search("pie red")) == ["apple"])
    }

    @Test(
        arguments: [
            (Query.SystemField.recordName, FieldValue.link("Banana"), ["Banana"]),
            (.recordName, .string("Banana"), ["Banana"]),
            (.createdTimestamp, .timestamp(Timestamp(milliseconds: 1_800_000_000_000)), nil),
            (.modifiedTimestamp, .timestamp(Timestamp(milliseconds: 1)), []),
            (.createdUserRecordName, .string("_nobody"), []),
            (.parent, .link("Banana"), []), (.share, .link("Banana"), []),
        ] as [(Query.SystemField, FieldValue, [String]?)])
    func `system fields can be filtered by`(
        field: Query.SystemField, value: FieldValue, expected: [String]?
    ) throws {
        let query = Query(
            recordType: "Note", filters: [.init(.equals, .system(field), value)])
        #expect(try notes().ada.names(query) == expected ?? ["apple", "Banana", "cherry"])
    }

    @Test func `creators are found under both spellings of the system field`() throws {
        let world = try notes()
        let name = try world.name("ada")
        for key in [Query.Key.system(.createdUserRecordName), .field("___createdBy")] {
            let query = Query(recordType: "Note", filters: [.init(.equals, key, .link(name))])
            #expect(try world.ada.names(query).count == 3)
        }
    }

    @Test(arguments: [
        (Query.Sort(.field("n"), ascending: false), ["cherry", "Banana", "apple"]),
        (Query.Sort(.field("title")), ["Banana", "apple", "cherry"]),
        (
            Query.Sort(
                .field("place"), relativeLocation: Location(latitude: 54.4, longitude: 13.4)),
            ["cherry", "Banana", "apple"]
        ),
        (Query.Sort(.system(.recordName)), ["Banana", "apple", "cherry"]),
    ])
    func `results come in the order asked for`(sort: Query.Sort, expected: [String]) throws {
        let query = Query(recordType: "Note", sorts: [sort])
        let world = try notes()
        #expect(try world.ada.names(query) == expected)
        #expect(try world.ada.names(query, limit: 1) == expected)
    }

    @Test func `later sorts break ties, and records without the field come last`() throws {
        let world = try world()
        for (name, group, rank) in [("a", 1, 2), ("b", 2, 1), ("c", 1, 1), ("d", 2, 3)] {
            try world.ada.put(name, ["g": .int64(Int64(group)), "r": .int64(Int64(rank))])
        }
        try world.ada.put("none")
        let query = Query(
            recordType: "Note",
            sorts: [.init(.field("g"), ascending: false), .init(.field("r"))])
        for limit in [1, 2, 200] {
            #expect(try world.ada.names(query, limit: limit) == ["b", "d", "c", "a", "none"])
        }
    }

    @Test(arguments: [
        filter(.in, "title", .string("x")), filter(.listContainsAll, "tags", .string("x")),
        filter(.near, "place", .location(Location(latitude: 0, longitude: 0))),
        filter(.beginsWith, "title", .int64(1)), filter(.equals, "n", .string("1")),
        filter(.lessThan, "n", .list(.int64, [.int64(1)])),
        Query(recordType: "Note", filters: [.init(.equals, .anyField, .string("x"))]),
        Query(
            recordType: "Note",
            filters: [.init(.in, .field("title"), texts("x"), isTyped: false)]),
    ])
    func `a value the comparator cannot use is a bad request`(query: Query) throws {
        let world = try notes()
        let request = RecordQueryRequest(query: query, zoneID: RecordZone.ID("Notes"))
        #expect(world.ada.code(.queryRecords(request)) == .badRequest)
    }

    @Test func `an unknown type is not found, or empty by a switch`() throws {
        let world = try notes()
        let request = RecordQueryRequest(query: Query(recordType: "Nothing"))
        #expect(world.ada.code(.queryRecords(request)) == .notFound)
        #expect(
            world.ada.reason(.queryRecords(request))?.contains("Did not find record type") == true)
        try world.set { $0.unknownTypeIsEmpty = true }
        #expect(world.ada.code(.queryRecords(request)) == nil)
        let gone = RecordQueryRequest(
            query: Query(recordType: "Note"), zoneID: RecordZone.ID("Gone"))
        #expect(world.ada.code(.queryRecords(gone)) == .zoneNotFound)
    }

    @Test func `zones are searched one by one, or all of them`() throws {
        let world = try world()
        try world.ada.put("a")
        try world.ada.put("b", zone: "Other")
        try world.ada.put("c", zone: "_defaultZone")
        let query = Query(recordType: "Note")
        #expect(try world.ada.names(query) == ["a"])
        #expect(try world.ada.names(query, zone: nil) == ["c"])
        for limit in [1, 200] {
            let all = try world.ada.names(query, zone: nil, zoneWide: true, limit: limit)
            #expect(all.sorted() == ["a", "b", "c"])
        }
        #expect(try world.ada.names(query, zone: "Other", zoneWide: true) == ["b"])
    }

    @Test(arguments: [[], [Query.Sort(.field("n"), ascending: false)]])
    func `A-108 deleting what was found does not shift the next page`(sorts: [Query.Sort]) throws {
        let world = try world()
        for index in 0..<30 { try world.ada.put("r\(index)", ["n": .int64(Int64(index))]) }
        let query = Query(recordType: "Note", sorts: sorts)
        var found: [String] = []
        var marker: String?
        repeat {
            let page = try world.ada.query(query, limit: 7, marker: marker)
            found += page.records.map(\.recordName)
            for name in page.records.map(\.recordName) { try world.ada.one(.forceDelete(name)) }
            marker = page.continuationMarker
        } while marker != nil
        #expect(Set(found).count == 30 && found.count == 30)
        #expect(try world.ada.names(query) == [])
    }

    @Test func `a page has at most 200 records, and a marker only when there is more`() throws {
        let world = try world()
        for start in [0, 200] {
            _ = try world.ada.modify(
                (start..<start + 200).map { RecordOperation.make(.create, "r\($0)") })
        }
        let query = Query(recordType: "Note")
        let first = try world.ada.query(query, limit: 5000)
        #expect(first.records.count == 200 && first.continuationMarker != nil)
        let second = try world.ada.query(query, marker: first.continuationMarker)
        #expect(second.records.count == 200 && second.continuationMarker == nil)
        #expect(Base64.decode(try #require(first.continuationMarker)) != nil)
    }

    @Test func `a marker of another query or of nobody is a bad request`() throws {
        let world = try notes()
        let query = Query(recordType: "Note")
        let marker = try #require(try world.ada.query(query, limit: 1).continuationMarker)
        let sorted = Query(recordType: "Note", sorts: [.init(.field("n"))])
        for (query, text) in [(sorted, marker), (query, "AAAA"), (query, "no base64")] {
            let request = RecordQueryRequest(
                query: query, zoneID: RecordZone.ID("Notes"), continuationMarker: text)
            #expect(world.ada.code(.queryRecords(request)) == .badRequest)
        }
    }

    @Test(arguments: [[], [Query.Sort(.field("n"))]])
    func `empty pages with a marker come before each page, by a switch`(
        sorts: [Query.Sort]
    ) throws {
        let world = try notes()
        try world.set { $0.emptyPages = 2 }
        let query = Query(recordType: "Note", sorts: sorts)
        let page = try world.ada.query(query)
        #expect(page.records == [] && page.continuationMarker != nil)
        #expect(try world.ada.names(query, limit: 1).count == 3)
    }

    @Test func `A-107 the index lags behind by a switch, lookups do not`() throws {
        let world = try notes()
        try world.set { $0.indexLag = .seconds(3) }
        world.advance(10_000)
        try world.ada.put("late", ["n": .int64(9)])
        let query = Query(recordType: "Note")
        #expect(try world.ada.names(query).count == 3)
        #expect(try world.ada.exists("late"))
        world.advance(3000)
        #expect(try world.ada.names(query).count == 4)
    }

    @Test func `only wanted fields are answered, and none for an empty list`() throws {
        let world = try notes()
        for (keys, expected) in [(["n", "n"], ["n"]), ([], [])] as [([String], [String])] {
            let page = try world.ada.query(Query(recordType: "Note"), desiredKeys: keys)
            #expect(page.records.first?.record?.fields.keys.sorted() == expected)
        }
    }
}
