import CloudModel
import MockStore
import Testing

/// A request that names the owner of a private zone reaches the zones of that owner and of nobody
/// else: it is how a client makes sure, with each request, that the session is still the person's.
struct OwnerTests {
    private static let requests: [@Sendable (RecordZone.ID) -> CloudCommand] = [
        { .read(.lookUpZones([$0])) },
        { .read(.zoneChanges([ZoneChangesRequest(zoneID: $0)])) },
        { .read(.lookUpRecords(RecordLookupRequest(recordNames: ["a"], zoneID: $0))) },
        { .read(.queryRecords(RecordQueryRequest(query: Query(recordType: "Note"), zoneID: $0))) },
        {
            .write(
                .modifyRecords(
                    RecordModifyRequest(
                        operations: [RecordOperation.make(.forceReplace, "b")], zoneID: $0)))
        },
        {
            // The item's own zone, in a request about nobody's.
            let operation = RecordOperation(.forceDelete, recordName: "a", zoneID: $0)
            return .write(.modifyRecords(RecordModifyRequest(operations: [operation])))
        },
        {
            .write(
                .modifyRecords(RecordModifyRequest(operations: [.forceDelete("a")], zoneID: $0)))
        },
        {
            .write(
                .modifyRecords(
                    RecordModifyRequest(
                        operations: [.forceDelete("a")], zoneID: $0, atomic: false)))
        },
        {
            .write(
                .modifySubscriptions([
                    .create(Subscription(subscriptionID: "s", kind: .zone, zoneID: $0))
                ]))
        },
        { .write(.modifyZones([.create($0)])) }, { .write(.modifyZones([.delete($0)])) },
    ]

    /// What a request failed with, as a whole or in its only item.
    private func failure(_ asker: Asker, _ command: CloudCommand) async throws -> CloudError? {
        do {
            return switch try await asker.ask(command) {
            case .zones(let items): items.first?.error
            case .records(let reply): reply.records.first?.error
            case .subscriptions(let items): items.first?.error
            case .shares(let items): items.first?.error
            case .zoneChanges(let items):
                if case .failure(_, let error)? = items.first { error } else { nil }
            case .zonePage, .recordPage, .recordPages, .assetUploads, .assets, .user, .users,
                .pushToken, .done:
                nil
            }
        } catch let error as CloudError { return error }
    }

    @Test(arguments: Depth.allCases, ["Notes", "_defaultZone"])
    func `another owner is refused in every operation, and nothing is carried out`(
        depth: Depth, zone: String
    ) async throws {
        let world = try World(depth)
        try await world.ada.create("Notes")
        try await world.ada.put("a", zone: zone)
        let theirs = RecordZone.ID(zone, ownerRecordName: try await world.name("bob"))
        for (number, request) in Self.requests.enumerated() {
            let error = try await failure(world.ada, request(theirs))
            switch error?.code {
            case .zoneNotFound: continue
            case .badRequest:
                // A zone is created for oneself only; the default zone has no feed and is not watched.
                #expect(number == 9 || zone == "_defaultZone" && [1, 8].contains(number))
            default: Issue.record("request \(number): \(String(describing: error))")
            }
        }
        #expect(try await world.ada.listedNames() == ["_defaultZone", "Notes"])
        #expect(try await world.ada.exists("a", zone: zone))
        #expect(try await !world.ada.exists("b", zone: zone))
        #expect(try await world.ada.subscriptions().isEmpty)
    }

    @Test(arguments: Depth.allCases)
    func `the caller's own name is accepted in every operation`(depth: Depth) async throws {
        let world = try World(depth)
        let mine = RecordZone.ID("Notes", ownerRecordName: try await world.name("ada"))
        try await world.ada.zones(.create(mine))
        for (number, request) in Self.requests.enumerated() {
            try await world.ada.put("a")
            #expect(try await failure(world.ada, request(mine)) == nil, "request \(number)")
        }
        #expect(try await world.ada.listedNames() == ["_defaultZone"])
    }

    @Test(arguments: Depth.allCases)
    func `what a private database answers is its owner's`(depth: Depth) async throws {
        let world = try World(depth)
        try await world.ada.create("Notes")
        let list = CloudRead.listZones(token: nil)
        let reply = try await world.ada.ask(.read(list))
        try ReplyCheck.check(
            reply, answers: list, in: .private, for: try await world.name("ada"))
        let other = try await world.name("bob")
        let error = #expect(throws: CloudError.self) {
            try ReplyCheck.check(reply, answers: list, in: .private, for: other)
        }
        #expect(error?.code == .unexpectedResponse)
    }
}
