import CloudModel
import DonationSync
import Donations
import MockStore
import Testing

/// A machine beside the service: what other devices and the user do reaches local donations.
@Suite struct CloudTests {
    /// A world with two records that were seen, and donations about each, the zone and a record
    /// that nobody has uploaded.
    private func world(
        options: MockOptions = MockOptions(), pageLimit: Int? = nil,
        _ change: (inout SyncSettings) -> Void = { _ in }
    ) throws -> CloudWorld {
        var options = options
        if let pageLimit { options.recordsPageMax = pageLimit }
        let world = try CloudWorld(options: options, change)
        try world.createZone()
        try world.save(["a", "b"])
        #expect(world.sync() == .idle)
        for record in ["a", "b", "new"] { world.donate(record, about: record) }
        world.donate("zone", about: nil)
        return world
    }

    @Test func `a record deleted on another device takes its donations along`() throws {
        let world = try world()
        try world.delete(["a"])
        #expect(world.sync() == .idle)
        #expect(world.shown == ["b", "new", "zone"])
    }

    @Test func `a database without changes costs one request a round`() throws {
        var options = MockOptions()
        options.databaseTokenJitter = true
        let world = try world(options: options)
        for _ in 1...3 {
            let before = world.requests.count
            #expect(world.sync() == .idle)
            #expect(world.requests.count == before + 1)
        }
    }

    @Test(arguments: MockOptions.InitialScan.allCases, [0, 3])
    func `after expired tokens what is gone goes, and what was never uploaded stays`(
        scan: MockOptions.InitialScan, emptyPages: Int
    ) throws {
        var options = MockOptions()
        options.initialScan = scan
        options.emptyPages = emptyPages
        let world = try world(options: options)
        try world.delete(["a"])
        try world.act { store, _ in
            _ = try store.expireTokens()
            _ = try store.compactTombstones()
        }
        #expect(world.sync() == .idle)
        #expect(world.shown == ["b", "new", "zone"])
    }

    @Test func `a zone made again meanwhile takes along what was seen in the old one`() throws {
        let world = try world()
        try world.act { store, address in
            _ = try store.recreateZone("Notes", at: address, user: "ann")
        }
        try world.save(["a", "new"])
        #expect(world.sync() == .idle)
        #expect(world.shown == ["new", "zone"])
        world.donate("a", about: "a")
        #expect(world.sync() == .idle)
        #expect(world.shown == ["a", "new", "zone"])
    }

    @Test func `after expired tokens a feed that shows nothing of before is still the zone's`()
        throws
    {
        let world = try world()
        try world.delete(["a", "b"])
        try world.save(["new"])
        try world.act { store, _ in
            _ = try store.expireTokens()
            _ = try store.compactTombstones()
        }
        #expect(world.sync() == .idle)
        #expect(world.shown == ["new", "zone"])
    }

    @Test func `a deleted zone takes everything linked to it along`() throws {
        let world = try world()
        world.donate("other", about: "a", zone: "Other")
        try world.deleteZone()
        #expect(world.sync() == .idle)
        #expect(world.shown == ["other"])
    }

    @Test func `a purged zone takes no donations until it is made again`() throws {
        let world = try world()
        try world.act { store, address in
            _ = try store.purgeZone("Notes", at: address, user: "ann")
        }
        #expect(world.sync() == .idle)
        #expect(world.shown.isEmpty)
        world.donate("a", about: "a")
        #expect(world.shown.isEmpty)
        try world.createZone()
        #expect(world.sync() == .idle)
        world.donate("a", about: "a")
        #expect(world.sync() == .idle)
        #expect(world.shown == ["a"])
    }

    @Test(arguments: [false, true])
    func `a lost key takes donations along unless they are to be kept`(keeps: Bool) throws {
        let world = try world { $0.keepsDonationsOnReset = keeps }
        try world.act { store, address in
            _ = try store.eraseZones(
                "Notes", at: address, user: "ann", reason: .encryptedDataReset)
        }
        #expect(world.sync() == .idle)
        #expect(world.shown.isEmpty != keeps)
    }

    @Test func `another user on the device keeps nothing of the one before`() throws {
        let world = try world()
        try world.createZone(by: "bob")
        try world.save(["a"], by: "bob")
        world.user = "bob"
        #expect(world.sync() == .idle)
        #expect(world.shown.isEmpty)
        world.donate("bob's", about: "a")
        #expect(world.sync() == .idle)
        #expect(world.shown == ["bob's"])
        #expect(
            world.storage.account(at: world.address).identity == world.recordName(of: "bob"))
    }

    @Test func `a restriction rests donations and its end shows them again`() throws {
        let world = try world()
        try world.act { store, address in
            try store.setRestricted(
                true, for: "ann", in: address.container, address.environment)
        }
        #expect(world.sync() == .halted(.restricted))
        #expect(world.shown.isEmpty)
        try world.act { store, address in
            try store.setRestricted(
                false, for: "ann", in: address.container, address.environment)
        }
        #expect(world.sync() == .idle)
        #expect(world.shown == ["a", "b", "new", "zone"])
    }

    @Test func `a share that ended takes what is linked to its zone along`() throws {
        let world = try CloudWorld(.shared)
        try world.createZone(by: "bob")
        try world.save(["a"], by: "bob")
        try world.act { store, address in
            _ = try store.shareZone("Notes", at: address, owner: "bob", with: "ann")
        }
        #expect(world.sync() == .idle)
        world.donate("a", about: "a")
        #expect(world.sync() == .idle)
        #expect(world.shown == ["a"])
        try world.act { store, address in
            _ = try store.unshareZone("Notes", at: address, owner: "bob")
        }
        #expect(world.sync() == .idle)
        #expect(world.shown.isEmpty)
    }

    @Test func `a service that went back in time takes along what it lost`() throws {
        let world = try CloudWorld()
        try world.createZone()
        try world.save(["a"])
        #expect(world.sync() == .idle)
        let snapshot = try world.cloud.snapshot()
        try world.save(["late"])
        #expect(world.sync() == .idle)
        world.donate("a", about: "a")
        world.donate("late", about: "late")
        try world.cloud.restore(snapshot)
        try world.save(["b"])
        #expect(world.sync() == .idle)
        #expect(world.shown == ["a"])
    }

    @Test func `a fenced zone that comes back is reported, and nothing of it applied`() throws {
        let world = try world()
        world.storage.setFences([
            SyncFence(
                address: world.address, zone: RecordZone.ID("Notes"), run: "r1",
                since: world.now)
        ])
        try world.deleteZone()
        #expect(world.sync() == .idle)
        #expect(world.shown.isEmpty)
        try world.createZone()
        try world.save(["a", "b", "c"])
        #expect(world.sync() == .idle)
        let report = world.storage.report(at: world.address)
        #expect(report.resurrected[RecordZone.ID("Notes")]?.records == 3)
        world.donate("a", about: "a")
        #expect(world.shown.isEmpty)
        _ = world.storage.unfence(RecordZone.ID("Notes"), at: world.address)
        world.donate("a", about: "a")
        #expect(world.sync() == .idle)
        #expect(world.shown == ["a"])
    }

    @Test(arguments: 0..<14)
    func `a crash after any request changes nothing in the end`(requests: Int) throws {
        let world = try world(pageLimit: 1)
        try world.delete(["a"])
        try world.save(["c", "d", "e"])
        try world.act { store, _ in _ = try store.expireTokens() }
        world.sync(requests: requests)
        world.crash()
        #expect(world.sync() == .idle)
        #expect(world.shown == ["b", "new", "zone"])
    }
}
