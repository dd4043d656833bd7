import CloudModel
import MockServer
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
}
