import CloudModel
import MockServer
import Testing

@Suite struct TokenTests {
    private func world() throws -> World {
        let world = try World()
        try world.ada.create("Notes", "Other")
        try world.ada.put("a")
        return world
    }

    @Test func `a token is 48 characters of base64`() throws {
        let world = try world()
        let token = try world.ada.drain().token.rawValue
        #expect(token.utf8.count == 48)
        #expect(Base64.decode(token)?.count == 36)
    }

    @Test(arguments: ["AAAA", "bm90IGEgdG9rZW4=", "!!!", "x", "AQAAAAAAAAARf/////////8="])
    func `A-74 what never was a token has an unknown type`(text: String) throws {
        let error = try world().ada.feedError(ChangeToken(text))
        #expect(error?.code == .badRequest)
        #expect(error?.reason == "Unknown sync continuation type")
    }

    @Test(arguments: 4..<48)
    func `A-75 a token cut short has an invalid format`(length: Int) throws {
        let world = try world()
        let token = try world.ada.drain().token.rawValue
        let error = try world.ada.feedError(ChangeToken(String(token.prefix(length))))
        #expect(error?.code == .badRequest)
        #expect(error?.reason == "Invalid continuation format")
    }

    @Test func `a token with any bit turned is refused`() throws {
        let world = try world()
        let bytes = try #require(Base64.decode(try world.ada.drain().token.rawValue))
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << UInt8(bit)
                let error = try world.ada.feedError(ChangeToken(Base64.encode(changed)))
                #expect(error?.code == .badRequest, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test func `A-76 a token of a database, another zone, user or environment is refused`() throws {
        let world = try world()
        let database = try #require(try world.ada.databaseChanges(nil).token)
        #expect(try world.ada.feedError(database)?.reason == "Unknown sync continuation type")
        let other = try world.ada.drain(zone: "Other").token
        #expect(try world.ada.feedError(other)?.code == .badRequest)
        let bob = world.database(.private, .user("bob"))
        try bob.create("Notes")
        #expect(try world.ada.feedError(bob.drain().token)?.code == .badRequest)
        let production = world.database(.private, .user("ada"), .production)
        try production.create("Notes")
        #expect(try world.ada.feedError(production.drain().token)?.code == .badRequest)
        let zone = try world.ada.drain().token
        #expect(world.ada.code(.databaseChanges(token: zone, limit: nil)) == .badRequest)
        #expect(world.ada.code(.listZones(token: zone)) == .badRequest)
        let bobs = try bob.databaseChanges(nil).token
        #expect(world.ada.code(.databaseChanges(token: bobs, limit: nil)) == .badRequest)
    }

    @Test func `A-11 and A-77 a token of an earlier zone of the same name has expired`() throws {
        let world = try world()
        let token = try world.ada.drain().token
        try world.ada.delete(zone: "Notes")
        try world.ada.create("Notes")
        let error = try world.ada.feedError(token)
        #expect(error?.code == .badRequest)
        #expect(error?.reason == "client knowledge differs from server knowledge")
        try world.ada.put("b")
        try world.ada.put("c")
        #expect(try world.ada.feedError(token)?.reason == error?.reason)
        #expect(try world.ada.drain().items.count == 2)
    }

    @Test func `A-18 and A-78 a zone deleted while a client pages is not found`() throws {
        let world = try world()
        try world.ada.put("b")
        let page = try world.ada.feed(nil, limit: 1)
        try world.ada.delete(zone: "Notes")
        #expect(try world.ada.feedError(page.token)?.code == .zoneNotFound)
        #expect(try world.ada.feedError(nil)?.code == .zoneNotFound)
        #expect(try world.ada.feedError(ChangeToken(""))?.code == .zoneNotFound)
    }

    @Test func `A-77 a token from before a compaction has expired, a scan after it has not`() throws
    {
        let world = try world()
        for name in ["b", "c", "d"] { try world.ada.put(name) }
        let old = try world.ada.feed(nil, limit: 1).token
        let caughtUp = try world.ada.drain().token
        try world.ada.one(.forceDelete("b"))
        try world.cloud.withStore { try $0.compactTombstones() }
        #expect(try world.ada.feedError(old)?.code == .badRequest)
        #expect(try world.ada.feedError(caughtUp)?.code == .badRequest)
        let scan = try world.ada.drain(limit: 1)
        #expect(scan.items.map(\.recordName) == ["a", "c", "d"])
        try world.ada.put("e")
        #expect(try world.ada.drain(scan.token).items.map(\.recordName) == ["e"])
        // A name whose tombstone was forgotten can be used again.
        #expect(try world.ada.one(.make(.create, "b")).record != nil)
    }

    @Test func `A-81 the token beside a query goes on in the feed`() throws {
        let world = try world()
        let token = try world.cloud.withStore {
            try $0.currentSyncToken(
                of: RecordZone.ID("Notes"), at: World.address(), by: .user("ada"))
        }
        #expect(token == (try world.ada.drain().token))
        try world.ada.put("b")
        #expect(try world.ada.drain(token).items.map(\.recordName) == ["b"])
    }

    @Test func `after a reset old tokens have expired and nothing is left`() throws {
        let world = try world()
        let zone = try world.ada.drain().token
        let database = try world.ada.databaseChanges(nil).token
        try world.cloud.withStore { try $0.reset() }
        #expect(world.ada.code(.databaseChanges(token: database, limit: nil)) == .badRequest)
        #expect(try world.ada.databaseChanges(nil).zones == [])
        try world.ada.create("Notes")
        #expect(try world.ada.feedError(zone)?.code == .badRequest)
        #expect(try world.ada.drain().items == [])
        #expect(try world.ada.databaseChanges(nil, limit: 1).zones.count == 1)
    }
}
