import CloudModel
import MockStore
import Testing

@Suite struct FeedTests {
    private func world(_ depth: Depth, _ options: MockOptions? = nil, isAlone: Bool = false)
        async throws -> World
    {
        let world = try World(depth, options: options, isAlone: isAlone)
        try await world.ada.create("Notes")
        return world
    }

    @Test(arguments: Depth.allCases)
    func `C-61 and C-71 a scan without a token tells of past deletions`(depth: Depth) async throws {
        let world = try await world(depth)
        try await world.ada.put("a")
        try await world.ada.put("b")
        try await world.ada.one(.forceDelete("a"))
        let items = try await world.ada.drain().items
        #expect(items.map(\.recordName) == ["b", "a"])
        #expect(items.map(\.isDeleted) == [false, true])
    }

    @Test(arguments: Depth.allCases)
    func `C-71 a live scan leaves past deletions out, but none that happen meanwhile`(depth: Depth)
        async throws
    {
        var options = MockOptions()
        options.initialScan = .live
        let world = try await world(depth, options)
        for name in ["a", "b", "c", "d"] { try await world.ada.put(name) }
        try await world.ada.one(.forceDelete("b"))
        let first = try await world.ada.feed(nil, limit: 1)
        #expect(first.records.map(\.recordName) == ["a"])
        try await world.ada.one(.forceDelete("a"))
        let rest = try await world.ada.drain(first.token, limit: 1)
        #expect(rest.items.map(\.recordName) == ["c", "d", "a"])
        #expect(rest.items.map(\.isDeleted) == [false, false, true])
        try await world.ada.one(.forceDelete("c"))
        #expect(try await world.ada.drain(rest.token).items.map(\.isDeleted) == [true])
    }

    @Test(arguments: Depth.allCases)
    func `C-62 the empty token means caught up`(depth: Depth) async throws {
        let world = try await world(depth)
        try await world.ada.put("a")
        let page = try await world.ada.feed(ChangeToken(""))
        #expect(page.records == [] && !page.moreComing)
        #expect(try await world.ada.drain().token == page.token)
    }

    @Test(arguments: Depth.allCases)
    func `C-63 and C-64 a token is stable and consumes nothing`(depth: Depth) async throws {
        let world = try await world(depth)
        try await world.ada.put("a")
        let end = try await world.ada.drain().token
        for _ in 0..<3 {
            #expect(
                try await world.ada.feed(end)
                    == ZoneChangesPage(
                        zoneID: RecordZone.ID(
                            "Notes", ownerRecordName: try await world.name("ada")),
                        records: [], token: end, moreComing: false))
        }
        try await world.ada.put("b")
        #expect(try await world.ada.feed(end) == world.ada.feed(end))
        #expect(try await world.ada.feed(end).records.map(\.recordName) == ["b"])
    }

    @Test(arguments: Depth.allCases)
    func `C-65 any earlier token is still good, whatever the page size`(depth: Depth) async throws {
        let world = try await world(depth)
        var tokens: [ChangeToken] = [try await world.ada.drain().token]
        for index in 0..<12 {
            try await world.ada.put("r\(index)")
            tokens.append(try await world.ada.drain().token)
        }
        for (index, token) in tokens.enumerated().reversed() {
            for limit in [1, 7, 200] {
                let items = try await world.ada.drain(token, limit: limit).items
                #expect(items.map(\.recordName) == (index..<12).map { "r\($0)" })
            }
        }
    }

    @Test(arguments: Depth.allCases)
    func `C-66 a page has at most 200 records`(depth: Depth) async throws {
        let world = try await world(depth)
        for start in [0, 200] {
            let operations = (start..<start + 200).map { RecordOperation.make(.create, "r\($0)") }
            _ = try await world.ada.modify(operations)
        }
        let page = try await world.ada.feed(nil, limit: 1000)
        #expect(page.records.count == 200 && page.moreComing)
        #expect(try await world.ada.drain().items.count == 400)
    }

    @Test(arguments: Depth.allCases, [1, 3, 70])
    func `C-67 empty pages with more coming are passed through`(depth: Depth, empties: Int)
        async throws
    {
        var options = MockOptions()
        options.emptyPages = empties
        let world = try await world(depth, options)
        for index in 0..<5 { try await world.ada.put("r\(index)") }
        try await world.ada.put("r0")
        var token: ChangeToken?
        for _ in 0..<empties {
            let page = try await world.ada.feed(token, limit: 2)
            #expect(page.records == [] && page.moreComing)
            #expect(page.token != token)
            token = page.token
        }
        #expect(try await world.ada.feed(token, limit: 2).records.count == 2)
        let drained = try await world.ada.drain(limit: 2)
        #expect(drained.items.map(\.recordName) == ["r1", "r2", "r3", "r4", "r0"])
        #expect(try await world.ada.feed(drained.token).token == drained.token)
    }

    @Test(arguments: Depth.allCases)
    func `C-68 a record changed often comes once, at its last place`(depth: Depth) async throws {
        let world = try await world(depth)
        let token = try await world.ada.drain().token
        for round in 0..<5 { try await world.ada.put("a", ["n": .int64(Int64(round))]) }
        try await world.ada.put("b")
        let last = try await world.ada.put("a", ["n": .int64(9)])
        try await world.ada.put("brief")
        try await world.ada.one(.forceDelete("brief"))
        let items = try await world.ada.drain(token).items
        #expect(items.map(\.recordName) == ["b", "a", "brief"])
        #expect(items[1] == .record(last))
        #expect(items[2].isDeleted)
    }

    @Test(arguments: Depth.allCases)
    func `C-69 a record changed while a client pages is seen at its new place`(depth: Depth)
        async throws
    {
        let world = try await world(depth)
        for name in ["a", "b", "c"] { try await world.ada.put(name) }
        let first = try await world.ada.feed(nil, limit: 1)
        try await world.ada.put("a")
        try await world.ada.put("c")
        #expect(
            try await world.ada.drain(first.token, limit: 1).items.map(\.recordName) == [
                "b", "a", "c",
            ])
    }

    @Test(arguments: Depth.allCases)
    func `C-70 a deletion has a name and a tag, and no more`(depth: Depth) async throws {
        let world = try await world(depth)
        let record = try await world.ada.put("a")
        try await world.ada.one(.forceDelete("a"))
        guard case .deleted("a", let tag?) = try await world.ada.feed(nil).records.first else {
            throw Odd()
        }
        #expect(tag != record.recordChangeTag)
    }

    @Test(arguments: Depth.allCases)
    func `C-84 own writes come back with the tag they were answered with`(depth: Depth) async throws
    {
        let world = try await world(depth)
        let record = try await world.ada.put("a", ["n": .int64(1)])
        #expect(try await world.ada.feed(nil).records == [.record(record)])
    }

    @Test(arguments: Depth.allCases)
    func `C-80 the field filter works, the type filter leaks unless told not to`(depth: Depth)
        async throws
    {
        let world = try await world(depth, isAlone: true)
        try await world.ada.put("a", ["n": .int64(1), "m": .int64(2)])
        try await world.ada.put("b", type: "Other")
        let page = try await world.ada.feed(nil, desiredKeys: ["n"])
        #expect(page.records.first?.record?.fields.keys.sorted() == ["n"])
        let request = ZoneChangesRequest(
            zoneID: RecordZone.ID("Notes"), desiredRecordTypes: ["Other"])
        for leaks in [true, false] {
            try await world.service.set(#"{"typeFilterLeaks": \#(leaks)}"#) {
                $0.typeFilterLeaks = leaks
            }
            guard
                case .zoneChanges(let items) = try await world.ada.ask(
                    .read(.zoneChanges([request]))),
                case .page(let page) = items.first
            else { throw Odd() }
            #expect(page.records.map(\.recordName) == (leaks ? ["a", "b"] : ["b"]))
        }
    }

    @Test(arguments: Depth.allCases)
    func `C-15 and C-93 the default zone and public databases have no feed`(depth: Depth)
        async throws
    {
        let world = try await world(depth)
        try await world.ada.put("a", zone: "_defaultZone")
        let error = try await world.ada.feedError(nil, zone: "_defaultZone")
        #expect(error?.code == .badRequest)
        #expect(
            await world.everybody.code(.read(.databaseChanges(token: nil, limit: nil)))
                == .badRequest)
        #expect(await world.everybody.code(.read(.zoneChanges([]))) == .badRequest)
        #expect(
            await world.everybody.code(.read(.zoneListChanges(token: nil, limit: nil)))
                == .badRequest)
    }

    @Test(arguments: Depth.allCases)
    func `C-79 one bad zone of several fails alone`(depth: Depth) async throws {
        let world = try await world(depth)
        try await world.ada.put("a")
        let requests = ["Notes", "Gone", "_defaultZone"].map {
            ZoneChangesRequest(zoneID: RecordZone.ID($0))
        }
        guard case .zoneChanges(let items) = try await world.ada.ask(.read(.zoneChanges(requests)))
        else {
            throw Odd()
        }
        let codes = items.map { item -> CloudError.Code? in
            if case .failure(_, let error) = item { error.code } else { nil }
        }
        #expect(codes == [nil, .zoneNotFound, .badRequest])
    }

    // MARK: - The database's feed

    @Test(arguments: Depth.allCases)
    func `C-88 and C-89 the database's feed has each zone once, with its token`(depth: Depth)
        async throws
    {
        let world = try await world(depth, isAlone: true)
        try await world.ada.create("Other")
        try await world.ada.put("a")
        let page = try await world.ada.databaseChanges(nil)
        #expect(page.zones.map(\.id.zoneName) == ["Other", "Notes"])
        #expect(page.zones[1].zone?.syncToken == (try await world.ada.drain().token))
        let quiet = try await world.ada.databaseChanges(page.token)
        #expect(quiet.zones == [] && !quiet.moreComing && quiet.token == page.token)
        try await world.service.set(#"{"databaseTokenJitter": true}"#) {
            $0.databaseTokenJitter = true
        }
        var texts: [ChangeToken?] = []
        for _ in 0..<4 {
            texts.append(try await world.ada.databaseChanges(page.token).token)
        }
        #expect(Set(texts).count > 1)
        #expect(try await world.ada.databaseChanges(texts[0]).zones == [])
    }

    @Test(arguments: Depth.allCases)
    func `C-90 and C-92 a deletion comes once, a zone made again as one live entry`(depth: Depth)
        async throws
    {
        let world = try await world(depth)
        try await world.ada.create("Other")
        let token = try await world.ada.databaseChanges(nil).token
        try await world.ada.delete(zone: "Notes")
        try await world.ada.delete(zone: "Other")
        try await world.ada.create("Other")
        let page = try await world.ada.databaseChanges(token)
        #expect(page.zones.map(\.id.zoneName) == ["Notes", "Other"])
        #expect(page.zones.map(\.isDeleted) == [true, false])
        #expect(try await world.ada.databaseChanges(page.token).zones == [])
    }

    @Test(arguments: Depth.allCases)
    func `the database's feed pages, and knows nothing of the default zone`(depth: Depth)
        async throws
    {
        let world = try await world(depth)
        try await world.ada.create("b", "c", "d")
        try await world.ada.delete(zone: "c")
        try await world.ada.put("x", zone: "_defaultZone")
        var names: [String] = []
        var token: ChangeToken?
        while true {
            let page = try await world.ada.databaseChanges(token, limit: 1)
            names += page.zones.map(\.id.zoneName)
            token = page.token
            if !page.moreComing { break }
        }
        #expect(names == ["Notes", "b", "d", "c"])
        guard
            case .zonePage(let old) = try await world.ada.ask(
                .read(.zoneListChanges(token: nil, limit: 2)))
        else { throw Odd() }
        #expect(old.zones.map(\.id.zoneName) == ["Notes", "b"] && old.moreComing)
    }
}
