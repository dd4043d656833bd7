import CloudModel
import MockServer
import Testing

@Suite struct ReferenceTests {
    private func world(_ options: MockOptions = MockOptions()) throws -> World {
        let world = try World(options: options)
        try world.ada.create("Notes", "Other")
        return world
    }

    @Test func `A-51 a child without its parent is refused`() throws {
        let world = try world()
        let item = try world.ada.one(.make(.create, "child", parent: "nobody"))
        #expect(item.code == .validatingReferenceError)
        #expect(try !world.ada.exists("child"))
    }

    @Test func `A-52 an ordinary reference to nothing is accepted`() throws {
        let world = try world()
        try world.ada.put("a", ["to": .link("nobody"), "gone": .link("nobody", .deleteSelf)])
        #expect(try world.ada.exists("a"))
    }

    @Test func `A-44 a child may be listed before its parent`() throws {
        let world = try world()
        let reply = try world.ada.modify([
            .make(.create, "grandchild", parent: "child"),
            .make(.create, "child", parent: "parent"), .make(.create, "parent"),
        ])
        #expect(reply.records.map(\.recordName) == ["grandchild", "child", "parent"])
        #expect(reply.records.map(\.code) == [nil, nil, nil])
    }

    @Test func `parents in a ring are refused, not followed for ever`() throws {
        let world = try world()
        let reply = try world.ada.modify([
            .make(.create, "a", parent: "b"), .make(.create, "b", parent: "a"),
            .make(.create, "self", parent: "self"),
        ])
        #expect(reply.failedAtomically)
        #expect(try world.ada.drain().items == [])
    }

    @Test func `A-53 a parent with a child cannot be deleted alone`() throws {
        let world = try world()
        try world.ada.put("parent")
        try world.ada.put("child", parent: "parent")
        let item = try world.ada.one(.forceDelete("parent"))
        #expect(item.code == .validatingReferenceError)
        #expect(try world.ada.exists("parent") && world.ada.exists("child"))
    }

    @Test(arguments: [["parent", "child", "other"], ["other", "child", "parent"]])
    func `A-54 a parent goes with all its children, in any order`(names: [String]) throws {
        let world = try world()
        try world.ada.put("parent")
        try world.ada.put("child", parent: "parent")
        try world.ada.put("other", parent: "parent")
        let reply = try world.ada.modify(names.map { .forceDelete($0) })
        #expect(reply.records.map(\.isDeleted) == [true, true, true])
        #expect(try world.ada.drain().items.map(\.isDeleted) == [true, true, true])
    }

    @Test func `A-55 saving a child touches a parent outside the batch, once`() throws {
        let world = try world()
        let parent = try world.ada.put("parent", ["n": .int64(1)])
        let token = try world.ada.drain().token
        _ = try world.ada.modify([
            .make(.create, "a", parent: "parent"), .make(.create, "b", parent: "parent"),
        ])
        let items = try world.ada.drain(token).items
        #expect(items.map(\.recordName).sorted() == ["a", "b", "parent"])
        let touched = try #require(items.first { $0.recordName == "parent" }?.record)
        #expect(touched.recordChangeTag != parent.recordChangeTag)
        #expect(touched.fields == parent.fields)
        let stale = try world.ada.one(.make(.update, "parent", tag: parent.recordChangeTag))
        #expect(stale.code == .conflict)
    }

    @Test func `A-56 what refers to a deleted record goes too, down to the last`() throws {
        let world = try world()
        try world.ada.put("root")
        for index in 1...5 {
            let above = index == 1 ? "root" : "r\(index - 1)"
            try world.ada.put("r\(index)", ["up": .link(above, .deleteSelf)])
        }
        try world.ada.put(
            "list", ["all": .list(.reference, [.link("r5", .deleteSelf), .link("no")])])
        try world.ada.put("weak", ["up": .link("root")])
        let token = try world.ada.drain().token
        let reply = try world.ada.modify([.forceDelete("root")])
        #expect(reply.records == [.deleted(recordName: "root", recordChangeTag: nil)])
        let items = try world.ada.drain(token).items
        #expect(
            items.map(\.recordName).sorted() == ["list", "r1", "r2", "r3", "r4", "r5", "root"])
        #expect(items.allSatisfy { $0.isDeleted })
        #expect(try world.ada.exists("weak"))
    }

    @Test func `A-56 a ring of references goes as one`() throws {
        let world = try world()
        try world.ada.put("a", ["to": .link("b", .deleteSelf)])
        try world.ada.put("b", ["to": .link("a", .deleteSelf)])
        try world.ada.one(.forceDelete("a"))
        #expect(try world.ada.drain().items.map(\.isDeleted) == [true, true])
    }

    @Test func `a changed reference no longer takes its record away`() throws {
        let world = try world()
        try world.ada.put("a")
        try world.ada.put("b", ["to": .link("a", .deleteSelf)])
        try world.ada.put("b", ["to": .link("c", .deleteSelf)])
        try world.ada.one(.forceDelete("a"))
        #expect(try world.ada.exists("b"))
    }

    @Test func `A-56 in the default zone referrers go later, one step a request`() throws {
        let world = try world()
        let zone = "_defaultZone"
        try world.ada.put("a", zone: zone)
        try world.ada.put("b", ["to": .link("a", .deleteSelf)], zone: zone)
        try world.ada.put("c", ["to": .link("b", .deleteSelf)], zone: zone)
        try world.ada.one(.forceDelete("a"), zone: zone)
        #expect(try world.ada.exists("b", zone: zone))
        #expect(try !world.ada.exists("b", zone: zone))
        #expect(try !world.ada.exists("c", zone: zone))
    }

    @Test func `cascades of the default zone can be finished at once, or not be delayed`() throws {
        let world = try world()
        let zone = "_defaultZone"
        for delays in [true, false] {
            try world.set { $0.delaysDefaultZoneCascade = delays }
            try world.ada.put("a", zone: zone)
            try world.ada.put("b", ["to": .link("a", .deleteSelf)], zone: zone)
            try world.ada.put("c", ["to": .link("b", .deleteSelf)], zone: zone)
            try world.ada.one(.forceDelete("a"), zone: zone)
            if delays { try world.cloud.withStore { try $0.finishCascades() } }
            #expect(try !world.ada.exists("c", zone: zone), "\(delays)")
        }
    }

    @Test func `A-57 one target has at most so many referrers`() throws {
        var options = MockOptions()
        options.referrersMax = 3
        let world = try world(options)
        for index in 0..<3 { try world.ada.put("r\(index)", ["to": .link("a", .deleteSelf)]) }
        let fourth = RecordOperation.make(.create, "r3", ["to": .link("a", .deleteSelf)])
        #expect(try world.ada.one(fourth).code == .badRequest)
        // One of the three may be written again, and makes room when it lets go.
        try world.ada.put("r0", ["to": .link("a", .deleteSelf)])
        try world.ada.put("r0", ["to": .link("b", .deleteSelf)])
        #expect(try world.ada.one(fourth).record != nil)
    }

    @Test func `a validated target must exist and cannot be deleted`() throws {
        let world = try world()
        let dangling = RecordOperation.make(.create, "a", ["to": .link("b", .validate)])
        #expect(try world.ada.one(dangling).code == .validatingReferenceError)
        try world.ada.put("b")
        #expect(try world.ada.one(dangling).record != nil)
        let refused = try world.ada.one(.forceDelete("b"))
        #expect(refused.code == .validatingReferenceError)
        #expect(
            refused.error?.reason
                == "Record delete would violate validating reference, rejecting update")
        let both = try world.ada.modify([.forceDelete("a"), .forceDelete("b")])
        #expect(both.records.map(\.isDeleted) == [true, true])
    }

    @Test func `validated targets are deleted after their referrers, not before`() throws {
        let world = try world()
        try world.ada.put("b")
        try world.ada.put("a", ["to": .link("b", .validate)])
        let reply = try world.ada.modify([.forceDelete("b"), .forceDelete("a")])
        #expect(reply.records.map(\.code) == [.validatingReferenceError, .atomicError])
        #expect(try world.ada.exists("a") && world.ada.exists("b"))
    }

    @Test func `a cascade that would break a validated reference is refused whole`() throws {
        let world = try world()
        try world.ada.put("root")
        try world.ada.put("middle", ["up": .link("root", .deleteSelf)])
        try world.ada.put("holder", ["to": .link("middle", .validate)])
        #expect(try world.ada.one(.forceDelete("root")).code == .validatingReferenceError)
        #expect(try world.ada.exists("root") && world.ada.exists("middle"))
    }

    @Test func `a reference cannot lead to another zone`() throws {
        let world = try world()
        let there = Record.Reference("a", zoneID: RecordZone.ID("Other"))
        for value in [FieldValue.reference(there), .list(.reference, [.reference(there)])] {
            #expect(try world.ada.one(.make(.create, "a", ["to": value])).code == .badRequest)
        }
        var child = RecordOperation.make(.create, "b")
        child.parent = there
        #expect(try world.ada.one(child).code == .badRequest)
        let here = Record.Reference("x", zoneID: RecordZone.ID("Notes"))
        let record = try world.ada.put("c", ["to": .reference(here)])
        guard case .reference(let stored) = record.fields["to"]?.value else { throw Odd() }
        #expect(stored.zoneID == record.id.zoneID)
    }

    @Test func `zone deletion asks no reference`() throws {
        let world = try world()
        try world.ada.put("b")
        try world.ada.put("a", ["to": .link("b", .validate)], parent: "b")
        #expect(try world.ada.delete(zone: "Notes").isDeleted)
        try world.ada.create("Notes")
        #expect(try world.ada.put("b").id.recordName == "b")
        #expect(try world.ada.one(.forceDelete("b")).isDeleted)
    }
}
