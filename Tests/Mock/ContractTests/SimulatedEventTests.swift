import CloudModel
import MockStore
import Testing

/// What happens to an account outside of any request, as its databases then answer.
@Suite struct SimulatedEventTests {
    private static let notes = RecordZone.ID("Notes")

    private func world(_ depth: Depth, isAlone: Bool = false) async throws -> World {
        let world = try World(depth, isAlone: isAlone)
        try await world.ada.create("Notes", "Other")
        try await world.ada.put("a")
        return world
    }

    private func event(
        _ kind: SimulatedEvent.Kind, _ world: World, zone: String? = "Notes",
        with other: String? = nil
    ) -> SimulatedEvent {
        SimulatedEvent(kind, user: "ada", in: world.container, zone: zone, with: other)
    }

    // MARK: - Zones that go

    @Test(
        arguments: Depth.allCases,
        [
            (SimulatedEvent.Kind.purge, RecordZone.DeletionReason.purged),
            (.resetEncryptedData, .encryptedDataReset),
        ])
    func `A-12 and A-13 an erased zone is reported with its reason, and calls on it answer with it`(
        depth: Depth, erased: (kind: SimulatedEvent.Kind, reason: RecordZone.DeletionReason)
    ) async throws {
        let world = try await world(depth)
        let before = try await world.ada.databaseChanges(nil).token
        let token = try await world.ada.drain().token
        try await world.ada.delete(zone: "Other")
        #expect(try await world.service.simulate(event(erased.kind, world)) == 1)

        let changes = try await world.ada.databaseChanges(before).zones
        let name = try await world.name("ada")
        #expect(
            changes == [
                .deleted(RecordZone.ID("Other", ownerRecordName: name)),
                .deleted(
                    RecordZone.ID("Notes", ownerRecordName: name), reason: erased.reason),
            ])
        let gone = try #require(try await world.ada.feedError(token))
        #expect(gone.code == .zoneNotFound && gone.zoneDeletionReason == erased.reason)
        let write = try #require(
            try await world.ada.one(.make(.forceUpdate, "b")).error)
        #expect(write.code == .zoneNotFound && write.reason == erased.reason.errorReason)
        let other = try #require(try await world.ada.feedError(nil, zone: "Other"))
        #expect(other.zoneDeletionReason == .deleted)

        // Until somebody creates the zone again: a zone like any other, which is empty.
        try await world.ada.create("Notes")
        #expect(try await world.ada.drain().items.isEmpty)
        #expect(
            try await world.ada.feedError(token)?.reason
                == "client knowledge differs from server knowledge")
        try await world.ada.delete(zone: "Notes")
        #expect(try await world.ada.feedError(nil)?.zoneDeletionReason == .deleted)
    }

    @Test(arguments: Depth.allCases)
    func `A-12 all zones of a container are erased, and those of others are not`(
        depth: Depth
    ) async throws {
        let world = try await world(depth)
        let bob = world.database(.private, .user("bob"))
        try await bob.create("Notes")
        try await world.ada.put("d", zone: "_defaultZone")
        let production = world.database(.private, .user("ada"), .production)
        try await production.create("Notes")
        #expect(try await world.service.simulate(event(.purge, world, zone: nil)) == 2)
        #expect(try await world.ada.listedNames() == ["_defaultZone"])
        #expect(try await !world.ada.exists("d", zone: "_defaultZone"))
        #expect(try await bob.listedNames().contains("Notes"))
        #expect(try await production.listedNames().contains("Notes"))
        // An app that lost its keys keeps what was not encrypted with them.
        try await world.ada.put("d", zone: "_defaultZone")
        #expect(try await world.service.simulate(event(.resetEncryptedData, world, zone: nil)) == 0)
        #expect(try await world.ada.exists("d", zone: "_defaultZone"))
    }

    @Test(arguments: Depth.allCases)
    func `A-11 and A-92 a zone deleted and made again is one live entry with another life`(
        depth: Depth
    ) async throws {
        let world = try await world(depth)
        let before = try await world.ada.databaseChanges(nil).token
        let token = try await world.ada.drain().token
        try await world.service.simulate(event(.recreateZone, world))
        let changes = try await world.ada.databaseChanges(before).zones
        #expect(changes.map(\.id.zoneName) == ["Notes"] && changes[0].zone != nil)
        #expect(try await world.ada.feedError(token)?.code == .badRequest)
        #expect(try await world.ada.drain().items.isEmpty)
    }

    // MARK: - Sessions

    @Test(arguments: Depth.allCases)
    func `A-1 who has signed out on a device is asked to sign in there, and only there`(
        depth: Depth
    ) async throws {
        let world = try await world(depth, isAlone: true)
        let phone = world.database(.private, .user("ada", device: "phone"))
        let desk = world.database(.private, .user("ada", device: "desk"))
        try await phone.put("p")
        var out = SimulatedEvent(.signOut, user: "ada")
        out.device = "phone"
        try await world.service.simulate(out)
        let commands: [CloudCommand] = [
            .read(.listZones(token: nil)), .read(.databaseChanges(token: nil, limit: nil)),
            .read(.caller),
            .write(.modifyZones([.create(RecordZone.ID("New"))])),
            .write(
                .modifyRecords(
                    RecordModifyRequest(operations: [.make(.create, "n")], zoneID: Self.notes))),
        ]
        for command in commands {
            #expect(await phone.code(command) == .authenticationRequired, "\(command)")
        }
        #expect(try await desk.exists("p"))
        #expect(try await !desk.listedNames().contains("New"))
        #expect(try await world.ada.exists("p"))
        var back = SimulatedEvent(.signIn, user: "ada")
        back.device = "phone"
        try await world.service.simulate(back)
        #expect(try await phone.exists("p"))
    }

    @Test(arguments: Depth.allCases)
    func `A-1 who has signed out everywhere can sign in on one device`(depth: Depth) async throws {
        let world = try await world(depth, isAlone: true)
        let phone = world.database(.private, .user("ada", device: "phone"))
        try await world.service.simulate(SimulatedEvent(.signOut, user: "ada"))
        for asker in [world.ada, phone] {
            #expect(await asker.code(.read(.listZones(token: nil))) == .authenticationRequired)
        }
        var back = SimulatedEvent(.signIn, user: "ada")
        back.device = "phone"
        try await world.service.simulate(back)
        #expect(try await phone.exists("a"))
        #expect(await world.ada.code(.read(.listZones(token: nil))) == .authenticationRequired)
        try await world.service.simulate(SimulatedEvent(.signIn, user: "ada"))
        #expect(try await world.ada.exists("a"))
    }

    @Test(arguments: Depth.allCases)
    func `A-3 after a change of accounts a device has the other user's data`(
        depth: Depth
    ) async throws {
        let world = try await world(depth, isAlone: true)
        var change = SimulatedEvent(.switchAccount, user: "ada", with: "bob")
        change.device = "phone"
        try await world.service.simulate(change)
        let was = world.database(.private, .user("ada", device: "phone"))
        #expect(await was.code(.read(.listZones(token: nil))) == .authenticationRequired)
        let phone = world.database(.private, .user("bob", device: "phone"))
        #expect(try await phone.listedNames() == ["_defaultZone"])
        #expect(try await world.ada.exists("a"))
    }

    @Test(arguments: Depth.allCases)
    func `a user can close a container to his apps, and open it`(depth: Depth) async throws {
        let world = try await world(depth)
        try await world.service.simulate(event(.restrict, world, zone: nil))
        #expect(await world.ada.code(.read(.listZones(token: nil))) == .accessDenied)
        try await world.service.simulate(event(.unrestrict, world, zone: nil))
        #expect(try await world.ada.exists("a"))
    }

    @Test(arguments: Depth.allCases)
    func `records name the devices that made and changed them`(depth: Depth) async throws {
        let world = try await world(depth)
        let phone = world.database(.private, .user("ada", device: "phone"))
        let desk = world.database(.private, .user("ada", device: "desk"))
        try await phone.put("p")
        let changed = try await desk.put("p", ["title": .string("x")])
        #expect(changed.created.deviceID == "phone" && changed.modified.deviceID == "desk")
        let seen = try await world.ada.drain().items.compactMap(\.record)
        #expect(seen.map(\.modified.deviceID) == ["2", "desk"])
    }

    // MARK: - Tokens

    @Test(arguments: Depth.allCases)
    func `A-77 expired on demand, tokens of a zone answer so, and a new scan goes through`(
        depth: Depth
    ) async throws {
        let world = try await world(depth)
        for name in ["b", "c"] { try await world.ada.put(name) }
        try await world.ada.one(.forceDelete("b"))
        let middle = try await world.ada.feed(nil, limit: 1).token
        let end = try await world.ada.drain().token
        let other = try await world.ada.drain(zone: "Other").token
        let database = try await world.ada.databaseChanges(nil).token
        #expect(try await world.service.simulate(event(.expireTokens, world)) == 1)
        for token in [middle, end] {
            #expect(
                try await world.ada.feedError(token)?.reason
                    == "client knowledge differs from server knowledge")
        }
        #expect(try await world.ada.feedError(other, zone: "Other") == nil)
        #expect(try await world.ada.databaseChanges(database).zones.isEmpty)
        let scan = try await world.ada.drain(limit: 1)
        #expect(scan.items.compactMap(\.record).map(\.id.recordName) == ["a", "c"])
        try await world.ada.put("d")
        #expect(try await world.ada.drain(scan.token).items.map(\.recordName) == ["d"])
    }

    @Test(arguments: Depth.allCases)
    func `A-77 expired on demand, tokens of a database answer so, and a new scan goes through`(
        depth: Depth
    ) async throws {
        let world = try await world(depth)
        let token = try await world.ada.databaseChanges(nil).token
        try await world.service.simulate(event(.expireTokens, world, zone: nil))
        let command = CloudCommand.read(.databaseChanges(token: token, limit: nil))
        #expect(
            await world.ada.reason(command) == "client knowledge differs from server knowledge")
        var names: [String] = []
        var next: ChangeToken?
        repeat {
            let page = try await world.ada.databaseChanges(next, limit: 1)
            names += page.zones.map(\.id.zoneName)
            next = page.moreComing ? page.token : nil
        } while next != nil
        #expect(names.sorted() == ["Notes", "Other"])
    }

    @Test(arguments: Depth.allCases)
    func `compaction forgets zones that were deleted, and none that were erased`(
        depth: Depth
    ) async throws {
        let world = try await world(depth)
        try await world.ada.create("Third")
        let early = try await world.ada.databaseChanges(nil).token
        try await world.ada.delete(zone: "Other")
        try await world.service.simulate(event(.purge, world))
        let late = try await world.ada.databaseChanges(nil).token
        try await world.service.simulate(event(.compact, world, zone: nil))
        let all = try await world.ada.databaseChanges(nil).zones
        #expect(all.map(\.id.zoneName).sorted() == ["Notes", "Third"])
        #expect(all.contains { $0.isDeleted })
        #expect(try await world.ada.databaseChanges(late).zones.isEmpty)
        let command = CloudCommand.read(.databaseChanges(token: early, limit: nil))
        #expect(
            await world.ada.reason(command) == "client knowledge differs from server knowledge")
        #expect(try await world.ada.feedError(nil)?.zoneDeletionReason == .purged)
        #expect(try await world.ada.feedError(nil, zone: "Other")?.zoneDeletionReason == .deleted)
    }

    @Test(arguments: Depth.allCases)
    func `restored from a snapshot, the service knows older tokens and refuses younger ones`(
        depth: Depth
    ) async throws {
        let world = try await world(depth, isAlone: true)
        let early = try await world.ada.drain().token
        let zones = try await world.ada.databaseChanges(nil).token
        var keep = SimulatedEvent(.snapshot)
        keep.name = "monday"
        try await world.service.simulate(keep)
        let lost = try await world.ada.put("lost")
        try await world.ada.create("Lost")
        let late = try await world.ada.drain().token
        let lateZones = try await world.ada.databaseChanges(nil).token
        keep.kind = .restore
        try await world.service.simulate(keep)

        #expect(try await !world.ada.exists("lost"))
        #expect(try await world.ada.drain(early).items.isEmpty)
        #expect(try await world.ada.databaseChanges(zones).zones.isEmpty)
        #expect(try await world.ada.feedError(late)?.code == .badRequest)
        let command = CloudCommand.read(.databaseChanges(token: lateZones, limit: nil))
        #expect(await world.ada.code(command) == .badRequest)
        // As many places as before: the number alone would take the old token for a new one.
        let found = try await world.ada.put("found")
        try await world.ada.create("Found")
        #expect(found.recordChangeTag != lost.recordChangeTag)
        #expect(try await world.ada.feedError(late)?.code == .badRequest)
        #expect(await world.ada.code(command) == .badRequest)
        #expect(try await world.ada.drain(early).items.map(\.recordName) == ["found"])
    }
}
