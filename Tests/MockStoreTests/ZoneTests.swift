import CloudModel
import MockServer
import Testing

@Suite struct ZoneTests {
    @Test func `A-7 creating a zone that exists succeeds and keeps its contents`() throws {
        let world = try World()
        try world.ada.create("Notes")
        try world.ada.put("a")
        let again = try world.ada.create("Notes")
        #expect(again.first?.zone?.isAtomic == true)
        #expect(try world.ada.exists("a"))
    }

    @Test func `A-8 deleting a missing zone fails for that item alone`() throws {
        let world = try World()
        try world.ada.create("Old")
        let items = try world.ada.zones(
            .create(RecordZone.ID("New")), .delete(RecordZone.ID("Old")),
            .delete(RecordZone.ID("Gone")))
        #expect(items.map(\.code) == [nil, nil, .zoneNotFound])
        #expect(items[1].isDeleted)
        #expect(items[2].id == RecordZone.ID("Gone"))
        #expect(try world.ada.listedNames() == ["_defaultZone", "New"])
    }

    @Test func `A-9 records of a missing zone fail one by one, other zones are unaffected`() throws
    {
        let world = try World()
        try world.ada.create("Notes")
        var stray = RecordOperation.make(.create, "x")
        stray.zoneID = RecordZone.ID("Nowhere")
        var gone = RecordOperation.forceDelete("y")
        gone.zoneID = RecordZone.ID("Nowhere")
        let reply = try world.ada.modify([stray, .make(.create, "a"), gone])
        #expect(reply.records.map(\.code) == [.zoneNotFound, nil, .zoneNotFound])
        #expect(try world.ada.exists("a"))
        let lookup = RecordLookupRequest(
            recordNames: ["a"], zoneID: RecordZone.ID("Nowhere"))
        #expect(world.ada.code(.lookUpRecords(lookup)) == .zoneNotFound)
    }

    @Test func `A-10 a deleted zone takes all with it, and its name gives an empty zone`() throws {
        let world = try World()
        try world.ada.create("Notes")
        try world.ada.put("a", ["b": .link("a", .validate)])
        #expect(try world.ada.delete(zone: "Notes").isDeleted)
        #expect(try world.ada.listedNames() == ["_defaultZone"])
        try world.ada.create("Notes")
        #expect(try !world.ada.exists("a"))
        #expect(try world.ada.drain().items == [])
        while try world.cloud.withStore({ try $0.purgeSome() }) {}
        #expect(try world.ada.put("a").recordChangeTag != "1")
    }

    @Test func `A-12 a zone erased by the user says so until it is created again`() throws {
        let world = try World()
        try world.ada.create("Notes")
        let purged = try world.cloud.withStore {
            try $0.purgeZone("Notes", at: World.address(), user: "ada")
        }
        #expect(purged)
        #expect(try world.ada.delete(zone: "Notes").error?.reason == "Zone was purged by user")
        #expect(try world.ada.delete(zone: "Notes").code == .zoneNotFound)
        try world.ada.create("Notes")
        try world.ada.delete(zone: "Notes")
        #expect(try world.ada.delete(zone: "Notes").error?.reason == "Zone does not exist")
    }

    @Test func `A-15 the default zone cannot be created and is not atomic`() throws {
        let world = try World()
        #expect(try world.ada.create("_defaultZone").first?.code == .badRequest)
        #expect(try world.ada.list().zones.first?.zone?.isAtomic == false)
        #expect(try world.ada.list().zones.first?.zone?.syncToken == nil)
        try world.ada.put("a", zone: "_defaultZone")
        let reply = try world.ada.modify(
            [.make(.create, "b"), .make(.create, "a")], zone: "_defaultZone", atomic: true)
        #expect(reply.records.map(\.code) == [nil, .exists])
        #expect(!reply.failedAtomically)
    }

    @Test(arguments: [Database.Scope.public, .shared])
    func `A-16 zones can be created in private databases only`(scope: Database.Scope) throws {
        let world = try World()
        #expect(try world.database(scope).create("Notes").first?.code == .badRequest)
    }

    @Test(arguments: [
        ("Notes", true), ("with space", true), (String(repeating: "z", count: 255), true),
        (String(repeating: "z", count: 256), false), ("_mine", false), ("", false),
        ("naïve", false), ("line\nbreak", false),
    ])
    func `A-20 zone names are ASCII, at most 255, without a leading underscore`(
        name: String, isValid: Bool
    ) throws {
        let world = try World()
        let item = try world.ada.create(name).first
        #expect(item?.code == (isValid ? nil : .badRequest))
    }

    @Test func `two operations for one zone refuse the whole request`() throws {
        let world = try World()
        let twice = CloudCommand.modifyZones([
            .create(RecordZone.ID("Notes")), .delete(RecordZone.ID("Notes")),
        ])
        #expect(world.ada.code(twice) == .badRequest)
        #expect(try world.ada.listedNames() == ["_defaultZone"])
    }

    @Test func `A-47 more than 200 operations are refused as a whole`() throws {
        let world = try World()
        let many = (0...200).map { RecordZone.Operation.create(RecordZone.ID("z\($0)")) }
        #expect(world.ada.code(.modifyZones(many)) == .badRequest)
        #expect(world.ada.code(.modifyZones(Array(many.dropLast()))) == nil)
        let records = (0...200).map { RecordOperation.make(.create, "r\($0)") }
        let request = RecordModifyRequest(operations: records, zoneID: RecordZone.ID("z1"))
        #expect(world.ada.code(.modifyRecords(request)) == .badRequest)
    }

    @Test func `the default zone's deletion is refused, purges or does nothing`() throws {
        for mode in MockOptions.DefaultZoneMode.allCases {
            var options = MockOptions()
            options.defaultZoneMode = mode
            let world = try World(options: options)
            try world.ada.put("a", zone: "_defaultZone")
            let item = try world.ada.delete(zone: "_defaultZone")
            #expect(item.code == (mode == .refuse ? .badRequest : nil), "\(mode)")
            #expect(item.isDeleted == (mode != .refuse), "\(mode)")
            #expect(
                try world.ada.exists("a", zone: "_defaultZone") == (mode != .purge), "\(mode)")
            try world.ada.put("b", zone: "_defaultZone")
            #expect(try world.ada.exists("b", zone: "_defaultZone"), "\(mode)")
        }
    }

    @Test func `a list is paged by a token that other changes do not shift`() throws {
        var options = MockOptions()
        options.zoneListPageMax = 2
        let world = try World(options: options)
        try world.ada.create("a", "b", "c", "d", "e")
        let first = try world.ada.list()
        #expect(first.zones.map(\.id.zoneName) == ["_defaultZone", "a", "b"])
        #expect(first.moreComing)
        try world.ada.delete(zone: "a")
        try world.ada.delete(zone: "c")
        let second = try world.ada.list(first.token)
        #expect(second.zones.map(\.id.zoneName) == ["d", "e"])
        #expect(!second.moreComing)
    }

    @Test func `the default zone is left out of lists by a switch, and named by no shared list`()
        throws
    {
        let world = try World()
        #expect(try world.database(.shared).listedNames() == [])
        #expect(try world.everybody.listedNames() == ["_defaultZone"])
        try world.set { $0.listsDefaultZone = false }
        #expect(try world.ada.listedNames() == [])
    }

    @Test func `a deleted zone stays in as many lists as the lag says`() throws {
        var options = MockOptions()
        options.zoneListLag = 2
        options.listsDefaultZone = false
        let world = try World(options: options)
        try world.ada.create("Notes")
        try world.ada.delete(zone: "Notes")
        #expect(try world.ada.listedNames() == ["Notes"])
        #expect(try world.ada.delete(zone: "Notes").code == .zoneNotFound)
        #expect(try world.ada.listedNames() == ["Notes"])
        #expect(try world.ada.listedNames() == [])
    }

    @Test func `answers name the owner, and requests may name it in three ways`() throws {
        let world = try World()
        let owner = try world.name("ada")
        #expect(try world.ada.create("Notes").first?.id.ownerRecordName == owner)
        for spelling in [owner, "__defaultOwner__", "_defaultOwner"] {
            let zone = RecordZone.ID("Notes", ownerRecordName: spelling)
            guard case .zones(let items) = try world.ada.ask(.lookUpZones([zone])) else {
                throw Odd()
            }
            #expect(items.first?.id.ownerRecordName == owner, "\(spelling)")
        }
        let foreign = RecordZone.ID("Notes", ownerRecordName: try world.name("bob"))
        guard case .zones(let items) = try world.ada.ask(.lookUpZones([foreign])) else {
            throw Odd()
        }
        #expect(items.first?.code == .zoneNotFound)
        #expect(try world.ada.zones(.delete(foreign)).first?.code == .zoneNotFound)
        #expect(try world.ada.listedNames().contains("Notes"))
    }
}
