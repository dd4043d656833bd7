import CloudModel
import MockStore
import Testing

/// Zones that one user lets another read.
@Suite struct ShareTests {
    private struct Shared {
        let world: World
        let bob: Asker
        /// The zone as Bob's shared database names it.
        let zone: RecordZone.ID

        func event(_ kind: SimulatedEvent.Kind, by user: String, with other: String?)
            -> SimulatedEvent
        {
            SimulatedEvent(kind, user: user, in: world.container, zone: "Trip", with: other)
        }

        func feed(_ token: ChangeToken?) async throws -> ZoneChangesPage {
            let request = ZoneChangesRequest(zoneID: zone, token: token)
            guard case .zoneChanges(let items) = try await bob.ask(.read(.zoneChanges([request])))
            else {
                throw Odd()
            }
            switch try #require(items.first) {
            case .page(let page): return page
            case .failure(_, let error): throw error
            }
        }

        func feedCode(_ token: ChangeToken?) async throws -> CloudError? {
            do {
                _ = try await feed(token)
                return nil
            } catch let error as CloudError { return error }
        }
    }

    /// Ada's zone with one record, which Bob can read.
    private func shared(_ depth: Depth) async throws -> Shared {
        let world = try World(depth)
        try await world.ada.create("Trip", "Own")
        try await world.ada.put("a", ["title": .string("Lisbon")], zone: "Trip")
        let owner = try await world.name("ada")
        let shared = Shared(
            world: world, bob: world.database(.shared, .user("bob")),
            zone: RecordZone.ID("Trip", ownerRecordName: owner))
        try await world.service.simulate(shared.event(.share, by: "ada", with: "bob"))
        return shared
    }

    @Test(arguments: Depth.allCases)
    func `a shared zone is in the other's shared database, under its owner`(
        depth: Depth
    ) async throws {
        let shared = try await shared(depth)
        let bob = shared.bob
        #expect(try await bob.list().zones.map(\.id) == [shared.zone])
        #expect(try await bob.databaseChanges(nil).zones.map(\.id) == [shared.zone])
        guard case .zones(let found) = try await bob.ask(.read(.lookUpZones([shared.zone]))) else {
            throw Odd()
        }
        #expect(found.compactMap(\.zone).map(\.id) == [shared.zone])
        let feed = try await shared.feed(nil)
        #expect(feed.records.map(\.recordName) == ["a", Share.zoneWideName])
        #expect(feed.records[0].record?.id.zoneID == shared.zone)
        let query = RecordQueryRequest(query: Query(recordType: "Note"), zoneID: shared.zone)
        guard case .recordPage(let page) = try await bob.ask(.read(.queryRecords(query))) else {
            throw Odd()
        }
        #expect(page.records.map(\.recordName) == ["a"])
        let lookUp = RecordLookupRequest(recordNames: ["a"], zoneID: shared.zone)
        guard case .records(let reply) = try await bob.ask(.read(.lookUpRecords(lookUp))) else {
            throw Odd()
        }
        #expect(reply.records.first?.record?.fields["title"]?.value == .string("Lisbon"))
        // Neither his own database nor another's has it.
        #expect(
            try await shared.world.database(.private, .user("bob")).listedNames()
                == ["_defaultZone"])
        #expect(try await shared.world.database(.shared).list().zones.isEmpty)
    }

    @Test(arguments: Depth.allCases)
    func `what the owner writes reaches who shares the zone`(depth: Depth) async throws {
        let shared = try await shared(depth)
        let token = try await shared.feed(nil).token
        let zones = try await shared.bob.databaseChanges(nil).token
        try await shared.world.ada.put("b", zone: "Trip")
        try await shared.world.ada.one(.forceDelete("a"), zone: "Trip")
        #expect(try await shared.bob.databaseChanges(zones).zones.map(\.id) == [shared.zone])
        let page = try await shared.feed(token)
        #expect(page.records.map(\.recordName) == ["b", "a"])
        #expect(page.records[1].isDeleted)
        #expect(try await shared.feed(page.token).records.isEmpty)
        // A zone that is not shared tells nobody.
        let after = try await shared.bob.databaseChanges(zones).token
        try await shared.world.ada.put("c", zone: "Own")
        #expect(try await shared.bob.databaseChanges(after).zones.isEmpty)
    }

    @Test(arguments: Depth.allCases)
    func `A-97 who was given a zone to read cannot write there`(depth: Depth) async throws {
        let shared = try await shared(depth)
        for operation in [RecordOperation.make(.forceUpdate, "b"), .forceDelete("a")] {
            let request = RecordModifyRequest(operations: [operation], zoneID: shared.zone)
            guard
                case .records(let reply) = try await shared.bob.ask(.write(.modifyRecords(request)))
            else { throw Odd() }
            #expect(reply.records.first?.code == .accessDenied)
        }
        #expect(
            try await shared.world.ada.drain(zone: "Trip").items.map(\.recordName)
                == ["a", Share.zoneWideName])
    }

    private enum End: CaseIterable {
        case left, deletedByParticipant, revoked, zoneDeleted, zonePurged
    }

    @Test(arguments: Depth.allCases, End.allCases)
    private func `A-91 and A-99 a share that ends is a deleted zone there, and nothing else`(
        depth: Depth, end: End
    ) async throws {
        let shared = try await shared(depth)
        let token = try await shared.feed(nil).token
        let zones = try await shared.bob.databaseChanges(nil).token
        let service = shared.world.service
        switch end {
        case .left: try await service.simulate(shared.event(.leaveShare, by: "bob", with: "ada"))
        case .deletedByParticipant:
            let items = try await shared.bob.zones(.delete(shared.zone))
            #expect(items == [.deleted(shared.zone)])
        case .revoked: try await service.simulate(shared.event(.revokeShare, by: "ada", with: nil))
        case .zoneDeleted: try await shared.world.ada.delete(zone: "Trip")
        case .zonePurged: try await service.simulate(shared.event(.purge, by: "ada", with: nil))
        }
        #expect(try await shared.bob.databaseChanges(zones).zones == [.deleted(shared.zone)])
        #expect(try await shared.bob.list().zones.isEmpty)
        #expect(try await shared.feedCode(token)?.zoneDeletionReason == .deleted)
        let stays = end != .zoneDeleted && end != .zonePurged
        #expect(try await shared.world.ada.listedNames().contains("Trip") == stays)
        guard stays else { return }
        #expect(try await shared.world.ada.exists("a", zone: "Trip"))
        // Given once more, it is scanned from the beginning.
        try await service.simulate(shared.event(.share, by: "ada", with: "bob"))
        #expect(try await shared.feedCode(token)?.code == .badRequest)
        #expect(
            try await shared.feed(nil).records.compactMap(\.record).map(\.id.recordName)
                == ["a", Share.zoneWideName])
    }

    @Test(arguments: Depth.allCases)
    func `two owners can share zones of one name`(depth: Depth) async throws {
        let world = try World(depth)
        let bob = world.database(.private, .user("bob"))
        for (asker, user) in [(world.ada, "ada"), (bob, "bob")] {
            try await asker.create("Trip")
            try await asker.put(user, zone: "Trip")
        }
        try await world.service.simulate(
            SimulatedEvent(.share, user: "ada", in: world.container, zone: "Trip", with: "bob"))
        try await world.service.simulate(
            SimulatedEvent(.share, user: "bob", in: world.container, zone: "Trip", with: "ada"))
        let seen = world.database(.shared, .user("bob"))
        #expect(
            try await seen.list().zones.map(\.id.ownerRecordName) == [world.name("ada")])
        try await world.ada.delete(zone: "Trip")
        #expect(try await seen.list().zones.isEmpty)
        #expect(try await world.database(.shared).list().zones.count == 1)
    }
}
