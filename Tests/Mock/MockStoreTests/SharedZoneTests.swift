import Basics
import CloudModel
import InProcessMock
import MockStore
import Testing

/// A guest's part of a zone: what it may tell of the rest, and what it costs.
@Suite struct SharedZoneTests {
    /// A zone of Ada's, of which Bob may see what is below some roots.
    private struct Scene {
        let world: World
        /// The zone as Bob names it.
        let zone: RecordZone.ID
        var bob: Asker { world.database(.shared, .user("bob")) }
        var lobby: Asker { world.database(.public, .user("bob")) }

        init(_ roots: String..., options: MockOptions = MockOptions()) throws {
            world = try World(options: options)
            zone = RecordZone.ID("Notes", ownerRecordName: try world.name("ada"))
            try world.ada.create("Notes")
            for root in roots { try world.ada.put(root) }
        }

        /// Shares what is below a root.
        @discardableResult
        func share(_ root: String, accepts: Bool = true) throws -> String {
            let tag = try #require(world.ada.lookUp(root).first?.record).recordChangeTag
            var operation = RecordOperation(
                .create, recordName: "s-" + root, recordType: Share.recordType)
            let bob = ShareParticipant(
                identity: UserIdentity(userRecordName: try world.name("bob")))
            operation.share = Share.Change(
                root: .init(root, recordChangeTag: tag), participants: [bob])
            let guid = try #require(world.ada.one(operation).record?.shortGUID)
            if accepts { try accept(guid) }
            return guid
        }

        func accept(_ guids: String...) throws {
            let reply = try lobby.ask(.write(.acceptShares(guids.map { ShareLookup($0) })))
            guard case .shares(let items) = reply else { throw Odd() }
            for item in items { if case .failure(_, let error) = item { throw error } }
        }

        /// A page of what Bob's device has not been told.
        func feed(_ token: ChangeToken? = nil) throws -> ZoneChangesPage {
            let request = ZoneChangesRequest(zoneID: zone, token: token)
            guard case .zoneChanges(let items) = try bob.ask(.read(.zoneChanges([request])))
            else { throw Odd() }
            switch try #require(items.first) {
            case .page(let page): return page
            case .failure(_, let error): throw error
            }
        }
    }

    @Test func `a marker of a sorted query tells nothing of records that are hidden`() throws {
        let scene = try Scene("a")
        try scene.share("a")
        try scene.world.ada.put("b", ["title": .string("1 shown")], parent: "a")
        try scene.world.ada.put("c", ["title": .string("2 hidden")])
        try scene.world.ada.put("d", ["title": .string("3 shown")], parent: "a")
        var request = RecordQueryRequest(
            query: Query(recordType: "Note", sorts: [Query.Sort(.field("title"))]),
            zoneID: scene.zone, limit: 1)
        var names: [String] = []
        repeat {
            guard case .recordPage(let page) = try scene.bob.ask(.read(.queryRecords(request)))
            else { throw Odd() }
            names += page.records.map(\.recordName)
            request.continuationMarker = page.continuationMarker
            guard let marker = page.continuationMarker else { continue }
            let bytes = try #require(Base64.decode(marker))
            #expect(bytes.firstRange(of: Array("hidden".utf8)) == nil)
        } while request.continuationMarker != nil
        #expect(names == ["b", "d", "a"])
    }

    @Test func `a record that is seeded below a shared root is the guest's too`() throws {
        let scene = try Scene("a")
        try scene.share("a")
        let (zones, records) = (try scene.bob.databaseChanges(nil).token, try scene.feed().token)
        try scene.world.cloud.withStore { store in
            try store.seed(zones: ["Notes"], at: World.address(), user: "ada") { _ in
                [
                    SeedRecord("b", type: "Note", parent: Record.Reference("a")),
                    SeedRecord("c", type: "Note"),
                    SeedRecord("a", type: "Note", fields: ["n": .int64(1)]),
                ]
            }
        }
        #expect(try scene.bob.databaseChanges(zones).zones.map(\.id) == [scene.zone])
        #expect(try scene.feed(records).records.map(\.recordName) == ["b", "a"])
        #expect(try scene.world.ada.lookUp("a").first?.record?.share?.recordName == "s-a")
        #expect(throws: MockStoreError.self) {
            try scene.world.cloud.withStore { store in
                try store.seed(zones: ["Notes"], at: World.address(), user: "ada") { _ in
                    [SeedRecord("s-a", type: "Note")]
                }
            }
        }
    }

    @Test(arguments: ["more than 2 records", "below itself"])
    func `a seed that is refused leaves nothing in the zone`(_ reason: String) throws {
        let first = SeedRecord(
            "x", type: "Other", fields: ["n": .int64(1)], parent: Record.Reference("a"))
        let refused =
            reason == "below itself"
            ? SeedRecord("i", type: "Note", parent: Record.Reference("j"))
            : SeedRecord("b", type: "Note", parent: Record.Reference("a"))
        var options = MockOptions()
        options.hierarchyMovesMax = 2
        let scene = try Scene("a", "b", options: options)
        let ada = scene.world.ada
        for name in ["c", "d", "e"] { try ada.put(name, parent: "b") }
        try scene.share("a")
        try ada.put("i", parent: "a")
        try ada.put("j", parent: "i")
        let (own, guests) = (try ada.feed(nil).token, try scene.feed().token)
        let error = #expect(throws: MockStoreError.self) {
            try scene.world.cloud.withStore { store in
                try store.seed(zones: ["Fine", "Notes"], at: World.address(), user: "ada") {
                    $0 == "Notes" ? [first, refused] : [SeedRecord("y", type: "Note")]
                }
            }
        }
        #expect(error?.description.contains(reason) == true)
        #expect(try ada.feed(own).records.isEmpty)
        #expect(try scene.feed(guests).records.isEmpty)
        // What came before it stays.
        #expect(try ada.exists("y", zone: "Fine"))
        // The zone takes records, also of a type that only the seed knew otherwise; their parent
        // changes with them.
        try ada.put("y", parent: "a")
        try ada.put("x", ["n": .string("one")], type: "Other", parent: "a")
        #expect(try ada.feed(own).records.map(\.recordName) == ["y", "x", "a"])
        #expect(try scene.feed(guests).records.map(\.recordName) == ["y", "x", "a"])
    }

    // MARK: - Bounds

    @Test func `a share does not end when too much would come into the hierarchy above it`()
        throws
    {
        var options = MockOptions()
        options.hierarchyMovesMax = 3
        let scene = try Scene("a", "b", options: options)
        try scene.share("a")
        try scene.share("b")
        for name in ["c", "d", "e", "f"] { try scene.world.ada.put(name, parent: "b") }
        try scene.world.ada.put("b", parent: "a")
        let refused = try scene.world.ada.one(.forceDelete("s-b"))
        #expect(refused.error?.reason.hasPrefix("more than 3 records") == true)
        let event = SimulatedEvent(
            .revokeShare, user: "ada", in: World.container, zone: "Notes", with: nil)
        #expect(throws: (any Error).self) { try scene.world.cloud.simulate(event) }
        #expect(try scene.world.ada.lookUp("s-b").first?.record != nil)
        try scene.world.ada.one(.forceDelete("f"))
        #expect(try scene.world.ada.one(.forceDelete("s-b")).isDeleted)
        #expect(try scene.feed().records.filter { !$0.isDeleted }.count == 6)
    }

    @Test func `the limit of hierarchy moves counts all shares of a request together`() throws {
        var options = MockOptions()
        options.hierarchyMovesMax = 3
        let scene = try Scene("a", "b", "c", options: options)
        try scene.share("a")
        let (first, second) = (
            try scene.share("b", accepts: false), try scene.share("c", accepts: false)
        )
        let token = try scene.feed().token
        // Each has its root and its record.
        try scene.accept(first, second)
        #expect(throws: CloudError.self) { try scene.feed(token) }
        #expect(try scene.feed().records.count == 6)
    }

    @Test func `a parent stays when the batch fails to delete its child`() throws {
        let scene = try Scene("a")
        try scene.share("a")
        try scene.world.ada.put("b", parent: "a")
        try scene.world.ada.put("c", parent: "b")
        let batch = try scene.world.ada.modify(
            [.forceDelete("b"), .delete("c", tag: "stale")], atomic: false)
        #expect(batch.records.map(\.code) == [.validatingReferenceError, .conflict])
        #expect(try scene.world.ada.exists("b"))
        let both = try scene.world.ada.modify(
            [.forceDelete("b"), .forceDelete("c")], atomic: false)
        #expect(both.records.allSatisfy { $0.isDeleted })
        #expect(
            try scene.feed().records.filter { !$0.isDeleted }.map(\.recordName) == ["s-a", "a"])
    }

    // MARK: - What is left behind

    @Test func `a record that is refused has no short GUID`() throws {
        func scene(_ text: String) throws -> (world: World, item: Record.Item) {
            var options = MockOptions()
            options.recordBytesMax = 1_000
            let world = try World(options: options)
            try world.ada.create("Notes")
            try world.ada.put("a")
            var operation = RecordOperation.make(.forceUpdate, "a", ["title": .string(text)])
            operation.createsShortGUID = true
            return (world, try world.ada.one(operation))
        }
        // The same world makes the same GUID.
        let guid = try #require(scene("short").item.record?.shortGUID)
        let refused = try scene(String(repeating: "long", count: 500))
        #expect(refused.item.code == .badRequest)
        let lobby = refused.world.database(.public)
        guard case .shares(let items) = try lobby.ask(.read(.resolveShares([ShareLookup(guid)])))
        else { throw Odd() }
        guard case .failure(_, let error)? = items.first else { throw Odd() }
        #expect(error.code == .notFound)
    }

    @Test func `a guest is told what left, though the share had ended and was put back`()
        throws
    {
        let scene = try Scene("a")
        try scene.share("a")
        try scene.world.ada.put("b", parent: "a")
        let token = try scene.feed().token
        try scene.world.ada.one(.make(.forceReplace, "b"))
        let snapshot = try scene.world.cloud.snapshot()
        try scene.world.ada.one(.forceDelete("s-a"))
        try scene.world.cloud.simulate(SimulatedEvent(.compact))
        try scene.world.cloud.restore(snapshot)
        #expect(try scene.feed(token).records.filter(\.isDeleted).map(\.recordName) == ["b"])
    }

    @Test(arguments: [RecordOperation.forceDelete("r"), .make(.forceReplace, "r")])
    func `a guest is told what left through a hierarchy that they came to later`(
        _ leaving: RecordOperation
    ) throws {
        let scene = try Scene("a", "b")
        try scene.share("a")
        let later = try scene.share("b", accepts: false)
        try scene.world.ada.put("r", parent: "a")
        let token = try scene.feed().token
        try scene.world.ada.put("r", parent: "b")
        try scene.world.ada.one(leaving)
        try scene.accept(later)
        let records = try scene.feed(token).records
        #expect(records.filter(\.isDeleted).map(\.recordName) == ["r"])
        #expect(records.count { $0.recordName == "r" } == 1)
        #expect(try !scene.feed().records.contains { $0.record?.id.recordName == "r" })
    }

    @Test func `a summary counts the assets that a guest sees`() throws {
        let scene = try Scene("a")
        try scene.share("a")
        for (name, parent) in [("b", "a"), ("c", nil)] as [(String, String?)] {
            let request = AssetUploadRequest(
                [.init(recordType: "Note", fieldName: "photo", recordName: name)],
                zoneID: RecordZone.ID("Notes"))
            guard
                case .assetUploads(let items) = try scene.world.ada.ask(
                    .write(.uploadAssets(request))),
                case .address(_, let url)? = items.first
            else { throw Odd() }
            let asset = try scene.world.cloud.withStore {
                try $0.receiveAsset(Array("three".utf8), at: url)
            }
            try scene.world.ada.put(name, ["photo": .asset(asset)], parent: parent)
        }
        let summary = try scene.world.cloud.withStore { try $0.summary() }
        let seen = summary.map { "\($0.address.scope) \($0.records) \($0.assets) \($0.assetBytes)" }
        #expect(seen == ["private 4 2 10", "shared 3 1 5"])
    }
}
