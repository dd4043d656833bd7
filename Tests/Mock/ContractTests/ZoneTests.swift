import CloudModel
import MockStore
import Testing

@Suite struct ZoneTests {
    @Test(arguments: Depth.allCases)
    func `C-7 creating a zone that exists succeeds and keeps its contents`(depth: Depth)
        async throws
    {
        let world = try World(depth)
        try await world.ada.create("Notes")
        try await world.ada.put("a")
        let again = try await world.ada.create("Notes")
        #expect(again.first?.zone?.isAtomic == true)
        #expect(try await world.ada.exists("a"))
    }

    @Test(arguments: Depth.allCases)
    func `C-8 deleting a missing zone fails for that item alone`(depth: Depth) async throws {
        let world = try World(depth)
        try await world.ada.create("Old")
        let items = try await world.ada.zones(
            .create(RecordZone.ID("New")), .delete(RecordZone.ID("Old")),
            .delete(RecordZone.ID("Gone")))
        #expect(items.map(\.code) == [nil, nil, .zoneNotFound])
        #expect(items[1].isDeleted)
        #expect(items[2].id == RecordZone.ID("Gone"))
        #expect(try await world.ada.listedNames() == ["_defaultZone", "New"])
    }

    @Test(arguments: Depth.allCases)
    func `C-9 records of a missing zone fail one by one, other zones are unaffected`(depth: Depth)
        async throws
    {
        let world = try World(depth)
        try await world.ada.create("Notes")
        var stray = RecordOperation.make(.create, "x")
        stray.zoneID = RecordZone.ID("Nowhere")
        var gone = RecordOperation.forceDelete("y")
        gone.zoneID = RecordZone.ID("Nowhere")
        let reply = try await world.ada.modify([stray, .make(.create, "a"), gone])
        #expect(reply.records.map(\.code) == [.zoneNotFound, nil, .zoneNotFound])
        #expect(try await world.ada.exists("a"))
        let lookup = RecordLookupRequest(
            recordNames: ["a"], zoneID: RecordZone.ID("Nowhere"))
        #expect(await world.ada.code(.read(.lookUpRecords(lookup))) == .zoneNotFound)
    }

    @Test(arguments: Depth.allCases)
    func `C-10 a deleted zone takes all with it, and its name gives an empty zone`(depth: Depth)
        async throws
    {
        let world = try World(depth)
        try await world.ada.create("Notes")
        try await world.ada.put("a", ["b": .link("a", .validate)])
        #expect(try await world.ada.delete(zone: "Notes").isDeleted)
        #expect(try await world.ada.listedNames() == ["_defaultZone"])
        try await world.ada.create("Notes")
        #expect(try await !world.ada.exists("a"))
        #expect(try await world.ada.drain().items == [])
    }

    @Test(arguments: Depth.allCases)
    func `C-12 a zone erased by the user says so until it is created again`(depth: Depth)
        async throws
    {
        let world = try World(depth)
        try await world.ada.create("Notes")
        try await world.service.purge(zone: "Notes", of: "ada", at: world.address())
        #expect(
            try await world.ada.delete(zone: "Notes").error?.reason == "Zone was purged by user")
        #expect(try await world.ada.delete(zone: "Notes").code == .zoneNotFound)
        try await world.ada.create("Notes")
        try await world.ada.delete(zone: "Notes")
        #expect(try await world.ada.delete(zone: "Notes").error?.reason == "Zone does not exist")
    }

    @Test(arguments: Depth.allCases)
    func `C-15 the default zone cannot be created and is not atomic`(depth: Depth) async throws {
        let world = try World(depth)
        #expect(try await world.ada.create("_defaultZone").first?.code == .badRequest)
        #expect(try await world.ada.list().zones.first?.zone?.isAtomic == false)
        #expect(try await world.ada.list().zones.first?.zone?.syncToken == nil)
        try await world.ada.put("a", zone: "_defaultZone")
        let reply = try await world.ada.modify(
            [.make(.create, "b"), .make(.create, "a")], zone: "_defaultZone")
        #expect(reply.records.map(\.code) == [nil, .conflict])
        #expect(!reply.failedAtomically)
    }

    @Test(arguments: Depth.allCases, [Database.Scope.public, .shared])
    func `C-16 zones can be created in private databases only`(depth: Depth, scope: Database.Scope)
        async throws
    {
        let world = try World(depth)
        #expect(try await world.database(scope).create("Notes").first?.code == .badRequest)
    }

    @Test(
        arguments: Depth.allCases,
        [
            ("Notes", true), ("with space", true), (String(repeating: "z", count: 255), true),
            (String(repeating: "z", count: 256), false), ("_mine", false),
            ("naïve", false), ("line\nbreak", false),
        ])
    func `C-20 zone names are ASCII, at most 255, without a leading underscore`(
        depth: Depth, row: (String, Bool)
    ) async throws {
        let (name, isValid) = row
        let world = try World(depth)
        let item = try await world.ada.create(name).first
        #expect(item?.code == (isValid ? nil : .badRequest))
    }

    @Test(arguments: Depth.allCases)
    func `an operation without a zone's name refuses the whole request`(depth: Depth) async throws {
        let world = try World(depth)
        let nameless = CloudCommand.write(
            .modifyZones([
                .create(RecordZone.ID("Notes")), .delete(RecordZone.ID("")),
            ]))
        let refusal = await world.ada.refusal(nameless)
        #expect(refusal?.code == .badRequest)
        #expect(
            refusal?.reason == "missing required field 'operations[1].zone.zoneID.zoneName'")
        #expect(try await world.ada.listedNames() == ["_defaultZone"])
    }

    @Test(arguments: Depth.allCases)
    func `two operations for one zone refuse the whole request`(depth: Depth) async throws {
        let world = try World(depth)
        let twice = CloudCommand.write(
            .modifyZones([
                .create(RecordZone.ID("Notes")), .delete(RecordZone.ID("Notes")),
            ]))
        #expect(await world.ada.code(twice) == .badRequest)
        #expect(try await world.ada.listedNames() == ["_defaultZone"])
    }

    @Test(arguments: Depth.allCases)
    func `C-47 more than 200 operations are refused as a whole`(depth: Depth) async throws {
        let world = try World(depth)
        let many = (0...200).map { RecordZone.Operation.create(RecordZone.ID("z\($0)")) }
        #expect(await world.ada.code(.write(.modifyZones(many))) == .badRequest)
        #expect(await world.ada.code(.write(.modifyZones(Array(many.dropLast())))) == nil)
        let records = (0...200).map { RecordOperation.make(.create, "r\($0)") }
        let request = RecordModifyRequest(operations: records, zoneID: RecordZone.ID("z1"))
        #expect(await world.ada.code(.write(.modifyRecords(request))) == .badRequest)
    }

    @Test(arguments: Depth.allCases, MockOptions.DefaultZoneMode.allCases)
    func `the default zone's deletion is refused, purges or does nothing`(
        depth: Depth, mode: MockOptions.DefaultZoneMode
    ) async throws {
        var options = MockOptions()
        options.defaultZoneMode = mode
        let world = try World(depth, options: options)
        try await world.ada.put("a", zone: "_defaultZone")
        let item = try await world.ada.delete(zone: "_defaultZone")
        #expect(item.code == (mode == .refuse ? .badRequest : nil))
        #expect(item.isDeleted == (mode != .refuse))
        #expect(
            try await world.ada.exists("a", zone: "_defaultZone") == (mode != .purge), "\(mode)"
        )
        try await world.ada.put("b", zone: "_defaultZone")
        #expect(try await world.ada.exists("b", zone: "_defaultZone"))
    }

    @Test(arguments: Depth.allCases)
    func `a list is paged by a token that other changes do not shift`(depth: Depth) async throws {
        var options = MockOptions()
        options.zoneListPageMax = 2
        let world = try World(depth, options: options)
        try await world.ada.create("a", "b", "c", "d", "e")
        let first = try await world.ada.list()
        #expect(first.zones.map(\.id.zoneName) == ["_defaultZone", "a", "b"])
        #expect(first.moreComing)
        try await world.ada.delete(zone: "a")
        try await world.ada.delete(zone: "c")
        let second = try await world.ada.list(first.token)
        #expect(second.zones.map(\.id.zoneName) == ["d", "e"])
        #expect(!second.moreComing)
    }

    @Test(arguments: Depth.allCases)
    func `the default zone is left out of lists by a switch, and named by no shared list`(
        depth: Depth
    )
        async throws
    {
        let world = try World(depth, isAlone: true)
        #expect(try await world.database(.shared).listedNames() == [])
        #expect(try await world.everybody.listedNames() == ["_defaultZone"])
        try await world.service.set(#"{"listsDefaultZone": false}"#) {
            $0.listsDefaultZone = false
        }
        #expect(try await world.ada.listedNames() == [])
    }

    @Test(arguments: Depth.allCases)
    func `a deleted zone stays in as many lists as the lag says`(depth: Depth) async throws {
        var options = MockOptions()
        options.zoneListLag = 2
        options.listsDefaultZone = false
        let world = try World(depth, options: options)
        try await world.ada.create("Notes")
        try await world.ada.delete(zone: "Notes")
        #expect(try await world.ada.listedNames() == ["Notes"])
        #expect(try await world.ada.delete(zone: "Notes").code == .zoneNotFound)
        #expect(try await world.ada.listedNames() == ["Notes"])
        #expect(try await world.ada.listedNames() == [])
    }

    @Test(arguments: Depth.allCases)
    func `answers name the owner, and requests may name it in three ways`(depth: Depth) async throws
    {
        let world = try World(depth)
        let owner = try await world.name("ada")
        #expect(try await world.ada.create("Notes").first?.id.ownerRecordName == owner)
        for spelling in [owner, "__defaultOwner__", "_defaultOwner"] {
            let zone = RecordZone.ID("Notes", ownerRecordName: spelling)
            guard case .zones(let items) = try await world.ada.ask(.read(.lookUpZones([zone])))
            else {
                throw Odd()
            }
            #expect(items.first?.id.ownerRecordName == owner, "\(spelling)")
        }
        let foreign = RecordZone.ID("Notes", ownerRecordName: try await world.name("bob"))
        guard case .zones(let items) = try await world.ada.ask(.read(.lookUpZones([foreign])))
        else {
            throw Odd()
        }
        #expect(items.first?.code == .zoneNotFound)
        #expect(try await world.ada.zones(.delete(foreign)).first?.code == .zoneNotFound)
        #expect(try await world.ada.listedNames().contains("Notes"))
    }
}
