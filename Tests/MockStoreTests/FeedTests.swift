import CloudModel
import MockServer
import Testing

@Suite struct FeedTests {
    private func world(_ options: MockOptions = MockOptions()) throws -> World {
        let world = try World(options: options)
        try world.ada.create("Notes")
        return world
    }

    @Test func `A-61 and A-71 a scan without a token tells of past deletions`() throws {
        let world = try world()
        try world.ada.put("a")
        try world.ada.put("b")
        try world.ada.one(.forceDelete("a"))
        let items = try world.ada.drain().items
        #expect(items.map(\.recordName) == ["b", "a"])
        #expect(items.map(\.isDeleted) == [false, true])
    }

    @Test func `A-71 a live scan leaves past deletions out, but none that happen meanwhile`() throws
    {
        var options = MockOptions()
        options.initialScan = .live
        let world = try world(options)
        for name in ["a", "b", "c", "d"] { try world.ada.put(name) }
        try world.ada.one(.forceDelete("b"))
        let first = try world.ada.feed(nil, limit: 1)
        #expect(first.records.map(\.recordName) == ["a"])
        try world.ada.one(.forceDelete("a"))
        let rest = try world.ada.drain(first.token, limit: 1)
        #expect(rest.items.map(\.recordName) == ["c", "d", "a"])
        #expect(rest.items.map(\.isDeleted) == [false, false, true])
        try world.ada.one(.forceDelete("c"))
        #expect(try world.ada.drain(rest.token).items.map(\.isDeleted) == [true])
    }

    @Test func `A-62 the empty token means caught up`() throws {
        let world = try world()
        try world.ada.put("a")
        let page = try world.ada.feed(ChangeToken(""))
        #expect(page.records == [] && !page.moreComing)
        #expect(try world.ada.drain().token == page.token)
    }

    @Test func `A-63 and A-64 a token is stable and consumes nothing`() throws {
        let world = try world()
        try world.ada.put("a")
        let end = try world.ada.drain().token
        for _ in 0..<3 {
            #expect(
                try world.ada.feed(end)
                    == ZoneChangesPage(
                        zoneID: RecordZone.ID("Notes", ownerRecordName: try world.name("ada")),
                        records: [], token: end, moreComing: false))
        }
        try world.ada.put("b")
        #expect(try world.ada.feed(end) == world.ada.feed(end))
        #expect(try world.ada.feed(end).records.map(\.recordName) == ["b"])
    }

    @Test func `A-65 any earlier token is still good, whatever the page size`() throws {
        let world = try world()
        var tokens: [ChangeToken] = [try world.ada.drain().token]
        for index in 0..<12 {
            try world.ada.put("r\(index)")
            tokens.append(try world.ada.drain().token)
        }
        for (index, token) in tokens.enumerated().reversed() {
            for limit in [1, 7, 200] {
                let items = try world.ada.drain(token, limit: limit).items
                #expect(items.map(\.recordName) == (index..<12).map { "r\($0)" })
            }
        }
    }

    @Test func `A-66 a page has at most 200 records`() throws {
        let world = try world()
        for start in [0, 200] {
            let operations = (start..<start + 200).map { RecordOperation.make(.create, "r\($0)") }
            _ = try world.ada.modify(operations)
        }
        let page = try world.ada.feed(nil, limit: 1000)
        #expect(page.records.count == 200 && page.moreComing)
        #expect(try world.ada.drain().items.count == 400)
    }

    @Test(arguments: [1, 3, 70])
    func `A-67 empty pages with more coming are passed through`(empties: Int) throws {
        var options = MockOptions()
        options.emptyPages = empties
        let world = try world(options)
        for index in 0..<5 { try world.ada.put("r\(index)") }
        try world.ada.put("r0")
        var token: ChangeToken?
        for _ in 0..<empties {
            let page = try world.ada.feed(token, limit: 2)
            #expect(page.records == [] && page.moreComing)
            #expect(page.token != token)
            token = page.token
        }
        #expect(try world.ada.feed(token, limit: 2).records.count == 2)
        let drained = try world.ada.drain(limit: 2)
        #expect(drained.items.map(\.recordName) == ["r1", "r2", "r3", "r4", "r0"])
        #expect(try world.ada.feed(drained.token).token == drained.token)
    }

    @Test func `A-68 a record changed often comes once, at its last place`() throws {
        let world = try world()
        let token = try world.ada.drain().token
        for round in 0..<5 { try world.ada.put("a", ["n": .int64(Int64(round))]) }
        try world.ada.put("b")
        let last = try world.ada.put("a", ["n": .int64(9)])
        try world.ada.put("brief")
        try world.ada.one(.forceDelete("brief"))
        let items = try world.ada.drain(token).items
        #expect(items.map(\.recordName) == ["b", "a", "brief"])
        #expect(items[1] == .record(last))
        #expect(items[2].isDeleted)
    }

    @Test func `A-69 a record changed while a client pages is seen at its new place`() throws {
        let world = try world()
        for name in ["a", "b", "c"] { try world.ada.put(name) }
        let first = try world.ada.feed(nil, limit: 1)
        try world.ada.put("a")
        try world.ada.put("c")
        #expect(
            try world.ada.drain(first.token, limit: 1).items.map(\.recordName) == ["b", "a", "c"])
    }

    @Test func `A-70 a deletion has a name and a tag, and no more`() throws {
        let world = try world()
        let record = try world.ada.put("a")
        try world.ada.one(.forceDelete("a"))
        guard case .deleted("a", let tag?) = try world.ada.feed(nil).records.first else {
            throw Odd()
        }
        #expect(tag != record.recordChangeTag)
    }

    @Test func `A-84 own writes come back with the tag they were answered with`() throws {
        let world = try world()
        let record = try world.ada.put("a", ["n": .int64(1)])
        #expect(try world.ada.feed(nil).records == [.record(record)])
    }

    @Test func `A-80 the field filter works, the type filter leaks unless told not to`() throws {
        let world = try world()
        try world.ada.put("a", ["n": .int64(1), "m": .int64(2)])
        try world.ada.put("b", type: "Other")
        let page = try world.ada.feed(nil, desiredKeys: ["n"])
        #expect(page.records.first?.record?.fields.keys.sorted() == ["n"])
        let request = ZoneChangesRequest(
            zoneID: RecordZone.ID("Notes"), desiredRecordTypes: ["Other"])
        for leaks in [true, false] {
            try world.set { $0.typeFilterLeaks = leaks }
            guard case .zoneChanges(let items) = try world.ada.ask(.zoneChanges([request])),
                case .page(let page) = items.first
            else { throw Odd() }
            #expect(page.records.map(\.recordName) == (leaks ? ["a", "b"] : ["b"]))
        }
    }

    @Test func `A-15 and A-93 the default zone and public databases have no feed`() throws {
        let world = try world()
        try world.ada.put("a", zone: "_defaultZone")
        let error = try world.ada.feedError(nil, zone: "_defaultZone")
        #expect(error?.code == .badRequest)
        #expect(world.everybody.code(.databaseChanges(token: nil, limit: nil)) == .badRequest)
        #expect(world.everybody.code(.zoneChanges([])) == .badRequest)
        #expect(world.everybody.code(.zoneListChanges(token: nil, limit: nil)) == .badRequest)
    }

    @Test func `A-79 one bad zone of several fails alone`() throws {
        let world = try world()
        try world.ada.put("a")
        let requests = ["Notes", "Gone", "_defaultZone"].map {
            ZoneChangesRequest(zoneID: RecordZone.ID($0))
        }
        guard case .zoneChanges(let items) = try world.ada.ask(.zoneChanges(requests)) else {
            throw Odd()
        }
        let codes = items.map { item -> CloudError.Code? in
            if case .failure(_, let error) = item { error.code } else { nil }
        }
        #expect(codes == [nil, .zoneNotFound, .badRequest])
    }

    // MARK: - The database's feed

    @Test func `A-88 and A-89 the database's feed has each zone once, with its token`() throws {
        let world = try world()
        try world.ada.create("Other")
        try world.ada.put("a")
        let page = try world.ada.databaseChanges(nil)
        #expect(page.zones.map(\.id.zoneName) == ["Other", "Notes"])
        #expect(page.zones[1].zone?.syncToken == (try world.ada.drain().token))
        let quiet = try world.ada.databaseChanges(page.token)
        #expect(quiet.zones == [] && !quiet.moreComing && quiet.token == page.token)
        try world.set { $0.databaseTokenJitter = true }
        let texts = try (0..<4).map { _ in try world.ada.databaseChanges(page.token).token }
        #expect(Set(texts).count > 1)
        #expect(try world.ada.databaseChanges(texts[0]).zones == [])
    }

    @Test func `A-90 and A-92 a deletion comes once, a zone made again as one live entry`() throws {
        let world = try world()
        try world.ada.create("Other")
        let token = try world.ada.databaseChanges(nil).token
        try world.ada.delete(zone: "Notes")
        try world.ada.delete(zone: "Other")
        try world.ada.create("Other")
        let page = try world.ada.databaseChanges(token)
        #expect(page.zones.map(\.id.zoneName) == ["Notes", "Other"])
        #expect(page.zones.map(\.isDeleted) == [true, false])
        #expect(try world.ada.databaseChanges(page.token).zones == [])
    }

    @Test func `the database's feed pages, and knows nothing of the default zone`() throws {
        let world = try world()
        try world.ada.create("b", "c", "d")
        try world.ada.delete(zone: "c")
        try world.ada.put("x", zone: "_defaultZone")
        var names: [String] = []
        var token: ChangeToken?
        while true {
            let page = try world.ada.databaseChanges(token, limit: 1)
            names += page.zones.map(\.id.zoneName)
            token = page.token
            if !page.moreComing { break }
        }
        #expect(names == ["Notes", "b", "d", "c"])
        guard case .zonePage(let old) = try world.ada.ask(.zoneListChanges(token: nil, limit: 2))
        else { throw Odd() }
        #expect(old.zones.map(\.id.zoneName) == ["Notes", "b"] && old.moreComing)
    }
}
