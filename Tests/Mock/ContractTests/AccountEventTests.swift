import CloudModel
import CloudWire
import MockStore
import Testing

/// What befalls an account as a whole, as its databases then answer.
@Suite(.timeLimit(.minutes(10))) struct AccountEventTests {
    private func world(_ depth: Depth) async throws -> World {
        let world = try World(depth, isAlone: true)
        try await world.ada.create("Notes", "Other")
        try await world.ada.put("a", ["text": .string("0123456789")])
        try await world.ada.put("b", ["text": .string("0123456789")])
        return world
    }

    private func fill(_ user: String = "ada", _ kind: SimulatedEvent.Kind = .fillQuota)
        -> SimulatedEvent
    {
        SimulatedEvent(kind, user: user)
    }

    private func code(
        _ asker: Asker, _ name: String, _ text: String = "0123456789", zone: String = "Notes",
        _ kind: RecordOperation.Kind = .forceUpdate
    ) async throws -> CloudError.Code? {
        let operation = RecordOperation(
            kind, recordName: name, recordType: "Note", fields: ["text": Field(.string(text))])
        return try await asker.one(operation, zone: zone).code
    }

    // MARK: - Storage

    @Test(arguments: Depth.allCases)
    func `A-6 a user's full storage refuses saves, and every other request still works`(
        depth: Depth
    ) async throws {
        let world = try await world(depth)
        #expect(try await world.service.simulate(fill()) == 1)
        #expect(try await world.service.simulate(fill()) == 0)
        let before = try await world.service.dump(user: "ada")
        for zone in ["Notes", "Other", "_defaultZone"] {
            #expect(try await code(world.ada, "new", zone: zone) == .quotaExceeded)
        }
        // An update that needs no more room, too, and one that needs less.
        #expect(try await code(world.ada, "a") == .quotaExceeded)
        #expect(try await code(world.ada, "a", "") == .quotaExceeded)
        #expect(try await world.service.dump(user: "ada") == before)
        let production = world.database(.private, .user("ada"), .production)
        #expect(try await code(production, "new", zone: "_defaultZone") == .quotaExceeded)
        #expect(try await world.ada.exists("a"))
        #expect(try await world.ada.drain().items.count == 2)
        try await world.ada.create("Third")
        let bob = world.database(.private, .user("bob"))
        #expect(try await code(bob, "new", zone: "_defaultZone") == nil)
        #expect(try await code(world.everybody, "new", zone: "_defaultZone") == nil)
        #expect(try await world.service.simulate(fill("ada", .freeQuota)) == 1)
        #expect(try await world.service.simulate(fill("ada", .freeQuota)) == 0)
        #expect(try await code(world.ada, "new") == nil)
    }

    @Test(arguments: Depth.allCases)
    func `A-6 what is deleted makes so much room again`(depth: Depth) async throws {
        let world = try await world(depth)
        try await world.service.simulate(fill())
        #expect(try await world.ada.one(.forceDelete("a")).isDeleted)
        // What does not fit is refused; what does is stored, and the room is gone again.
        #expect(
            try await code(world.ada, "a", String(repeating: "x", count: 500)) == .quotaExceeded)
        #expect(try await code(world.ada, "c") == nil)
        #expect(try await code(world.ada, "d") == .quotaExceeded)
        // A zone frees what it held, its assets too.
        try await world.service.simulate(fill("ada", .freeQuota))
        let asset = try await world.ada.upload(Array(repeating: 7, count: 5000), "p", zone: "Other")
        try await world.ada.put("p", ["photo": .asset(asset)], zone: "Other")
        try await world.service.simulate(fill())
        try await world.ada.delete(zone: "Other")
        #expect(try await code(world.ada, "e", String(repeating: "x", count: 4500)) == nil)
        #expect(
            try await code(world.ada, "f", String(repeating: "x", count: 4500)) == .quotaExceeded)
    }

    @Test(arguments: Depth.allCases)
    func `A-6 a batch that does not fit takes no room`(depth: Depth) async throws {
        let world = try await world(depth)
        try await world.service.simulate(fill())
        try await world.ada.one(.forceDelete("a"))
        let operations = ["c", "d"].map {
            RecordOperation(
                .create, recordName: $0, recordType: "Note",
                fields: ["text": Field(.string("0123456789"))])
        }
        let refused = try await world.ada.modify(operations, atomic: true)
        #expect(refused.records.map(\.code) == [.atomicError, .quotaExceeded])
        // One of them fits, as the batch left nothing behind.
        let one = try await world.ada.modify(operations, atomic: false)
        #expect(one.records.map(\.code) == [nil, .quotaExceeded])
    }

    @Test(arguments: Depth.allCases, [false, true])
    func `A-6 a child for whose parent there is no room fails with it`(
        depth: Depth, childFirst: Bool
    ) async throws {
        let world = try await world(depth)
        try await world.service.simulate(fill())
        try await world.ada.one(.forceDelete("a"))
        let large = Field(.string(String(repeating: "x", count: 500)))
        func saves(_ kind: RecordOperation.Kind) -> [RecordOperation] {
            let parent = RecordOperation(
                kind, recordName: "parent", recordType: "Note", fields: ["text": large])
            let child = RecordOperation(
                kind, recordName: "child", recordType: "Note",
                parent: Record.Reference("parent"))
            return childFirst ? [child, parent] : [parent, child]
        }
        let loose = try await world.ada.modify(saves(.create), atomic: false)
        let codes = loose.records.map(\.code)
        #expect(
            codes
                == (childFirst
                    ? [.validatingReferenceError, .quotaExceeded]
                    : [.quotaExceeded, .validatingReferenceError]))
        #expect(try await !world.ada.exists("child"))
        #expect(try await !world.ada.exists("parent"))
        // A parent that is there already stays as it was, and its new child may hang below it.
        try await world.service.simulate(fill("ada", .freeQuota))
        try await world.ada.put("parent")
        try await world.service.simulate(fill())
        try await world.ada.one(.forceDelete("b"))
        let again = try await world.ada.modify(saves(.forceUpdate), atomic: false)
        #expect(Set(again.records.map(\.code)) == [nil, .quotaExceeded])
        #expect(try await world.ada.exists("child"))
    }

    @Test(arguments: Depth.allCases)
    func `A-6 of a shared zone the owner's storage counts, of a public database the app's`(
        depth: Depth
    ) async throws {
        let world = try await world(depth)
        try await world.service.simulate(
            SimulatedEvent(.share, user: "ada", in: world.container, zone: "Notes", with: "bob"))
        // The share of the event is for reading: its owner lets everybody write.
        let share = try #require(
            try await world.ada.lookUp(Share.zoneWideName).first?.record)
        var change = RecordOperation(
            .forceUpdate, recordName: share.id.recordName, recordType: Share.recordType)
        change.recordChangeTag = share.recordChangeTag
        change.share = Share.Change(publicPermission: .readWrite)
        #expect(try await world.ada.one(change).code == nil)
        let owner = try await world.name("ada")
        let zone = RecordZone.ID("Notes", ownerRecordName: owner)
        let bob = world.database(.shared, .user("bob"))
        let save = RecordOperation(.forceUpdate, recordName: "x", recordType: "Note")
        try await world.service.simulate(fill("bob"))
        #expect(try await bob.one(save, in: zone).code == nil)
        try await world.service.simulate(fill("bob", .freeQuota))
        try await world.service.simulate(fill("ada"))
        #expect(try await bob.one(save, in: zone).code == .quotaExceeded)

        let app = SimulatedEvent(.fillQuota, in: world.container)
        #expect(try await code(world.everybody, "p", zone: "_defaultZone") == nil)
        try await world.service.simulate(app)
        for user in ["ada", "bob"] {
            let asker = world.database(.public, .user(user))
            #expect(try await code(asker, "q", zone: "_defaultZone") == .quotaExceeded)
        }
        let production = world.database(.public, .user("bob"), .production)
        #expect(try await code(production, "q", zone: "_defaultZone") == nil)
        #expect(try await world.everybody.one(.forceDelete("p"), zone: "_defaultZone").isDeleted)
        #expect(try await code(world.everybody, "q", zone: "_defaultZone") == nil)
    }

    @Test(arguments: Depth.allCases)
    func `a reset has storage be empty`(depth: Depth) async throws {
        let world = try await world(depth)
        try await world.service.simulate(fill())
        try await world.service.simulate(SimulatedEvent(.fillQuota, in: world.container))
        try await world.service.reset()
        #expect(try await code(world.ada, "a", zone: "_defaultZone") == nil)
        #expect(try await code(world.everybody, "a", zone: "_defaultZone") == nil)
    }

    // MARK: - Terms

    @Test(arguments: Depth.allCases)
    func `a user who has not accepted changed terms is asked to sign in, on every device`(
        depth: Depth
    ) async throws {
        let world = try await world(depth)
        #expect(try await world.service.simulate(SimulatedEvent(.changeTerms, user: "ada")) == 1)
        let phone = world.database(.private, .user("ada", device: "phone"))
        for asker in [world.ada, phone, world.everybody] {
            for command in [CloudCommand.read(.listZones(token: nil)), .read(.caller)] {
                #expect(await asker.code(command) == .authenticationRequired)
            }
        }
        #expect(
            await world.ada.reason(.read(.caller))
                == "the user has to accept the changed terms of the service")
        #expect(
            await world.database(.private, .user("bob")).code(.read(.listZones(token: nil))) == nil)
        // It is another thing than a sign-out.
        try await world.service.simulate(SimulatedEvent(.signIn, user: "ada"))
        #expect(await phone.code(.read(.caller)) == .authenticationRequired)
        #expect(try await world.service.simulate(SimulatedEvent(.acceptTerms, user: "ada")) == 1)
        #expect(try await world.service.simulate(SimulatedEvent(.acceptTerms, user: "ada")) == 0)
        #expect(try await phone.exists("a"))
    }
}
