import CloudModel
import MockStore
import Testing

/// What is done to many zones is done in steps of bounded size, between which others are served.
struct SliceTests {
    private static let count = 1_000

    private func world(deleted: Bool = false) throws -> World {
        let world = try World()
        let names = (0..<Self.count).map { "z\($0)" }
        try world.cloud.withStore {
            try $0.seed(zones: names, at: World.address(), user: "ada") { name in
                [SeedRecord("r", type: "Note")]
            }
        }
        guard deleted else { return world }
        for name in names { try world.ada.delete(zone: name) }
        return world
    }

    /// Runs a job slice by slice; what happens between two is given how many there were.
    private func run(
        _ job: any StoreJob, in world: World, between: (Int) throws -> Void
    ) throws -> Int {
        var slices = 1
        while try world.cloud.withStore({ try job.runSlice($0) }) {
            try between(slices)
            slices += 1
        }
        return slices
    }

    /// What a database's feed tells since a token, and the token for later.
    private func changes(
        _ world: World, since token: ChangeToken?
    ) throws -> (zones: [RecordZone.Item], token: ChangeToken) {
        var zones: [RecordZone.Item] = []
        var token = token
        while true {
            let page = try world.ada.databaseChanges(token)
            zones += page.zones
            token = page.token
            if !page.moreComing { return (zones, try #require(page.token)) }
        }
    }

    private func customZones(_ world: World) throws -> [String] {
        try world.ada.listedNames().filter { $0 != "_defaultZone" }
    }

    @Test func `a reset of many zones lets others in, whose new zones stay`() throws {
        let world = try world()
        let before = try changes(world, since: nil).token
        var between: [ChangeToken] = []
        let job = ResetJob(ResetScope(user: "ada"), sliceMax: .zero)
        let slices = try run(job, in: world) { slice in
            if slice == 2 { try world.ada.create("New") }
            between.append(try changes(world, since: nil).token)
        }
        #expect(slices > 4)
        #expect(try customZones(world) == ["New"])
        for token in [before] + between.prefix(4) {
            #expect(throws: CloudError.self) { try changes(world, since: token) }
        }
        while try world.cloud.withStore({ try $0.purgeSome() }) {}
        #expect(try world.cloud.withStore { try $0.summary() }.map(\.records).reduce(0, +) == 0)
    }

    @Test func `a user who erases many zones lets others in, whose new zones stay`() throws {
        let world = try world()
        let job = EraseJob(of: "ada", at: World.address(), .purged, sliceMax: .zero)
        let before = try changes(world, since: nil).token
        let slices = try run(job, in: world) { slice in
            if slice == 2 { try world.ada.create("New") }
        }
        #expect(slices > 4)
        #expect(try customZones(world) == ["New"])
        let report = try job.report()
        #expect(report.changed == Self.count && report.zones.count == Self.count)
        let told = try changes(world, since: before).zones
        #expect(told.count == Self.count + 1)
    }

    /// What others do between two slices to zones that were not reached yet: the newest are reached last.
    private func touch(_ world: World) throws {
        try world.ada.put("late", zone: "z999")
        try world.ada.put("late", zone: "z400")
        try share("z998", in: world)
        try world.ada.subscribe(
            .create(Subscription(subscriptionID: "s", kind: .zone, zoneID: RecordZone.ID("z997"))))
        try world.ada.delete(zone: "z996")
        try world.ada.delete(zone: "z995")
        try world.ada.create("z995")
    }

    /// Has Bob take part in what is below the record of a zone.
    private func share(_ zone: String, in world: World) throws {
        let root = try #require(world.ada.lookUp("r", zone: zone).first?.record)
        var operation = RecordOperation(.create, recordName: "s", recordType: Share.recordType)
        operation.share = Share.Change(
            root: .init("r", recordChangeTag: root.recordChangeTag),
            participants: [
                ShareParticipant(identity: UserIdentity(userRecordName: try world.name("bob")))
            ])
        let guid = try #require(world.ada.one(operation, zone: zone).record?.shortGUID)
        let lobby = world.database(.public, .user("bob"))
        _ = try lobby.ask(.write(.acceptShares([ShareLookup(guid)])))
        #expect(try bobsZones(world).count == 1)
    }

    private func bobsZones(_ world: World) throws -> [String] {
        try world.database(.shared, .user("bob")).listedNames()
    }

    /// Nothing is left of what was there before, nor of what others did to it meanwhile.
    private func expectOnlyNew(_ world: World) throws {
        #expect(try customZones(world) == ["z995"])
        #expect(try bobsZones(world) == [])
        #expect(try world.ada.subscriptions() == [])
        while try world.cloud.withStore({ try $0.purgeSome() }) {}
        #expect(try world.cloud.withStore { try $0.summary() }.map(\.records).reduce(0, +) == 0)
    }

    @Test func `a reset reaches the zones that others write to, share and watch meanwhile`() throws
    {
        let world = try world()
        let job = ResetJob(ResetScope(user: "ada"), sliceMax: .zero)
        _ = try run(job, in: world) { if $0 == 1 { try touch(world) } }
        try expectOnlyNew(world)
    }

    @Test(arguments: [RecordZone.DeletionReason.purged, .encryptedDataReset])
    func `a user who erases reaches the zones that others write to, share and watch meanwhile`(
        reason: RecordZone.DeletionReason
    ) throws {
        let world = try world()
        let job = EraseJob(of: "ada", at: World.address(), reason, sliceMax: .zero)
        _ = try run(job, in: world) { if $0 == 1 { try touch(world) } }
        try expectOnlyNew(world)
        // Others deleted one, and another before they made it anew.
        #expect(try job.report().changed == Self.count - 2)
    }

    @Test func `a job comes to its end though others write all the time`() throws {
        let world = try world()
        let jobs: [any StoreJob] = [
            EraseJob(of: "ada", at: World.address(), .purged, sliceMax: .zero),
            ResetJob(ResetScope(user: "ada"), sliceMax: .zero),
        ]
        for job in jobs {
            let slices = try run(job, in: world) { slice in
                try #require(slice < 100)
                try world.ada.create("New")
                try world.ada.put("r", zone: "New")
            }
            #expect(slices < 40)
            #expect(try customZones(world) == ["New"])
        }
    }

    @Test func `a reset that ends half way leaves no token that was not told of what went`() throws
    {
        let world = try world()
        let job = ResetJob(ResetScope(user: "ada"), sliceMax: .zero)
        for _ in 0..<2 {
            #expect(try world.cloud.withStore { try job.runSlice($0) })
            let token = try changes(world, since: nil).token
            let known = try customZones(world).count
            #expect(try world.cloud.withStore { try job.runSlice($0) })
            #expect(try customZones(world).count < known)
            #expect(throws: CloudError.self) { try changes(world, since: token) }
        }
    }

    @Test func `the types of records that are saved while everything is reset stay known`() throws {
        let world = try world()
        try world.ada.put("old", zone: "z0", type: "Old")
        let job = ResetJob(ResetScope(), sliceMax: .zero)
        _ = try run(job, in: world) { slice in
            guard slice == 2 else { return }
            try world.ada.create("New")
            try world.ada.put("r", ["title": .string("t")], zone: "New", type: "Fresh")
        }
        #expect(try world.ada.names(Query(recordType: "Fresh"), zone: "New") == ["r"])
        #expect(throws: CloudError.self) {
            try world.ada.names(Query(recordType: "Old"), zone: "New")
        }
    }

    @Test func `deletions of many zones are forgotten step by step, those of meanwhile are told`()
        throws
    {
        let world = try world(deleted: true)
        let tooOld = try changes(world, since: nil).token
        try world.ada.create("Last")
        let newest = try changes(world, since: nil).token
        let job = CompactJob(ResetScope(user: "ada"), sliceMax: .zero)
        let slices = try run(job, in: world) { slice in
            if slice == 2 { try world.ada.delete(zone: "Last") }
        }
        #expect(slices > 4)
        #expect(throws: CloudError.self) { try changes(world, since: tooOld) }
        #expect(try changes(world, since: newest).zones.map(\.id.zoneName) == ["Last"])
        #expect(try customZones(world) == [])
    }
}
