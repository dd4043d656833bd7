import CloudModel
import Testing

/// What several devices of one person do to the same zones, in the order in which it happens to be.
@Suite struct DeviceTests {
    private func world(_ depth: Depth) async throws -> World {
        let world = try World(depth)
        try await world.ada.create("Notes", "Other")
        return world
    }

    @Test(arguments: Depth.allCases)
    func `C-19 zones are reset although some are gone already`(depth: Depth) async throws {
        let world = try await world(depth)
        try await world.ada.put("a")
        let names = ["Gone", "Notes", "Never", "Other"]
        guard
            case .zones(let items) = try await world.ada.ask(
                .write(.modifyZones(names.map { .delete(RecordZone.ID($0)) })))
        else { throw Odd() }
        #expect(items.map(\.code) == [.zoneNotFound, nil, .zoneNotFound, nil])
        try await world.ada.create("Notes", "Other")
        #expect(try await world.ada.drain().items == [])
    }

    @Test(arguments: Depth.allCases)
    func `C-43 a batch for a custom zone is atomic unless it says otherwise`(depth: Depth)
        async throws
    {
        let world = try await world(depth)
        try await world.ada.put("there")
        let operations: [RecordOperation] = [.make(.create, "there"), .make(.create, "new")]
        let plain = RecordModifyRequest(
            operations: operations, zoneID: RecordZone.ID("Notes"))
        guard
            case .records(let reply) = try await world.ada.ask(.write(.modifyRecords(plain)))
        else { throw Odd() }
        #expect(reply.records.map(\.code) == [.conflict, .atomicError])
        #expect(try await !world.ada.exists("new"))
        #expect(
            try await world.ada.modify(operations, atomic: false).records.map(\.code)[1] == nil)
        #expect(try await world.ada.exists("new"))
    }

    @Test(arguments: Depth.allCases)
    func `C-58 a child whose parent another device has deleted is refused`(depth: Depth)
        async throws
    {
        let world = try await world(depth)
        try await world.ada.put("parent")
        try await world.ada.put("other")
        let child = try await world.ada.put("child", parent: "other")
        try await world.ada.one(.forceDelete("parent"))
        let new = try await world.ada.one(.make(.create, "second", parent: "parent"))
        let moved = try await world.ada.one(
            .make(.update, "child", tag: child.recordChangeTag, parent: "parent"))
        #expect(new.code == .validatingReferenceError && moved.code == .validatingReferenceError)
        let left = try #require(await world.ada.lookUp("child").first?.record)
        #expect(left.parent?.recordName == "other")
    }

    @Test(arguments: Depth.allCases)
    func `C-59 a feed may tell of a child before its parent`(depth: Depth) async throws {
        let world = try await world(depth)
        try await world.ada.put("parent")
        try await world.ada.put("child", parent: "parent")
        let names = try await world.ada.drain().items.map(\.recordName)
        #expect(names == ["child", "parent"])
    }

    @Test(arguments: Depth.allCases, [false, true])
    func `C-60 a move to another zone ends the same in either order`(
        depth: Depth, deletesFirst: Bool
    ) async throws {
        let world = try await world(depth)
        try await world.ada.put("a", ["n": .int64(1)])
        if deletesFirst { try await world.ada.one(.forceDelete("a")) }
        try await world.ada.put("a", ["n": .int64(1)], zone: "Other")
        if !deletesFirst { try await world.ada.one(.forceDelete("a")) }
        let (old, new) = (
            try await world.ada.drain().items, try await world.ada.drain(zone: "Other").items
        )
        #expect(old.map(\.recordName) == ["a"] && old.allSatisfy(\.isDeleted))
        #expect(new.map(\.recordName) == ["a"] && new.allSatisfy { $0.record != nil })
    }
}
