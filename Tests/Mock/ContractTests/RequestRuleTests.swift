import CloudModel
import MockStore
import Testing

/// What requests may leave out, and how they are refused: rules that clients of other hands rely on.
@Suite struct RequestRuleTests {
    private func world(_ depth: Depth) async throws -> World {
        let world = try World(depth)
        try await world.ada.create("Notes")
        return world
    }

    @Test(arguments: Depth.allCases)
    func `a query of the default zone goes on when its second page names the zone`(
        depth: Depth
    ) async throws {
        let world = try World(depth)
        for name in ["a", "b", "c"] { try await world.ada.put(name, zone: "_defaultZone") }
        let first = try await world.ada.query(Query(recordType: "Note"), zone: nil, limit: 2)
        let marker = try #require(first.continuationMarker)
        let second = try await world.ada.query(
            Query(recordType: "Note"), zone: "_defaultZone", limit: 2, marker: marker)
        #expect((first.records + second.records).map(\.recordName) == ["a", "b", "c"])
    }

    @Test(arguments: Depth.allCases)
    func `a marker is good for no other zone`(depth: Depth) async throws {
        let world = try await world(depth)
        for name in ["a", "b"] { try await world.ada.put(name, zone: "_defaultZone") }
        try await world.ada.put("c")
        let page = try await world.ada.query(Query(recordType: "Note"), zone: nil, limit: 1)
        let request = RecordQueryRequest(
            query: Query(recordType: "Note"), zoneID: RecordZone.ID("Notes"), limit: 1,
            continuationMarker: page.continuationMarker)
        #expect(await world.ada.code(.read(.queryRecords(request))) == .badRequest)
    }

    @Test(arguments: Depth.allCases, [nil, true])
    func `one operation that fails in a custom zone has its own error`(
        depth: Depth, atomic: Bool?
    ) async throws {
        let world = try await world(depth)
        try await world.ada.put("a")
        let reply = try await world.ada.modify([.make(.create, "a")], atomic: atomic)
        #expect(reply.records.map(\.code) == [.conflict])
        #expect(!reply.failedAtomically)
    }

    @Test(arguments: Depth.allCases)
    func `C-38 a batch can be made to fail as a whole request`(depth: Depth) async throws {
        var options = MockOptions()
        options.atomicFailure = .request
        let world = try World(depth, options: options)
        try await world.ada.create("Notes")
        try await world.ada.put("a")
        let reply = try await world.ada.modify([.make(.create, "a"), .make(.create, "b")])
        #expect(reply.failedAtomically)
        #expect(reply.records.map(\.code) == [.conflict, .atomicError])
        // One operation is no batch.
        #expect(try await !world.ada.modify([.make(.create, "a")]).failedAtomically)
    }

    @Test(arguments: Depth.allCases, [Database.Scope.private, .public])
    func `C-15 nobody may ask the default zone for an atomic batch`(
        depth: Depth, scope: Database.Scope
    ) async throws {
        let world = try World(depth)
        let ada = world.database(scope)
        let zone = RecordZone.ID("_defaultZone")
        let asking = RecordModifyRequest(
            operations: [.make(.create, "a")], zoneID: zone, atomic: true)
        let refusal = await ada.refusal(.write(.modifyRecords(asking)))
        #expect(refusal?.code == .badRequest)
        #expect(refusal?.reason == "atomic operations not supported in default zone")
        for atomic in [nil, false] {
            let name = "a\(atomic == nil)"
            let item = try await ada.modify(
                [.make(.create, name)], zone: "_defaultZone", atomic: atomic
            ).records.first
            #expect(item?.record != nil)
        }
    }

    @Test(arguments: Depth.allCases)
    func `an encrypted field comes back under the type it was written with`(
        depth: Depth
    ) async throws {
        let world = try await world(depth)
        let fields = [
            "byType": Field(.bytes([1, 2]), isEncryptedByType: true),
            "byFlag": Field(.bytes([3]), isEncrypted: true),
            "text": Field(.string("x"), isEncryptedByType: true), "plain": Field(.bytes([4])),
        ]
        try await world.ada.one(
            RecordOperation(.create, recordName: "a", recordType: "Note", fields: fields))
        #expect(try await world.ada.lookUp("a").first?.record?.fields == fields)
        let feed = try await world.ada.drain().items
        #expect(feed.first?.record?.fields == fields)
    }

    @Test(arguments: Depth.allCases)
    func `each record of a lookup may ask for fields of its own`(depth: Depth) async throws {
        let world = try await world(depth)
        let fields: [String: FieldValue] = ["n": .int64(1), "m": .int64(2)]
        for name in ["a", "b", "c"] { try await world.ada.put(name, fields) }
        let request = RecordLookupRequest(
            recordNames: ["a", "b", "c"], zoneID: RecordZone.ID("Notes"), desiredKeys: ["n"],
            ownDesiredKeys: [1: ["m"], 2: []])
        guard case .records(let reply) = try await world.ada.ask(.read(.lookUpRecords(request)))
        else { throw Odd() }
        #expect(reply.records.map { $0.record?.fields.keys.sorted() } == [["n"], ["m"], []])
    }

    @Test(arguments: Depth.allCases)
    func `the user record of another user can be read and not written`(
        depth: Depth
    ) async throws {
        let world = try World(depth)
        let (ada, bob) = (world.database(.public), world.database(.public, .user("bob")))
        let name = try await bob.me().userRecordName
        let read = try await ada.lookUp(name, zone: "_defaultZone").first
        #expect(read?.record?.recordType == "Users")
        let kinds: [RecordOperation.Kind] = [.create, .forceUpdate, .forceReplace]
        for kind in kinds {
            let item = try await ada.one(
                .make(kind, name, ["n": .int64(1)], type: "Users"), zone: "_defaultZone")
            #expect(item.code == .accessDenied)
        }
        let deleted = try await ada.one(.forceDelete(name), zone: "_defaultZone")
        #expect(deleted.code == .accessDenied)
    }
}
