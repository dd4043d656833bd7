import CloudModel
import MockServer
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
