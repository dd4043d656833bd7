import CloudModel
import MockStore
import Testing

/// What participants of a shared hierarchy see, may do, and are told.
@Suite struct HierarchyTests {
    private static let all = Depth.allCases

    /// Ada shares `a` and what is below with Bob; `x` is hers.
    private func scene(
        _ depth: Depth, _ permission: Share.Permission = .readWrite
    ) async throws -> SharingScene {
        let scene = try await SharingScene(
            depth, ["x": nil, "a": nil, "b": "a", "c": "b", "y": "x"])
        try await scene.share("a", as: "s", with: ["bob": permission])
        return scene
    }

    private func told(_ items: [Record.Item]) -> [String] {
        items.map { ($0.isDeleted ? "-" : "+") + $0.recordName }.sorted()
    }

    @Test(arguments: all)
    func `a participant sees the hierarchy and its share, and nothing else of the zone`(
        depth: Depth
    ) async throws {
        let scene = try await scene(depth)
        #expect(try await scene.bob.names(in: scene.zone) == ["a", "b", "c"])
        for name in ["x", "y"] {
            #expect(try await scene.bob.lookUp(name, in: scene.zone).code == .notFound)
        }
        let feed = try await scene.bob.drain(in: scene.zone)
        #expect(told(feed.items) == ["+a", "+b", "+c", "+s"])
        let root = try await scene.bob.record("a", in: scene.zone)
        #expect(root.share?.recordName == "s" && root.id.zoneID == scene.zone)
        // What is written elsewhere in the zone is no news.
        let zones = try await scene.bob.databaseChanges(nil).token
        try await scene.ada.put("z", zone: "Trip", parent: "x")
        #expect(try await scene.bob.databaseChanges(zones).zones.isEmpty)
        #expect(try await scene.bob.drain(feed.token, in: scene.zone).items.isEmpty)
        try await scene.ada.put("d", zone: "Trip", parent: "c")
        #expect(try await scene.bob.databaseChanges(zones).zones.map(\.id) == [scene.zone])
        // The parent changes with its child.
        let news = try await scene.bob.drain(feed.token, in: scene.zone).items
        #expect(told(news) == ["+c", "+d"])
        let sorted = RecordQueryRequest(
            query: Query(recordType: "Note", sorts: [.init(.system(.recordName), ascending: true)]),
            zoneID: scene.zone, limit: 2)
        guard case .recordPage(let page) = try await scene.bob.ask(.read(.queryRecords(sorted)))
        else { throw Odd() }
        #expect(Set(page.records.map(\.recordName)).isSubset(of: ["a", "b", "c", "d"]))
        #expect(page.records.count <= 2)
        #expect(!page.records.isEmpty || page.continuationMarker != nil)
    }

    @Test(arguments: all)
    func `A-96 and A-51 a new record needs a parent that the participant sees`(
        depth: Depth
    ) async throws {
        let scene = try await scene(depth)
        let orphan = try await scene.bob.one(.make(.create, "n"), in: scene.zone)
        #expect(orphan.code == .accessDenied)
        for parent in ["x", "nobody"] {
            let item = try await scene.bob.one(
                .make(.create, "n", parent: parent), in: scene.zone)
            #expect(item.code == .validatingReferenceError)
        }
        let made = try await scene.bob.modify(
            [.make(.create, "m", parent: "n"), .make(.create, "n", parent: "c")], in: scene.zone)
        #expect(made.records.allSatisfy { $0.record != nil })
        let record = try await scene.ada.record("m", in: scene.own)
        #expect(try await record.created.userRecordName == scene.world.name("bob"))
        #expect(record.modified.userRecordName == record.created.userRecordName)
    }

    @Test(arguments: all)
    func `a record that a participant does not see cannot be written over or taken over`(
        depth: Depth
    ) async throws {
        let scene = try await scene(depth)
        let tag = try await scene.ada.record("x", in: scene.own).recordChangeTag
        let attempts: [(RecordOperation, CloudError.Code?)] = [
            (.make(.create, "x", parent: "a"), .accessDenied),
            (.make(.forceUpdate, "x", parent: "a"), .accessDenied),
            (.make(.forceReplace, "x", parent: "a"), .accessDenied),
            (.make(.update, "x", tag: tag), .notFound), (.delete("x", tag: tag), .notFound),
            // As one that is not there.
            (.forceDelete("x"), nil),
        ]
        for (operation, code) in attempts {
            #expect(try await scene.bob.one(operation, in: scene.zone).code == code)
        }
        #expect(try await scene.ada.record("x", in: scene.own).recordChangeTag == tag)
        // Nor can a record be taken out of the hierarchy.
        let moved = RecordOperation(
            .forceReplace, recordName: "c", recordType: "Note")
        #expect(try await scene.bob.one(moved, in: scene.zone).code == .accessDenied)
    }

    @Test(arguments: all)
    func `A-97 who may read only writes nothing, until the server says otherwise`(
        depth: Depth
    ) async throws {
        let scene = try await scene(depth, .readOnly)
        let tag = try await scene.bob.record("c", in: scene.zone).recordChangeTag
        for operation in [
            RecordOperation.make(.create, "n", parent: "a"), .make(.forceUpdate, "c"),
            .make(.update, "c", tag: tag), .delete("c", tag: tag), .forceDelete("c"),
        ] {
            #expect(try await scene.bob.one(operation, in: scene.zone).code == .accessDenied)
        }
        let token = try await scene.bob.drain(in: scene.zone).token
        let share = try await scene.ada.record("s", in: scene.own)
        var people = try #require(share.sharing?.participants)
        people[1].permission = .readWrite
        try await scene.ada.saveShare(
            "s", .update, Share.Change(participants: people), tag: share.recordChangeTag,
            in: scene.own)
        // Participants are told by the share record.
        let news = try await scene.bob.drain(token, in: scene.zone).items
        #expect(news.map(\.recordName) == ["s"])
        #expect(news.first?.record?.sharing?.currentUser?.permission == .readWrite)
        #expect(try await scene.bob.one(.delete("c", tag: tag), in: scene.zone).isDeleted)
    }

    @Test(arguments: all)
    func `what moves into a hierarchy or out of it comes and goes with all that is below`(
        depth: Depth
    ) async throws {
        let scene = try await scene(depth)
        var token = try await scene.bob.drain(in: scene.zone).token
        func news() async throws -> [String] {
            let feed = try await scene.bob.drain(token, in: scene.zone, limit: 2)
            token = feed.token
            return told(feed.items)
        }
        try await scene.ada.put("b", zone: "Trip", parent: "x")
        #expect(try await news() == ["-b", "-c"])
        #expect(try await scene.bob.names(in: scene.zone) == ["a"])
        try await scene.ada.put("c", ["n": .int64(1)], zone: "Trip")
        #expect(try await news() == [])
        try await scene.ada.put("x", zone: "Trip", parent: "a")
        #expect(try await news() == ["+a", "+b", "+c", "+x", "+y"])
        try await scene.ada.modify([.forceDelete("c")], in: scene.own)
        #expect(try await news() == ["-c"])
        // To one who comes now nothing is told of what has left.
        #expect(
            told(try await scene.bob.drain(in: scene.zone).items)
                == ["+a", "+b", "+s", "+x", "+y"])
    }

    @Test(arguments: [Depth.inProcess, .wire])
    func `more than N records cannot join a hierarchy or leave it at once`(
        depth: Depth
    ) async throws {
        var options = MockOptions()
        options.hierarchyMovesMax = 2
        let scene = try await SharingScene(
            depth, ["a": nil, "w": nil, "x": "w", "y": "x", "z": "y"], options: options)
        try await scene.share("a", as: "s", with: ["bob": .readWrite])
        let whole = try await scene.ada.one(
            .make(.forceUpdate, "w", parent: "a"), in: scene.own)
        #expect(whole.code == .badRequest)
        #expect(whole.error?.reason.contains("more than 2 records") == true)
        #expect(try await scene.bob.names(in: scene.zone) == ["a"])
        try await scene.ada.put("y", zone: "Trip", parent: "a")
        #expect(try await scene.bob.names(in: scene.zone) == ["a", "y", "z"])
    }

    @Test(arguments: all)
    func `a record cannot be below itself in a hierarchy`(depth: Depth) async throws {
        let scene = try await scene(depth)
        let looped = try await scene.ada.one(
            .make(.forceUpdate, "b", parent: "c"), in: scene.own)
        #expect(looped.code == .badRequest)
        #expect(try await scene.bob.names(in: scene.zone) == ["a", "b", "c"])
    }

    @Test(arguments: all)
    func `several hierarchies of one owner's zone are one zone, whose feed goes on`(
        depth: Depth
    ) async throws {
        let scene = try await scene(depth)
        let token = try await scene.bob.drain(in: scene.zone).token
        let zones = try await scene.bob.databaseChanges(nil).token
        try await scene.share("x", as: "t", with: ["bob": .readOnly])
        #expect(try await scene.bob.list().zones.map(\.id) == [scene.zone])
        #expect(try await scene.bob.databaseChanges(zones).zones.map(\.id) == [scene.zone])
        let joined = try await scene.bob.drain(token, in: scene.zone, limit: 1)
        #expect(told(joined.items) == ["+t", "+x", "+y"])
        // Each share allows what it allows.
        #expect(
            try await scene.bob.one(.make(.forceUpdate, "y"), in: scene.zone).code
                == .accessDenied)
        #expect(try await scene.bob.one(.make(.forceUpdate, "c"), in: scene.zone).record != nil)
        let moved = RecordOperation.make(.forceUpdate, "c", parent: "x")
        #expect(try await scene.bob.one(moved, in: scene.zone).code == .accessDenied)
        let both = try await scene.bob.drain(joined.token, in: scene.zone).token
        // Moved by the owner from one to the other, it is told once, and is still there.
        try await scene.ada.put("c", zone: "Trip", parent: "y")
        #expect(told(try await scene.bob.drain(both, in: scene.zone).items) == ["+c", "+y"])
        let last = try await scene.bob.drain(both, in: scene.zone).token
        try await scene.ada.one(.forceDelete("s"), in: scene.own)
        #expect(
            told(try await scene.bob.drain(last, in: scene.zone).items) == ["-a", "-b", "-s"])
        #expect(try await scene.bob.names(in: scene.zone) == ["c", "x", "y"])
        try await scene.bob.one(.forceDelete("t"), in: scene.zone)
        #expect(try await scene.bob.databaseChanges(zones).zones == [.deleted(scene.zone)])
    }

    @Test(arguments: all)
    func `A-106 the share comes before the record it covers`(depth: Depth) async throws {
        let scene = try await SharingScene(depth, ["a": nil])
        try await scene.ada.saveShare(
            "s", Share.Change(root: try await scene.root("a")), in: scene.own)
        let names = try await scene.ada.drain(in: scene.own).items.map(\.recordName)
        let share = try #require(names.firstIndex(of: "s"))
        let root = try #require(names.firstIndex(of: "a"))
        #expect(share < root)
        #expect(Set(names).count == names.count)
    }

    @Test(arguments: all)
    func `the share of a root is gone for good with its zone`(depth: Depth) async throws {
        let scene = try await scene(depth)
        let share = try await scene.ada.record("s", in: scene.own)
        let token = try await scene.bob.databaseChanges(nil).token
        try await scene.ada.delete(zone: "Trip")
        #expect(try await scene.bob.databaseChanges(token).zones == [.deleted(scene.zone)])
        #expect(
            try await scene.lobby("bob").resolve(share.shortGUID ?? "").error?.code == .notFound)
        try await scene.ada.create("Trip")
        #expect(try await scene.bob.list().zones.isEmpty)
    }

    @Test(arguments: all)
    func `a participant's deletion takes nothing with it that is not theirs to delete`(
        depth: Depth
    ) async throws {
        let scene = try await scene(depth)
        try await scene.ada.put("w", ["to": .link("c", .deleteSelf)], zone: "Trip")
        #expect(try await scene.bob.one(.forceDelete("c"), in: scene.zone).code == .accessDenied)
        #expect(try await scene.ada.exists("w", zone: "Trip"))
        try await scene.ada.one(.forceDelete("w"), in: scene.own)
        let both = try await scene.bob.modify(
            [.forceDelete("b"), .forceDelete("c")], in: scene.zone, atomic: true)
        #expect(both.records.allSatisfy { $0.isDeleted })
    }

    @Test(arguments: all)
    func `a participant cannot hang a shared root elsewhere`(depth: Depth) async throws {
        let scene = try await scene(depth)
        try await scene.share("x", as: "t", with: ["bob": .readOnly])
        let tag = try await scene.bob.record("a", in: scene.zone).recordChangeTag
        let moved = RecordOperation.make(.update, "a", tag: tag, parent: "y")
        #expect(try await scene.bob.one(moved, in: scene.zone).code == .accessDenied)
        let kept = RecordOperation.make(.update, "a", ["n": .int64(1)], tag: tag)
        #expect(try await scene.bob.one(kept, in: scene.zone).record != nil)
    }

    @Test(arguments: all)
    func `assets of records that a participant does not see cannot be referred to`(
        depth: Depth
    ) async throws {
        let scene = try await scene(depth)
        let fields = [AssetField("x", "file"), AssetField("nobody", "file")]
        let request = AssetRereferenceRequest(fields, zoneID: scene.zone)
        guard
            case .assets(let items) = try await scene.bob.ask(.write(.rereferenceAssets(request)))
        else { throw Odd() }
        let reasons = items.map { item -> String? in
            if case .failure(_, let error) = item { error.reason } else { nil }
        }
        #expect(reasons[0] != nil && reasons[0] == reasons[1])
    }

    @Test(arguments: all)
    func `who may not even read gets no root from a short GUID`(depth: Depth) async throws {
        let scene = try await SharingScene(depth, ["a": nil])
        let share = try await scene.share("a", as: "s", with: ["bob": .readOnly])
        let guid = try #require(share.shortGUID)
        #expect(try await scene.lobby("bob").resolve(guid).metadata?.rootRecord != nil)
        let now = try await scene.ada.record("s", in: scene.own)
        var people = try #require(now.sharing?.participants)
        people[1].permission = .none
        try await scene.ada.saveShare(
            "s", .update, Share.Change(participants: people), tag: now.recordChangeTag,
            in: scene.own)
        #expect(try await scene.lobby("bob").resolve(guid).metadata?.rootRecord == nil)
        #expect(try await scene.bob.list().zones.isEmpty)
    }
}
