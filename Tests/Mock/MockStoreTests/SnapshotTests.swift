import Basics
import CloudModel
import MockStore
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

    @Test func `a token of a database that the snapshot did not have expires`() throws {
        let world = try world()
        let snapshot = try world.cloud.snapshot()
        let bob = world.database(.private, .user("bob"))
        try bob.create("Late")
        let token = try bob.databaseChanges(nil).token
        try world.cloud.restore(snapshot)
        #expect(try bob.listedNames() == ["_defaultZone"])
        #expect(
            bob.reason(.read(.databaseChanges(token: token, limit: nil)))
                == "client knowledge differs from server knowledge")
    }

    @Test func `tokens of a thousand restores ago expire, and nothing of them is kept`() throws {
        let world = try world()
        let snapshot = try world.cloud.snapshot()
        try world.cloud.restore(snapshot)
        let token = try world.ada.drain().token
        for _ in 0..<999 { try world.cloud.restore(snapshot) }
        #expect(!expired(token, world))
        try world.cloud.restore(snapshot)
        #expect(expired(token, world))
        #expect(!expired(try world.ada.drain().token, world))
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
        #expect(page.records.map(\.recordName) == ["a", Share.zoneWideName, "b"])
    }

    @Test func `one snapshot too many is refused, and the refusal names those that there are`()
        throws
    {
        let world = try world()
        func keep(_ name: String) throws -> SimulatedEvent.Report {
            var event = SimulatedEvent(.snapshot)
            event.name = name
            return try world.cloud.simulate(event)
        }
        for number in 1...8 { _ = try keep("s\(number)") }
        let refusal = #expect(throws: SimulatedEvent.Refusal.self) { try keep("s9") }
        guard case .conflict(let reason)? = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(reason.contains("8") && reason.contains("s1, s2"))
        #expect(try keep("s8").message == "saved as s8")
    }

    /// Zones and records that come, change and go between snapshots, one of which is restored again
    /// and again while records of deleted zones are being removed.
    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `a restored snapshot has everything as it was`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let world = try World(seed: seed)
        try world.set { $0.delaysDefaultZoneCascade = false }
        func dump() throws -> String {
            try world.cloud.withStore { store in
                let all = try ["ada", "bob", nil].map { try store.dump(user: $0) }
                // A database that was made since stays, empty.
                return all.joined(separator: "--\n").split(separator: "\n")
                    .filter { !$0.hasPrefix(#"{"database""#) }.joined(separator: "\n")
            }
        }
        var kept: [(name: String, dump: String)] = []
        let zones = ["_defaultZone", "Notes", "Other"]
        for _ in 0..<150 {
            let zone = zones[Int(generator.next() % 3)]
            let asker = generator.next() % 5 == 0 ? world.everybody : world.ada
            let name = "n\(generator.next() % 8)"
            let place = asker.address.scope == .public ? "_defaultZone" : zone
            switch generator.next() % 16 {
            case 0: kept.append((try world.cloud.snapshot(), try dump()))
            case 1 where !kept.isEmpty:
                let chosen = kept[Int(generator.next() % UInt64(kept.count))]
                try world.cloud.restore(chosen.name)
                let restored = try dump()
                #expect(restored == chosen.dump, "seed \(seed)")
            case 2: try world.ada.create("Notes", "Other")
            case 3 where zone != "_defaultZone": try world.ada.delete(zone: zone)
            case 4: try world.cloud.withStore { try $0.reset(ResetScope(user: "ada")) }
            case 5:
                _ = try world.cloud.withStore {
                    try $0.shareZone("Notes", at: World.address(), owner: "ada", with: "bob")
                }
            case 6: for _ in 0..<4 { _ = try world.cloud.withStore { try $0.purgeSome() } }
            case 7:
                try world.ada.subscribe(
                    .create(Subscription(subscriptionID: name, kind: .database)))
            case 8: _ = try? world.ada.subscribe(.delete(name))
            case 9, 10: _ = try? asker.one(.forceDelete(name), zone: place)
            default:
                let fields: [String: FieldValue] = [
                    "n": .int64(Int64(generator.next() % 100)), "to": .link("n1", .deleteSelf),
                ]
                try asker.one(.make(.forceReplace, name, fields), zone: place)
            }
        }
    }

    @Test func `a restore happens at once, after what others wrote, or not at all`() throws {
        let committer = try StoreCommitter(
            location: .memory, clock: WallClock { Timestamp(milliseconds: 0) }, seed: 1)
        let store = committer.store
        func write(_ range: Range<Int>) throws {
            try store.seed(zones: ["Notes"], at: World.address(), user: "ada") { _ in
                range.map { SeedRecord("r\($0)", type: "Note", fields: ["n": .int64(Int64($0))]) }
            }
        }
        try write(0..<20_000)
        try committer.commit()
        try store.keepSnapshot("s")
        let before = try store.dump(user: "ada")
        try write(0..<20_000)
        let changed = try store.dump(user: "ada")
        try committer.commit()
        let job = try #require(try store.restoreJob("s"))
        // Others are served and write until it is done.
        while try job.runSlice(store) {
            #expect(try store.dump(user: "ada") == changed)
            try committer.commit()
        }
        #expect(try store.dump(user: "ada") == before)
        try committer.commit()
        #expect(try store.dump(user: "ada") == before)

        // What others wrote in the same turn is committed before it, so nothing is half undone.
        try write(0..<20_000)
        let written = try store.dump(user: "ada")
        let late = try #require(try store.restoreJob("s"))
        for _ in 0..<100 { #expect(try late.runSlice(store)) }
        #expect(throws: MockStoreError.self) { try late.finish(store) }
        try committer.commit()
        #expect(try store.dump(user: "ada") == written)
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
        var snapshots: [String] = [try world.cloud.snapshot()]
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
                let emptyPages = Int(generator.next() % 2)
                try world.set { $0.emptyPages = emptyPages }
            case 6, 7, 8:
                let chosen = Int(generator.next() % 3)
                try follow(&followers[chosen], world, pages: 1)
            default: try world.ada.put("n\(generator.next() % 6)")
            }
        }
        try world.set { $0.emptyPages = 0 }
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
