import Basics
import CloudModel
import Testing

@Suite struct TokenTests {
    private func world(_ depth: Depth, isAlone: Bool = false) async throws -> World {
        let world = try World(depth, isAlone: isAlone)
        try await world.ada.create("Notes", "Other")
        try await world.ada.put("a")
        return world
    }

    @Test(arguments: Depth.allCases)
    func `a token is 48 characters of base64`(depth: Depth) async throws {
        let world = try await world(depth)
        let token = try await world.ada.drain().token.rawValue
        #expect(token.utf8.count == 48)
        #expect(Base64.decode(token)?.count == 36)
    }

    @Test(
        arguments: Depth.allCases,
        ["AAAA", "bm90IGEgdG9rZW4=", "!!!", "x", "AQAAAAAAAAARf/////////8="])
    func `C-74 what never was a token has an unknown type`(depth: Depth, text: String) async throws
    {
        let error = try await world(depth).ada.feedError(ChangeToken(text))
        #expect(error?.code == .badRequest)
        #expect(error?.reason == "Unknown sync continuation type")
    }

    @Test(arguments: Depth.allCases, 4..<48)
    func `C-75 a token cut short has an invalid format`(depth: Depth, length: Int) async throws {
        let world = try await world(depth)
        let token = try await world.ada.drain().token.rawValue
        let error = try await world.ada.feedError(ChangeToken(String(token.prefix(length))))
        #expect(error?.code == .badRequest)
        #expect(error?.reason == "Invalid continuation format")
    }

    @Test(arguments: Depth.allCases)
    func `a token with any bit turned is refused`(depth: Depth) async throws {
        let world = try await world(depth)
        let bytes = try #require(Base64.decode(try await world.ada.drain().token.rawValue))
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << UInt8(bit)
                let error = try await world.ada.feedError(ChangeToken(Base64.encode(changed)))
                #expect(error?.code == .badRequest, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test(arguments: Depth.allCases)
    func `C-76 a token of a database, another zone, user or environment is refused`(depth: Depth)
        async throws
    {
        let world = try await world(depth)
        let database = try #require(try await world.ada.databaseChanges(nil).token)
        #expect(try await world.ada.feedError(database)?.reason == "Unknown sync continuation type")
        let other = try await world.ada.drain(zone: "Other").token
        #expect(try await world.ada.feedError(other)?.code == .badRequest)
        let bob = world.database(.private, .user("bob"))
        try await bob.create("Notes")
        #expect(try await world.ada.feedError(bob.drain().token)?.code == .badRequest)
        let production = world.database(.private, .user("ada"), .production)
        try await production.create("Notes")
        #expect(try await world.ada.feedError(production.drain().token)?.code == .badRequest)
        let zone = try await world.ada.drain().token
        #expect(
            await world.ada.code(.read(.databaseChanges(token: zone, limit: nil))) == .badRequest)
        #expect(await world.ada.code(.read(.listZones(token: zone))) == .badRequest)
        let bobs = try await bob.databaseChanges(nil).token
        #expect(
            await world.ada.code(.read(.databaseChanges(token: bobs, limit: nil))) == .badRequest)
    }

    @Test(arguments: Depth.allCases)
    func `C-11 and C-77 a token of an earlier zone of the same name has expired`(depth: Depth)
        async throws
    {
        let world = try await world(depth)
        let token = try await world.ada.drain().token
        try await world.ada.delete(zone: "Notes")
        try await world.ada.create("Notes")
        let error = try await world.ada.feedError(token)
        #expect(error?.code == .badRequest)
        #expect(error?.reason == "client knowledge differs from server knowledge")
        try await world.ada.put("b")
        try await world.ada.put("c")
        #expect(try await world.ada.feedError(token)?.reason == error?.reason)
        #expect(try await world.ada.drain().items.count == 2)
    }

    @Test(arguments: Depth.allCases)
    func `C-18 and C-78 a zone deleted while a client pages is not found`(depth: Depth) async throws
    {
        let world = try await world(depth)
        try await world.ada.put("b")
        let page = try await world.ada.feed(nil, limit: 1)
        try await world.ada.delete(zone: "Notes")
        #expect(try await world.ada.feedError(page.token)?.code == .zoneNotFound)
        #expect(try await world.ada.feedError(nil)?.code == .zoneNotFound)
        #expect(try await world.ada.feedError(ChangeToken(""))?.code == .zoneNotFound)
    }

    @Test(arguments: Depth.allCases)
    func `C-77 a token from before a compaction has expired, a scan after it has not`(depth: Depth)
        async throws
    {
        let world = try await world(depth, isAlone: true)
        for name in ["b", "c", "d"] { try await world.ada.put(name) }
        let old = try await world.ada.feed(nil, limit: 1).token
        let caughtUp = try await world.ada.drain().token
        try await world.ada.one(.forceDelete("b"))
        try await world.service.compact()
        #expect(try await world.ada.feedError(old)?.code == .badRequest)
        #expect(try await world.ada.feedError(caughtUp)?.code == .badRequest)
        let scan = try await world.ada.drain(limit: 1)
        #expect(scan.items.map(\.recordName) == ["a", "c", "d"])
        try await world.ada.put("e")
        #expect(try await world.ada.drain(scan.token).items.map(\.recordName) == ["e"])
        // A name whose tombstone was forgotten can be used again.
        #expect(try await world.ada.one(.make(.create, "b")).record != nil)
    }

    @Test(arguments: Depth.allCases)
    func `after a reset old tokens have expired and nothing is left`(depth: Depth) async throws {
        let world = try await world(depth, isAlone: true)
        let zone = try await world.ada.drain().token
        let database = try await world.ada.databaseChanges(nil).token
        try await world.service.reset()
        #expect(
            await world.ada.code(.read(.databaseChanges(token: database, limit: nil)))
                == .badRequest)
        #expect(try await world.ada.databaseChanges(nil).zones == [])
        try await world.ada.create("Notes")
        #expect(try await world.ada.feedError(zone)?.code == .badRequest)
        #expect(try await world.ada.drain().items == [])
        #expect(try await world.ada.databaseChanges(nil, limit: 1).zones.count == 1)
    }
}
