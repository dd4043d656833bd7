import CloudModel
import MockStore
import Testing

/// What the service does for itself, which no request asks for. What requests ask for is tested in
/// `ContractTests`.
@Suite struct UpkeepTests {
    private func world() throws -> World {
        let world = try World()
        try world.ada.create("Notes", "Other")
        return world
    }

    @Test func `A-10 and A-32 purging a deleted zone brings no tag back`() throws {
        let world = try world()
        try world.ada.put("a")
        try world.ada.delete(zone: "Notes")
        try world.ada.create("Notes")
        while try world.cloud.withStore({ try $0.purgeSome() }) {}
        #expect(try !world.ada.exists("a"))
        #expect(try world.ada.put("a").recordChangeTag != "1")
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

    @Test func `a tombstone says who deleted what, and which device had made it`() throws {
        let world = try world()
        let phone = world.database(.private, .user("ada", device: "phone"))
        let desk = world.database(.private, .user("ada", device: "desk"))
        try phone.put("a", type: "Note")
        try phone.put("b", ["to": .link("a", .deleteSelf)], type: "Page")
        world.advance(1000)
        try desk.one(.forceDelete("a"))
        let left = try world.cloud.withStore {
            try $0.tombstones(in: "Notes", at: World.address(), user: "ada")
        }
        #expect(
            left.map(\.recordName) == ["a", "b"] && left.map(\.recordType) == ["Note", "Page"])
        #expect(left.allSatisfy { $0.created.deviceID == "phone" })
        #expect(left.allSatisfy { $0.deleted.deviceID == "desk" })
        #expect(left.allSatisfy { $0.deleted.timestamp > $0.created.timestamp })
        let ada = try world.name("ada")
        #expect(left.allSatisfy { $0.deleted.userRecordName == ada })
        #expect(try world.ada.drain().items.allSatisfy { $0.isDeleted })
    }

    @Test func `A-71 a native scan has the deletions of what the device had made, and no others`()
        throws
    {
        let world = try world()
        try world.set { $0.initialScan = .sameDevice }
        let phone = world.database(.private, .user("ada", device: "phone"))
        let desk = world.database(.private, .user("ada", device: "desk"))
        for name in ["a", "b"] { try phone.put(name) }
        try desk.put("c")
        let first = try desk.feed(nil, limit: 1)
        for name in ["a", "c"] { try desk.one(.forceDelete(name)) }
        #expect(try phone.drain().items.map(\.recordName) == ["b", "a"])
        #expect(try desk.drain().items.map(\.recordName) == ["b", "c"])
        // A scan that had begun before hears of all of them.
        #expect(try desk.drain(first.token).items.map(\.recordName) == ["b", "a", "c"])
    }

    @Test func `A-81 the token beside a query goes on in the feed`() throws {
        let world = try world()
        try world.ada.put("a")
        let token = try world.cloud.withStore {
            try $0.currentSyncToken(
                of: RecordZone.ID("Notes"), at: World.address(), by: .user("ada"))
        }
        #expect(token == (try world.ada.drain().token))
        try world.ada.put("b")
        #expect(try world.ada.drain(token).items.map(\.recordName) == ["b"])
    }

    @Test func `feeds longer than a step are counted and compacted as a whole`() throws {
        let world = try world()
        let names = (0..<4_500).map { "r\($0)" }
        try world.cloud.withStore {
            try $0.seed(zones: ["Notes"], at: World.address(), user: "ada") { _ in
                names.map { SeedRecord($0, type: "Note") }
            }
        }
        let before = try world.ada.feed(nil, limit: 1).token
        // Every other record goes, so that tombstones come after the places of all that stay.
        let gone = names.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        for start in stride(from: 0, to: gone.count, by: 150) {
            let batch = gone[start..<min(gone.count, start + 150)]
            _ = try world.ada.modify(batch.map { .forceDelete($0) })
        }
        let after = try world.ada.drain().token
        let left = names.count - gone.count
        func counts() throws -> [Int] {
            try world.cloud.withStore { try $0.summary() }.flatMap { [$0.zones, $0.records] }
        }
        #expect(try counts() == [2, left])
        #expect(try world.cloud.withStore { try $0.compactTombstones() } == 1)
        #expect(try counts() == [2, left])
        #expect(try world.ada.drain().items.count == left)
        #expect(try world.ada.drain(after).items.isEmpty)
        #expect(throws: (any Error).self, "a token that had not seen all") {
            try world.ada.feed(before)
        }
    }

    @Test func `a deletion between two slices of a compaction is told to whoever had read so far`()
        throws
    {
        let world = try world()
        try world.cloud.withStore {
            try $0.seed(zones: ["Notes"], at: World.address(), user: "ada") { _ in
                (0..<4_500).map { SeedRecord("r\($0)", type: "Note") }
            }
        }
        let job = CompactJob(ResetScope(user: "ada"), sliceMax: .zero)
        var readers: [(token: ChangeToken?, deleted: String)] = []
        while try world.cloud.withStore({ try job.runSlice($0) }) {
            let name = "r\(readers.count)"
            readers.append((try world.ada.drain().token, name))
            _ = try world.ada.modify([.forceDelete(name)])
        }
        #expect(readers.count > 4)
        var told = 0
        for reader in readers {
            // A token from before the compaction came to the zone expires.
            guard let items = try? world.ada.drain(reader.token).items else { continue }
            told += 1
            #expect(items.map(\.recordName).contains(reader.deleted))
        }
        #expect(told >= 2)
    }
}
