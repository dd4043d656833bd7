import Basics
import CloudModel
import MockStore
import Testing

/// Random commands to the store and to a naive model of it, side by side; the seed is in the
/// test's arguments. Each command also goes to a second service through the wire's form, which
/// must answer the same.
@Suite struct ModelTests {
    private static let zoneNames = ["Notes", "Other", "Third"]

    @Test(
        arguments: [
            (1, 0, MockOptions.InitialScan.history), (2, 0, .live), (3, 2, .history), (4, 1, .live),
        ] as [(UInt64, Int, MockOptions.InitialScan)])
    func `the store does what a naive model says, directly and through the wire`(
        seed: UInt64, emptyPages: Int, scan: MockOptions.InitialScan
    ) throws {
        var options = MockOptions()
        options.emptyPages = emptyPages
        options.initialScan = scan
        var run = try Run(seed: seed, options: options)
        for _ in 0..<500 { try run.step() }
        try run.finish()
    }

    struct Run {
        private(set) var world: World
        private var mirror: World
        private let options: MockOptions
        var model = NaiveService()
        var followers: [String: Follower] = [:]
        var generator: SeededGenerator
        /// Tokens of the zones as they are, with what a client knew then.
        var saved: [(zone: String, token: ChangeToken)] = []
        var databaseToken: ChangeToken?
        var knownZones: Set<String> = []

        init(seed: UInt64, options: MockOptions) throws {
            world = try World(options: options, seed: seed)
            mirror = try World(options: options, seed: seed)
            generator = SeededGenerator(seed: seed)
            self.options = options
        }

        /// Continues in two services that a snapshot file of this one was restored to.
        mutating func moveToSnapshotFile() throws {
            let file = try world.cloud.snapshotFile()
            let now = world.time.withLock { $0 }
            world = try World(options: options, seed: 3)
            mirror = try World(options: options, seed: 3)
            for new in [world, mirror] {
                new.time.withLock { $0 = now }
                try new.cloud.restore(file)
            }
        }

        mutating func pick<Element>(_ elements: [Element]) -> Element {
            elements[Int(generator.next() % UInt64(elements.count))]
        }

        /// Asks both services the same.
        func ask(_ command: CloudCommand) throws -> CloudReply {
            let direct = Result { () throws(CloudError) in try world.ada.ask(command) }
            let wire = mirror.cloud.wireDatabase(at: World.address(), user: "ada")
            let spelled = Result { () throws(CloudError) in try wire.exchange(command) }
            switch (direct, spelled) {
            case (.success(let one), .success(let other)): #expect(one == other)
            case (.failure(let one), .failure(let other)): #expect(one.code == other.code)
            default: Issue.record("\(command): \(direct) directly, \(spelled) by wire")
            }
            return try direct.get()
        }

        mutating func step() throws {
            world.advance(7)
            mirror.advance(7)
            switch generator.next() % 20 {
            case 0...2: try changeZones()
            case 3...12: try changeRecords()
            case 13...15: try follow(Self.some(&generator), toTheEnd: false)
            case 16: try follow(Self.some(&generator), toTheEnd: true)
            case 17: try followDatabase()
            case 18: try query()
            default: _ = try world.cloud.withStore { try $0.purgeSome() }
            }
        }

        static func some(_ generator: inout SeededGenerator) -> String {
            zoneNames[Int(generator.next() % UInt64(zoneNames.count))]
        }

        mutating func changeZones() throws {
            let name = Self.some(&generator)
            let operation: RecordZone.Operation =
                generator.next() % 3 > 0
                ? .create(RecordZone.ID(name)) : .delete(RecordZone.ID(name))
            let expected = model.modify([operation])
            guard case .zones(let items) = try ask(.write(.modifyZones([operation]))) else {
                throw Odd()
            }
            let found = items.map { item -> NaiveService.Expectation in
                switch item {
                case .zone: .written
                case .deleted: .deleted
                case .failure(_, let error): .failure(error.code)
                }
            }
            #expect(found == expected)
            if found == [.deleted] { saved.removeAll { $0.zone == name } }
        }

        mutating func changeRecords() throws {
            let zone = Self.some(&generator)
            var names = Set((0..<1 + generator.next() % 5).map { _ in "r\(generator.next() % 12)" })
            if generator.next() % 8 == 0 { names.insert("fresh\(generator.next() % 1000)") }
            let operations = names.sorted().map { name -> RecordOperation in
                let known = model.zones[zone]?[name]?.tag
                let tag = generator.next() % 4 == 0 ? "stale" : known ?? "none"
                let key = pick(["n", "m", "k"])
                return .make(
                    pick(RecordOperation.Kind.allCases), name,
                    [key: .int64(Int64(generator.next() % 100))], tag: tag)
            }
            let atomic = generator.next() % 2 == 0
            let request = RecordModifyRequest(
                operations: operations, zoneID: RecordZone.ID(zone), atomic: atomic)
            let expected = model.modify(operations, zone: zone, atomic: atomic)
            guard case .records(let reply) = try ask(.write(.modifyRecords(request))) else {
                throw Odd()
            }
            let found = reply.records.map { item -> NaiveService.Expectation in
                switch item {
                case .record: .written
                case .deleted: .deleted
                case .failure(_, let error): .failure(error.code)
                }
            }
            #expect(found == expected)
            model.learnTags(reply.records, zone: zone)
        }

        /// One page of a zone's feed, or all of them; the client then knows what the model has.
        mutating func follow(_ zone: String, toTheEnd: Bool) throws {
            for _ in 0..<2000 {
                let limit = pick([1, 2, 7, 200])
                let follower = followers[zone] ?? Follower()
                let request = ZoneChangesRequest(
                    zoneID: RecordZone.ID(zone), token: follower.token, limit: limit)
                guard case .zoneChanges(let items) = try ask(.read(.zoneChanges([request]))),
                    let item = items.first
                else { throw Odd() }
                switch item {
                case .failure(_, let error):
                    if model.zones[zone] == nil {
                        #expect(error.code == .zoneNotFound)
                        followers[zone] = nil
                        return
                    }
                    #expect(error.code == .badRequest && follower.token != nil)
                    followers[zone] = nil
                case .page(let page):
                    var follower = follower
                    follower.take(page)
                    followers[zone] = follower
                    if !page.moreComing {
                        #expect(follower.records == model.zones[zone])
                        saved.append((zone, page.token))
                        return
                    }
                    if !toTheEnd { return }
                }
            }
            Issue.record("the feed of \(zone) does not end")
        }

        mutating func followDatabase() throws {
            while true {
                let command = CloudCommand.read(
                    .databaseChanges(
                        token: databaseToken, limit: pick([1, 2, 200])))
                guard case .zonePage(let page) = try ask(command) else { throw Odd() }
                for zone in page.zones {
                    if zone.isDeleted {
                        knownZones.remove(zone.id.zoneName)
                    } else {
                        knownZones.insert(zone.id.zoneName)
                    }
                }
                databaseToken = page.token
                if !page.moreComing { break }
            }
            #expect(knownZones == Set(model.zones.keys))
            #expect(try Set(world.ada.listedNames()) == knownZones.union(["_defaultZone"]))
        }

        mutating func query() throws {
            let zone = Self.some(&generator)
            let bound = Int64(generator.next() % 100)
            let query = Query(
                recordType: "Note", filters: [.init(.lessThan, .field("n"), .int64(bound))],
                sorts: generator.next() % 2 == 0 ? [] : [.init(.field("n"), ascending: false)])
            guard let records = model.zones[zone], records.count > 0 else { return }
            let expected = records.filter { entry in
                if case .int64(let number)? = entry.value.fields["n"] {
                    number < bound
                } else {
                    false
                }
            }
            let found = try world.ada.names(query, zone: zone, limit: pick([1, 3, 200]))
            #expect(found.count == expected.count && Set(found) == Set(expected.keys))
        }

        /// The whole history, and every position saved on the way, whatever the page size.
        mutating func finish() throws {
            for zone in ModelTests.zoneNames { try follow(zone, toTheEnd: true) }
            try followDatabase()
            for (zone, token) in saved.map({ ($0.zone, Optional($0.token)) })
                + model.zones.keys.map({ ($0, nil) })
            {
                let drains = try [1, 7, 200].map {
                    try world.ada.drain(token, zone: zone, limit: $0)
                }
                #expect(drains[0].items == drains[1].items && drains[1].items == drains[2].items)
                #expect(drains[0].token == drains[2].token)
            }
        }
    }
}
