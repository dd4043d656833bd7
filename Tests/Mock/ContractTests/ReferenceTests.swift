import CloudModel
import MockStore
import Testing

@Suite struct ReferenceTests {
    private func world(_ depth: Depth, _ options: MockOptions? = nil) async throws -> World {
        let world = try World(depth, options: options)
        try await world.ada.create("Notes", "Other")
        return world
    }

    @Test(arguments: Depth.allCases)
    func `C-51 a child without its parent is refused`(depth: Depth) async throws {
        let world = try await world(depth)
        let item = try await world.ada.one(.make(.create, "child", parent: "nobody"))
        #expect(item.code == .validatingReferenceError)
        #expect(try await !world.ada.exists("child"))
    }

    @Test(arguments: Depth.allCases)
    func `C-52 an ordinary reference to nothing is accepted`(depth: Depth) async throws {
        let world = try await world(depth)
        try await world.ada.put("a", ["to": .link("nobody"), "gone": .link("nobody", .deleteSelf)])
        #expect(try await world.ada.exists("a"))
    }

    @Test(arguments: Depth.allCases)
    func `C-44 a child may be listed before its parent`(depth: Depth) async throws {
        let world = try await world(depth)
        let reply = try await world.ada.modify([
            .make(.create, "grandchild", parent: "child"),
            .make(.create, "child", parent: "parent"), .make(.create, "parent"),
        ])
        #expect(reply.records.map(\.recordName) == ["grandchild", "child", "parent"])
        #expect(reply.records.map(\.code) == [nil, nil, nil])
    }

    @Test(arguments: Depth.allCases)
    func `parents in a ring are refused, not followed for ever`(depth: Depth) async throws {
        let world = try await world(depth)
        let reply = try await world.ada.modify([
            .make(.create, "a", parent: "b"), .make(.create, "b", parent: "a"),
            .make(.create, "self", parent: "self"),
        ])
        #expect(reply.records.allSatisfy { $0.code != nil })
        #expect(try await world.ada.drain().items == [])
    }

    @Test(arguments: Depth.allCases, ["parents", "owners", "both"])
    func `records of one request that need each other in a ring are refused, and no others`(
        depth: Depth, tie: String
    ) async throws {
        let world = try await world(depth)
        func save(_ name: String, _ target: String, _ isParent: Bool) -> RecordOperation {
            isParent
                ? .make(.forceUpdate, name, parent: target)
                : .make(
                    .forceUpdate, name, ["all": .list(.reference, [.link(target, .deleteSelf)])])
        }
        let ring = [
            save("a", "b", tie != "owners"), save("b", "c", tie == "parents"),
            save("c", "a", tie != "owners"),
        ]
        // A weak reference closes no ring, and what hangs below one is not part of it.
        let others: [RecordOperation] = [
            .make(.create, "x", ["to": .link("y")]),
            .make(.create, "y", ["to": .link("x", .deleteSelf)]),
            .make(.create, "below", ["to": .link("a", .deleteSelf)]),
            .make(.create, "self", ["to": .link("self", .deleteSelf)]),
        ]
        for name in ["new", "known"] {
            let loose = try await world.ada.modify(ring + others, atomic: false)
            #expect(loose.records.prefix(3).map(\.code) == Array(repeating: .badRequest, count: 3))
            #expect(loose.records.dropFirst(3).map(\.code) == [nil, nil, nil, nil], "\(name)")
            let tight = try await world.ada.modify(ring + [.make(.forceUpdate, "z")], atomic: true)
            #expect(
                tight.records.map(\.code) == [.badRequest, .badRequest, .badRequest, .atomicError])
            for name in ["x", "y", "below", "self"] { try await world.ada.one(.forceDelete(name)) }
            for name in ["a", "b", "c"] { try await world.ada.put(name) }
        }
        // One request after the other makes one, which can be deleted.
        for save in ring { #expect(try await world.ada.one(save).code == nil) }
        let gone = try await world.ada.modify(["a", "b", "c"].map { .forceDelete($0) })
        #expect(gone.records.map(\.isDeleted) == [true, true, true])
    }

    @Test(arguments: Depth.allCases)
    func `C-53 a parent with a child cannot be deleted alone`(depth: Depth) async throws {
        let world = try await world(depth)
        try await world.ada.put("parent")
        try await world.ada.put("child", parent: "parent")
        let item = try await world.ada.one(.forceDelete("parent"))
        #expect(item.code == .validatingReferenceError)
        #expect(try await world.ada.exists("parent"))
        #expect(try await world.ada.exists("child"))
    }

    @Test(
        arguments: Depth.allCases, [["parent", "child", "other"], ["other", "child", "parent"]])
    func `C-54 a parent goes with all its children, in any order`(depth: Depth, names: [String])
        async throws
    {
        let world = try await world(depth)
        try await world.ada.put("parent")
        try await world.ada.put("child", parent: "parent")
        try await world.ada.put("other", parent: "parent")
        let reply = try await world.ada.modify(names.map { .forceDelete($0) })
        #expect(reply.records.map(\.isDeleted) == [true, true, true])
        #expect(try await world.ada.drain().items.map(\.isDeleted) == [true, true, true])
    }

    @Test(arguments: Depth.allCases)
    func `C-55 saving a child touches a parent outside the batch, once`(depth: Depth) async throws {
        let world = try await world(depth)
        let parent = try await world.ada.put("parent", ["n": .int64(1)])
        let token = try await world.ada.drain().token
        _ = try await world.ada.modify([
            .make(.create, "a", parent: "parent"), .make(.create, "b", parent: "parent"),
        ])
        let items = try await world.ada.drain(token).items
        #expect(items.map(\.recordName).sorted() == ["a", "b", "parent"])
        let touched = try #require(items.first { $0.recordName == "parent" }?.record)
        #expect(touched.recordChangeTag != parent.recordChangeTag)
        #expect(touched.fields == parent.fields)
        let stale = try await world.ada.one(.make(.update, "parent", tag: parent.recordChangeTag))
        #expect(stale.code == .conflict)
    }

    @Test(arguments: Depth.allCases)
    func `C-56 what refers to a deleted record goes too, down to the last`(depth: Depth)
        async throws
    {
        let world = try await world(depth)
        try await world.ada.put("root")
        for index in 1...5 {
            let above = index == 1 ? "root" : "r\(index - 1)"
            try await world.ada.put("r\(index)", ["up": .link(above, .deleteSelf)])
        }
        try await world.ada.put(
            "list", ["all": .list(.reference, [.link("r5", .deleteSelf), .link("no")])])
        try await world.ada.put("weak", ["up": .link("root")])
        let token = try await world.ada.drain().token
        let reply = try await world.ada.modify([.forceDelete("root")])
        #expect(reply.records == [.deleted(recordName: "root", recordChangeTag: nil)])
        let items = try await world.ada.drain(token).items
        #expect(
            items.map(\.recordName).sorted() == ["list", "r1", "r2", "r3", "r4", "r5", "root"])
        #expect(items.allSatisfy { $0.isDeleted })
        #expect(try await world.ada.exists("weak"))
    }

    @Test(arguments: Depth.allCases)
    func `C-56 a ring of references goes as one`(depth: Depth) async throws {
        let world = try await world(depth)
        try await world.ada.put("a", ["to": .link("b", .deleteSelf)])
        try await world.ada.put("b", ["to": .link("a", .deleteSelf)])
        try await world.ada.one(.forceDelete("a"))
        #expect(try await world.ada.drain().items.map(\.isDeleted) == [true, true])
    }

    @Test(arguments: Depth.allCases)
    func `a changed reference no longer takes its record away`(depth: Depth) async throws {
        let world = try await world(depth)
        try await world.ada.put("a")
        try await world.ada.put("b", ["to": .link("a", .deleteSelf)])
        try await world.ada.put("b", ["to": .link("c", .deleteSelf)])
        try await world.ada.one(.forceDelete("a"))
        #expect(try await world.ada.exists("b"))
    }

    @Test(arguments: Depth.allCases)
    func `C-56 in the default zone referrers go later, one step a request`(depth: Depth)
        async throws
    {
        let world = try await world(depth)
        let zone = "_defaultZone"
        try await world.ada.put("a", zone: zone)
        try await world.ada.put("b", ["to": .link("a", .deleteSelf)], zone: zone)
        try await world.ada.put("c", ["to": .link("b", .deleteSelf)], zone: zone)
        try await world.ada.one(.forceDelete("a"), zone: zone)
        #expect(try await world.ada.exists("b", zone: zone))
        #expect(try await !world.ada.exists("b", zone: zone))
        #expect(try await !world.ada.exists("c", zone: zone))
    }

    @Test(arguments: Depth.allCases)
    func `C-57 one target has at most so many referrers`(depth: Depth) async throws {
        var options = MockOptions()
        options.referrersMax = 3
        let world = try await world(depth, options)
        for index in 0..<3 { try await world.ada.put("r\(index)", ["to": .link("a", .deleteSelf)]) }
        let fourth = RecordOperation.make(.create, "r3", ["to": .link("a", .deleteSelf)])
        #expect(try await world.ada.one(fourth).code == .badRequest)
        // One of the three may be written again, and makes room when it lets go.
        try await world.ada.put("r0", ["to": .link("a", .deleteSelf)])
        try await world.ada.put("r0", ["to": .link("b", .deleteSelf)])
        #expect(try await world.ada.one(fourth).record != nil)
    }

    @Test(arguments: Depth.allCases)
    func `a validated target must exist and cannot be deleted`(depth: Depth) async throws {
        let world = try await world(depth)
        let dangling = RecordOperation.make(.create, "a", ["to": .link("b", .validate)])
        #expect(try await world.ada.one(dangling).code == .validatingReferenceError)
        try await world.ada.put("b")
        #expect(try await world.ada.one(dangling).record != nil)
        let refused = try await world.ada.one(.forceDelete("b"))
        #expect(refused.code == .validatingReferenceError)
        #expect(
            refused.error?.reason
                == "Record delete would violate validating reference, rejecting update")
        let both = try await world.ada.modify([.forceDelete("a"), .forceDelete("b")])
        #expect(both.records.map(\.isDeleted) == [true, true])
    }

    @Test(arguments: Depth.allCases)
    func `validated targets are deleted after their referrers, not before`(depth: Depth)
        async throws
    {
        let world = try await world(depth)
        try await world.ada.put("b")
        try await world.ada.put("a", ["to": .link("b", .validate)])
        let reply = try await world.ada.modify([.forceDelete("b"), .forceDelete("a")])
        #expect(reply.records.map(\.code) == [.validatingReferenceError, .atomicError])
        #expect(try await world.ada.exists("a"))
        #expect(try await world.ada.exists("b"))
    }

    @Test(arguments: Depth.allCases)
    func `a cascade that would break a validated reference is refused whole`(depth: Depth)
        async throws
    {
        let world = try await world(depth)
        try await world.ada.put("root")
        try await world.ada.put("middle", ["up": .link("root", .deleteSelf)])
        try await world.ada.put("holder", ["to": .link("middle", .validate)])
        #expect(try await world.ada.one(.forceDelete("root")).code == .validatingReferenceError)
        #expect(try await world.ada.exists("root"))
        #expect(try await world.ada.exists("middle"))
    }

    @Test(arguments: Depth.allCases)
    func `a reference cannot lead to another zone`(depth: Depth) async throws {
        let world = try await world(depth)
        let there = Record.Reference("a", zoneID: RecordZone.ID("Other"))
        for value in [FieldValue.reference(there), .list(.reference, [.reference(there)])] {
            #expect(try await world.ada.one(.make(.create, "a", ["to": value])).code == .badRequest)
        }
        var child = RecordOperation.make(.create, "b")
        child.parent = there
        #expect(try await world.ada.one(child).code == .badRequest)
        let here = Record.Reference("x", zoneID: RecordZone.ID("Notes"))
        let record = try await world.ada.put("c", ["to": .reference(here)])
        guard case .reference(let stored) = record.fields["to"]?.value else { throw Odd() }
        #expect(stored.zoneID == record.id.zoneID)
    }

    @Test(arguments: Depth.allCases)
    func `zone deletion asks no reference`(depth: Depth) async throws {
        let world = try await world(depth)
        try await world.ada.put("b")
        try await world.ada.put("a", ["to": .link("b", .validate)], parent: "b")
        #expect(try await world.ada.delete(zone: "Notes").isDeleted)
        try await world.ada.create("Notes")
        #expect(try await world.ada.put("b").id.recordName == "b")
        #expect(try await world.ada.one(.forceDelete("b")).isDeleted)
    }
}
