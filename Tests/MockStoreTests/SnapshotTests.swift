import CloudModel
import MockServer
import Testing

/// A service that is put back to what it was, and what tokens of each of its histories mean then.
@Suite struct SnapshotTests {
    private func world() throws -> World {
        let world = try World()
        try world.ada.create("Notes")
        try world.ada.put("a")
        return world
    }

    private func expired(_ token: ChangeToken, _ world: World) -> Bool {
        do {
            _ = try world.ada.feed(token)
            return false
        } catch let error as CloudError {
            return error.reason == "client knowledge differs from server knowledge"
        } catch { return false }
    }

    @Test func `a token is good in every history that has what it has seen`() throws {
        let world = try world()
        let common = try world.ada.drain().token
        let first = try world.cloud.snapshot()
        try world.ada.put("b")
        let ofFirst = try world.ada.drain().token
        try world.cloud.restore(first)
        try world.ada.put("c")
        let ofSecond = try world.ada.drain().token
        let second = try world.cloud.snapshot()
        try world.cloud.restore(first)
        try world.ada.put("d")
        try world.ada.put("e")
        let ofThird = try world.ada.drain().token
        #expect(!expired(common, world))
        #expect(expired(ofFirst, world) && expired(ofSecond, world) && !expired(ofThird, world))

        try world.cloud.restore(second)
        #expect(!expired(common, world) && !expired(ofSecond, world))
        #expect(expired(ofFirst, world) && expired(ofThird, world))
        #expect(try world.ada.drain(common).items.map(\.recordName) == ["c"])
    }

    @Test func `a scan under way when its history is left begins anew`() throws {
        let world = try world()
        try world.set { $0.initialScan = .live }
        let snapshot = try world.cloud.snapshot()
        for name in ["b", "c", "d"] { try world.ada.put(name) }
        let page = try world.ada.feed(nil, limit: 1)
        try world.cloud.restore(snapshot)
        try world.ada.put("x")
        try world.ada.one(.forceDelete("x"))
        try world.ada.put("y")
        // Its first page was of what both histories have, but it leaves out later deletions.
        #expect(expired(page.token, world))
    }

    @Test func `nothing is named twice, whatever is restored`() throws {
        let world = try world()
        let snapshot = try world.cloud.snapshot()
        var tags: Set<String> = []
        for _ in 0..<3 {
            try world.ada.create("New")
            for name in ["a", "b"] {
                #expect(tags.insert(try world.ada.put(name).recordChangeTag).inserted)
                #expect(
                    tags.insert(try world.ada.put(name, zone: "New").recordChangeTag).inserted)
            }
            try world.cloud.restore(snapshot)
        }
        // A database that the snapshot does not know.
        let bob = world.database(.private, .user("bob"))
        for _ in 0..<3 {
            try bob.create("Notes")
            #expect(tags.insert("bob" + (try bob.put("a").recordChangeTag)).inserted)
            try world.cloud.restore(snapshot)
            #expect(try bob.listedNames() == ["_defaultZone"])
        }
    }

    @Test func `shares come and go with the snapshot`() throws {
        let world = try world()
        let shared = world.database(.shared, .user("bob"))
        let before = try world.cloud.snapshot()
        let made = try world.cloud.withStore {
            try $0.shareZone("Notes", at: World.address(), owner: "ada", with: "bob")
        }
        #expect(made)
        let during = try world.cloud.snapshot()
        try world.cloud.restore(before)
        #expect(try shared.list().zones.isEmpty)
        try world.cloud.restore(during)
        #expect(try shared.list().zones.count == 1)
        try world.ada.put("b")
        let zone = RecordZone.ID("Notes", ownerRecordName: try world.name("ada"))
        let request = ZoneChangesRequest(zoneID: zone)
        guard case .zoneChanges(let items) = try shared.ask(.read(.zoneChanges([request]))),
            case .page(let page)? = items.first
        else { throw Odd() }
        #expect(page.records.map(\.recordName) == ["a", "b"])
    }

    @Test func `a snapshot is of one service only`() throws {
        let snapshot = try World(seed: 1).cloud.snapshot()
        #expect(throws: MockStoreError.self) { try World(seed: 2).cloud.restore(snapshot) }
    }

    /// Devices that follow a zone over a service that goes back in time again and again: whoever
    /// begins anew when his token has expired, and only then, ends with what the service has.
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `devices that heed expired tokens end with what the service has`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let world = try World(seed: seed)
        try world.set { $0.initialScan = seed.isMultiple(of: 2) ? .live : .history }
        try world.ada.create("Notes")
        var followers = Array(repeating: Follower(), count: 3)
        var snapshots: [MockSnapshot] = [try world.cloud.snapshot()]
        for _ in 0..<120 {
            switch generator.next() % 12 {
            case 0: snapshots.append(try world.cloud.snapshot())
            case 1:
                let chosen = Int(generator.next() % UInt64(snapshots.count))
                try world.cloud.restore(snapshots[chosen])
            case 2:
                let name = "n\(generator.next() % 6)"
                try world.ada.one(.forceDelete(name))
            case 3 where generator.next() % 4 == 0:
                _ = try world.cloud.withStore {
                    try $0.compactTombstones(ResetScope(user: "ada"))
                }
            case 4 where generator.next() % 4 == 0:
                _ = try world.cloud.withStore { try $0.expireTokens(ResetScope(user: "ada")) }
            case 5 where generator.next() % 4 == 0:
                try world.cloud.withStore {
                    try $0.repeatPages(1, at: World.address(), user: "ada")
                }
            case 6, 7, 8:
                let chosen = Int(generator.next() % 3)
                try follow(&followers[chosen], world, pages: 1)
            default: try world.ada.put("n\(generator.next() % 6)")
            }
        }
        let truth = try world.ada.query(Query(recordType: "Note")).records.compactMap(\.record)
        let expected = Dictionary(
            uniqueKeysWithValues: truth.map { ($0.id.recordName, $0.recordChangeTag) })
        for index in followers.indices {
            try follow(&followers[index], world, pages: 1000)
            let seen = followers[index].records.mapValues(\.tag)
            #expect(seen == expected, "seed \(seed), device \(index)")
        }
    }

    private func follow(_ follower: inout Follower, _ world: World, pages: Int) throws {
        for _ in 0..<pages {
            do {
                let page = try world.ada.feed(follower.token, limit: 2)
                follower.take(page)
                if !page.moreComing { return }
            } catch let error as CloudError {
                #expect(error.reason == "client knowledge differs from server knowledge")
                follower.forget()
            }
        }
    }
}
