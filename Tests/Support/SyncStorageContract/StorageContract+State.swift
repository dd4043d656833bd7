import Basics
import CloudModel
import DonationSync
import Donations

/// Accounts, databases, reports, fences.
extension StorageContract {
    func checkAccounts<Storage: SyncStorage>(_ storage: inout Storage) throws {
        try same(try storage.account(at: Sample.here), SyncAccount(), "an unknown account")
        var account = SyncAccount()
        account.identity = "_alice"
        account.isDoubted = false
        account.isSuspended = true
        account.hasDonationZone = true
        account.epoch = 7
        try storage.setAccount(account, at: Sample.here)
        let shared = Sample.address("iCloud.one", .shared)
        try same(try storage.account(at: shared), account, "the account of another scope")
        for other in [
            Sample.address("iCloud.two"), Sample.address("iCloud.one", .private, .production),
        ] {
            try same(try storage.account(at: other), SyncAccount(), "another account")
        }
    }

    func checkDatabases<Storage: SyncStorage>(_ storage: inout Storage) throws {
        try same(try storage.database(at: Sample.here), SyncDatabase(), "an unknown database")
        let database = busyDatabase
        try storage.setDatabase(database, at: Sample.here)
        try same(try storage.database(at: Sample.here), database, "a database")
        let shared = Sample.address("iCloud.one", .shared)
        try same(try storage.database(at: shared), SyncDatabase(), "another database")
        try storage.setDatabase(SyncDatabase(), at: Sample.here)
        try same(try storage.database(at: Sample.here), SyncDatabase(), "an emptied database")
    }

    private var busyDatabase: SyncDatabase {
        var database = SyncDatabase()
        database.token = ChangeToken("dG9rZW4=")
        database.generation = 3
        database.isListing = false
        database.isSweeping = true
        database.abortedLists = 2
        database.isExchangeDirty = true
        database.repeats = 1
        database.notBefore = Timestamp(milliseconds: 5)
        database.waitsSince = Timestamp(milliseconds: 4)
        database.wait = .network
        database.failures = 6
        database.halt = .refused
        database.lastRound = Timestamp(milliseconds: 9)
        return database
    }

    func checkForgetting<Storage: SyncStorage>(_ storage: inout Storage) throws {
        let shared = Sample.address("iCloud.one", .shared)
        let other = Sample.address("iCloud.two")
        let account = {
            var account = SyncAccount()
            account.identity = "_alice"
            return account
        }()
        for address in [Sample.here, shared, other] {
            try storage.setDatabase(busyDatabase, at: address)
            try storage.setAccount(account, at: address)
            try storage.setZone(SyncZone(Sample.zone), at: address)
            try storage.note(["a"], in: Sample.zone, at: address, generation: 1)
            try storage.refuseLinks(into: ContentLink(address.container))
        }
        let fence = SyncFence(
            address: Sample.here, zone: Sample.zone, run: "r", since: Sample.now)
        try storage.setFences([fence])
        try storage.putRow(Sample.row("row", link: Sample.link("a"), record: "d-1"))
        var facts = ExchangeFacts()
        facts.isOn = true
        try storage.setExchange(facts)
        try storage.forgetDatabases(beside: shared)
        for address in [Sample.here, shared] {
            let database = try storage.database(at: address)
            try same(database.token, nil, "a forgotten token")
            try same(database.notBefore, busyDatabase.notBefore, "a wait that stays")
            try same(database.waitsSince, busyDatabase.waitsSince, "the wait's begin")
            try same(database.wait, .network, "the wait's reason")
            try same(database.failures, 6, "the count behind the wait")
            try same(database.halt, nil, "a forgotten halt")
            try same(try storage.zone(Sample.zone, at: address), nil, "a forgotten zone")
            try same(
                try storage.notedNames(among: ["a"], in: Sample.zone, at: address, before: 9), [],
                "forgotten names")
            try same(try storage.account(at: address).identity, "_alice", "the account")
        }
        try same(try storage.database(at: other), busyDatabase, "another container's database")
        try hold(try storage.zone(Sample.zone, at: other) != nil, "another container's zone stays")
        try hold(
            !(try storage.refusesLink(ContentLink(Sample.here.container, zone: .init("Y")))),
            "refusals are forgotten")
        try hold(
            try storage.refusesLink(ContentLink(other.container, zone: .init("Y"))),
            "another container's refusals stay")
        try same(try storage.fences(at: Sample.here), [fence], "the fences")
        try same(try storage.exchange(), facts, "the exchange")
        try same(try storage.contents(), ["row"], "the rows")
    }

    func checkReports<Storage: SyncStorage>(_ storage: inout Storage) throws {
        var first = SyncReport()
        first.requests = 2
        first.remove(3, .swept)
        first.zonesGone[.purged] = 1
        first.resurrect(
            Record.Stamp(
                timestamp: Sample.now, userRecordName: "_alice", deviceID: "phone"),
            in: Sample.zone)
        var second = first
        second.waits = 5
        second.remove(1, .zoneGone)
        try storage.addReport(first, at: Sample.here)
        try storage.addReport(second, at: Sample.here)
        var sum = first
        sum.add(second)
        try same(try storage.report(at: Sample.here), sum, "the sum of reports")
        try hold(
            try storage.report(at: Sample.address("iCloud.two")).isEmpty, "another report is empty")
    }

    // MARK: Fences

    func checkFences<Storage: SyncStorage>(_ storage: inout Storage) throws {
        let first = SyncFence(
            address: Sample.here, zone: Sample.zone, run: "r1", since: Sample.now)
        try storage.setFences([first, first])
        try storage.setFences([first])
        try same(try storage.fences(at: Sample.here), [first], "a fence set twice")
        try hold(try storage.isFenced(Sample.zone, at: Sample.here), "the zone is fenced")
        try hold(!(try storage.isFenced(.init("Y"), at: Sample.here)), "another is not")
        let shared = Sample.address("iCloud.one", .shared)
        try hold(!(try storage.isFenced(Sample.zone, at: shared)), "another database's is not")
        try hold(try storage.refusesLink(Sample.link("a")), "links into it are refused")
        try storage.setFences([])
        try same(try storage.fences(at: Sample.here), [first], "a fence stays")
        try same(try storage.liftFences(around: Sample.zone, at: Sample.here), 1, "lifted")
        try same(try storage.liftFences(around: Sample.zone, at: Sample.here), 0, "lifted again")
        try storage.setFences([first])
        try hold(!(try storage.isFenced(Sample.zone, at: Sample.here)), "lifted is lifted")
        try hold(!(try storage.refusesLink(Sample.link("a"))), "links are taken again")
        let second = SyncFence(
            address: Sample.here, zone: Sample.zone, run: "r2", since: Sample.now)
        try storage.setFences([first, second])
        try same(try storage.fences(at: Sample.here), [second], "another run's fence")
    }

    func checkFencesOfUsers<Storage: SyncStorage>(_ storage: inout Storage) throws {
        func fence(_ run: String, of user: String?) -> SyncFence {
            SyncFence(
                address: Sample.here, zone: Sample.zone, run: run, since: Sample.now, user: user)
        }
        func signIn(_ user: String?) throws {
            var account = SyncAccount()
            account.identity = user
            try storage.setAccount(account, at: Sample.here)
        }
        let own = fence("r1", of: "_alice")
        try storage.setFences([fence("r1", of: nil)])
        try storage.setFences([own])
        try same(try storage.fences(at: Sample.here), [own], "a fence whose user became known")
        try signIn("_bob")
        try same(try storage.fences(at: Sample.here), [], "another user's fences")
        try hold(!(try storage.isFenced(Sample.zone, at: Sample.here)), "Bob's zone is free")
        try hold(!(try storage.refusesLink(Sample.link("a"))), "links into it are taken")
        try same(
            try storage.liftFences(around: Sample.zone, at: Sample.here), 0,
            "another user's fence is not lifted")
        try storage.setFences([fence("r2", of: "_bob")])
        try hold(try storage.isFenced(Sample.zone, at: Sample.here), "Bob's own fence stands")
        try signIn("_alice")
        try same(try storage.fences(at: Sample.here), [own], "Alice's fence stands again")
        try hold(try storage.refusesLink(Sample.link("a")), "links are refused again")
    }

    func checkRescues<Storage: SyncStorage>(_ storage: inout Storage) throws {
        let entries = (1...3).map { number in
            SyncRescue(
                at: Timestamp(milliseconds: number), cause: .fenced, zone: Sample.zone,
                recordName: number == 2 ? "d-2" : nil, changes: number)
        }
        for entry in entries { try storage.rescue(entry) }
        try same(try storage.rescues(limit: 10), entries, "the rescue log")
        try same(try storage.rescues(limit: 2), Array(entries.suffix(2)), "its latest entries")
    }

    func checkRefusals<Storage: SyncStorage>(_ storage: inout Storage) throws {
        let zone = Sample.link(nil)
        try storage.refuseLinks(into: zone)
        try storage.refuseLinks(into: zone)
        try hold(try storage.refusesLink(Sample.link("a")), "a record of the zone is refused")
        try hold(try storage.refusesLink(zone), "the zone is refused")
        try hold(!(try storage.refusesLink(Sample.link("a", zone: "Y"))), "another is not")
        try hold(
            !(try storage.refusesLink(ContentLink(Sample.here.container))),
            "the container as a whole is not")
        try storage.allowLinks(into: zone)
        try hold(!(try storage.refusesLink(Sample.link("a"))), "it is taken again")
    }

    func checkSuspensions<Storage: SyncStorage>(_ storage: inout Storage) throws {
        try storage.putRow(Sample.row("row", link: Sample.link("a")))
        try storage.suspend(Sample.here.container)
        try storage.suspend(Sample.here.container)
        try same(try storage.contents(), ["row"], "a suspended row is kept")
        try storage.resume(Sample.here.container)
        try storage.resume(Sample.here.container)
        try same(try storage.contents(), ["row"], "a resumed row is there")
    }
}
