import CloudModel
import DonationSync
import Donations
import Testing

/// The states of a machine and the rules around them.
@Suite struct MachineTests {
    @Test func `a database without changes costs one request`() {
        var script = Script()
        script.settle(["a"])
        let before = script.machine.report.requests
        for round in 2...4 {
            script.crash()
            #expect(script.start() == script.listing(round == 2 ? "d1" : "d\(round - 1)"))
            #expect(script.zones(token: "d\(round)") == .idle)
        }
        #expect(before == 3)
        #expect(script.storage.report(at: script.address).requests == 6)
    }

    @Test func `the public database has no feed and is left alone`() {
        var script = Script(.public)
        #expect(script.start() == .halted(.noFeed))
    }

    @Test func `pages of the database's feed are read to the end before any zone`() {
        var script = Script()
        _ = script.start()
        #expect(script.user() == script.listing(nil))
        #expect(script.zones(["Z"], token: "d1", more: true) == script.listing("d1"))
        #expect(script.zones([], token: "d2", more: true) == script.listing("d2"))
        #expect(script.zones(["Y"], token: "d3") == script.reading(nil, zone: "Y"))
        #expect(script.records("Y", token: "y1") == script.reading(nil))
        #expect(script.records() == .idle)
    }

    @Test func `a crash at any moment repeats at most the open request`() {
        var script = Script()
        _ = script.start()
        _ = script.user()
        _ = script.zones(["Z"], token: "d1", more: true)
        script.crash()
        #expect(script.start() == script.listing("d1"))
        _ = script.zones([], token: "d2")
        _ = script.records("Z", [Script.live("a")], token: "z1", more: true)
        script.donate(about: "a")
        script.crash()
        #expect(script.start() == script.listing("d2"))
        #expect(script.zones([], token: "d2") == script.reading("z1"))
        #expect(script.records("Z", [Script.dead("a")], token: "z2") == .idle)
        #expect(script.shown.isEmpty)
    }

    @Test func `a transaction that is not kept leaves neither the effects nor the token`() {
        var script = Script()
        script.settle(["a"])
        script.donate(about: "a")
        _ = script.startReading()
        let backup = script.storage
        _ = script.records("Z", [Script.dead("a")], token: "z2")
        #expect(script.storage.zone(script.id("Z"), at: script.address)?.token?.rawValue == "z2")
        #expect(script.shown.isEmpty)
        script.storage = backup
        script.crash()
        _ = script.start()
        #expect(script.zones([], token: "d2") == script.reading("z1"))
        #expect(script.shown == ["Z/a"])
    }

    @Test func `empty pages with more to come are not the end`() {
        var script = Script()
        script.settle(["a"])
        _ = script.startReading()
        for page in 2...70 {
            #expect(
                script.records("Z", [], token: "z\(page)", more: true)
                    == script.reading("z\(page)"))
        }
        #expect(script.records("Z", [], token: "z71") == .idle)
    }

    @Test func `a zone's feed that stands still is left alone for a while`() {
        var script = Script()
        script.settle(["a"])
        _ = script.startReading()
        for _ in 1...2 {
            #expect(script.records("Z", [], token: "z1", more: true) == script.reading())
        }
        let action = script.records("Z", [], token: "z1", more: true)
        guard case .wait(let until, .stuckFeed) = action else {
            Issue.record("\(action)")
            return
        }
        script.crash()
        #expect(script.start() == .wait(until: until, .stuckFeed))
    }

    @Test func `a database's feed that stands still is left alone for a while`() {
        var script = Script()
        script.settle([])
        _ = script.start()
        _ = script.zones([], token: "d1", more: true)
        _ = script.zones([], token: "d1", more: true)
        let action = script.zones([], token: "d1", more: true)
        guard case .wait(_, .stuckFeed) = action else {
            Issue.record("\(action)")
            return
        }
    }

    @Test func `the empty token is never stored nor sent`() {
        var script = Script()
        script.settle(["a"])
        _ = script.start()
        #expect(script.zones(["Z"], token: "") == script.reading())
        #expect(script.records("Z", [], token: "") == .idle)
        #expect(script.start() == script.listing("d1"))
        #expect(script.zones(["Z"], token: "") == script.reading())
    }

    @Test func `an aborted scan sweeps nothing`() {
        var script = Script()
        script.settle(["a", "b"])
        script.donate(about: "a")
        _ = script.startReading()
        _ = script.noZone(code: .badRequest)
        _ = script.user()
        #expect(
            script.records("Z", [Script.live("b")], token: "y1", more: true)
                == script.reading("y1"))
        _ = script.fail(.networkFailure)
        #expect(script.shown == ["Z/a"])
        script.crash()
        script.pass(.seconds(300))
        _ = script.start()
        #expect(script.zones([], token: "d2") == script.reading("y1"))
        // The scan's own token is refused: it begins again.
        #expect(script.noZone(code: .badRequest) == .read(.caller))
        #expect(script.user() == script.reading(nil))
        #expect(
            script.records("Z", [Script.live("a"), Script.live("b")], token: "x1") == .idle)
        #expect(script.shown == ["Z/a"])
    }

    @Test func `a record first seen in an aborted scan is no older one of its name`() {
        var script = Script()
        script.settle(["a"])
        _ = script.startReading()
        _ = script.noZone(code: .badRequest)
        _ = script.user()
        let new = Script.live("new", created: 50)
        _ = script.records("Z", [new], token: "y1", more: true)
        script.donate(about: "new")
        #expect(script.noZone(code: .badRequest) == .read(.caller))
        #expect(script.user() == script.reading(nil))
        #expect(script.records("Z", [Script.live("a"), new], token: "x1") == .idle)
        #expect(script.shown == ["Z/new"])
    }

    @Test func `a page about another zone is not taken`() {
        var script = Script()
        script.settle(["a"])
        script.donate(about: "a")
        _ = script.startReading()
        guard case .wait(_, .unavailable) = script.records("Y", [Script.dead("a")], token: "z2")
        else {
            Issue.record("taken")
            return
        }
        #expect(script.shown == ["Z/a"])
    }

    @Test func `a zone that the database's feed cannot tell of is asked itself`() {
        var script = Script()
        script.settle(["a"])
        _ = script.start()
        let page = ZonePage(
            zones: [.failure(script.id("Z"), CloudError(.internalError))],
            token: ChangeToken("d2"), moreComing: false)
        #expect(script.answer(.zonePage(page)) == script.reading())
    }

    @Test func `a long sweep goes on in further transactions, also after a crash`() {
        var script = Script { $0.sweepLimit = 1 }
        script.settle(["a", "b", "c", "d"])
        for record in ["a", "b", "c"] { script.donate(about: record) }
        _ = script.startReading()
        _ = script.noZone(code: .badRequest)
        _ = script.user()
        #expect(script.records("Z", [Script.live("d")], token: "y1") == .again)
        #expect(script.shown == ["Z/b", "Z/c"])
        #expect(script.start() == .again)
        script.crash()
        _ = script.start()
        #expect(script.zones([], token: "d2") == .idle)
        #expect(script.shown.isEmpty)
    }

    @Test func `a record made again under its old name is another one`() {
        var script = Script()
        script.settle(["a", "b"])
        script.donate(about: "a")
        script.donate(about: "b")
        _ = script.startReading()
        _ = script.noZone(code: .badRequest)
        _ = script.user()
        _ = script.records(
            "Z", [Script.live("a", created: 11), Script.live("b")], token: "y1")
        #expect(script.shown == ["Z/b"])
    }

    @Test func `a deletion of a known record in a scan says that the zone is the same`() {
        var script = Script()
        script.settle(["a"])
        script.donate(about: "a")
        script.donate(about: "never uploaded")
        _ = script.startReading()
        _ = script.noZone(code: .badRequest)
        _ = script.user()
        #expect(script.records("Z", [Script.dead("a")], token: "y1") == .idle)
        #expect(script.shown == ["Z/never uploaded"])
    }

    @Test func `a deletion of a record never seen is no trouble`() {
        var script = Script()
        script.settle(["a"])
        script.donate(about: "a")
        _ = script.startReading()
        #expect(script.records("Z", [Script.dead("phantom")], token: "z2") == .idle)
        #expect(script.shown == ["Z/a"])
    }

    @Test func `a record that cannot be delivered counts as alive`() {
        var script = Script()
        script.settle(["a", "b"])
        script.donate(about: "a")
        _ = script.startReading()
        _ = script.noZone(code: .badRequest)
        _ = script.user()
        let failed = Record.Item.failure(recordName: "a", CloudError(.internalError))
        #expect(script.records("Z", [failed, Script.live("b")], token: "y1") == .idle)
        #expect(script.shown == ["Z/a"])
    }

    @Test func `zones that a new list lacks are asked for before they count as gone`() {
        var script = Script()
        _ = script.start()
        _ = script.user()
        _ = script.zones(["X", "Y", "Z"])
        for zone in ["X", "Y", "Z"] { _ = script.records(zone, [Script.live("a")]) }
        for zone in ["X", "Y", "Z"] { script.donate(about: "a", zone: zone) }
        _ = script.start()
        #expect(script.fail(.badRequest) == .read(.caller))
        #expect(script.user() == script.listing(nil))
        #expect(script.zones(["X"], token: "e1") == script.reading(zone: "X"))
        #expect(script.records("X") == script.reading(zone: "Y"))
        #expect(script.noZone("Y") == script.reading())
        #expect(script.records() == .idle)
        #expect(script.shown == ["X/a", "Z/a"])
    }

    @Test func `a zone that is alive again after it was gone is read as a new one`() {
        var script = Script()
        script.settle(["a"])
        script.donate(about: "a")
        _ = script.start()
        _ = script.zones(gone: [("Z", .deleted)], token: "d2")
        script.donate(about: "a")
        _ = script.start()
        #expect(script.zones(["Z"], token: "d3") == script.reading(nil))
        #expect(script.records("Z", [Script.live("a", created: 20)], token: "y1") == .idle)
        #expect(script.shown == ["Z/a"])
    }

    @Test func `the default zone and other apps' donation zones are not read`() {
        var script = Script()
        _ = script.start()
        _ = script.user()
        #expect(script.zones(["_defaultZone", "Donations-00ff"]) == .idle)
    }

    @Test func `an answer to what an older account was asked does not count`() {
        var script = Script()
        script.settle(["a"])
        _ = script.startReading()
        script.storage = {
            var storage = script.storage
            var account = storage.account(at: script.address)
            account.epoch += 1
            storage.forgetDatabases(beside: script.address)
            storage.setAccount(account, at: script.address)
            return storage
        }()
        #expect(script.records("Z", [Script.live("b")], token: "z2") == .read(.caller))
        #expect(script.storage.zone(script.id("Z"), at: script.address) == nil)
    }

    @Test func `a zone's page that arrives twice is counted once`() {
        var script = Script()
        script.settle(["a"])
        _ = script.startReading()
        _ = script.records("Z", [Script.live("b")], token: "z2")
        // Nobody asked: the machine begins a round.
        #expect(script.records("Z", [Script.live("b")], token: "z2") == script.listing("d2"))
    }

    @Test(arguments: [
        CloudReply.done, .zones([]), .zoneChanges([]), .records(RecordsReply(records: [])),
    ])
    func `an answer of another kind changes nothing and is asked for again later`(
        reply: CloudReply
    ) {
        var script = Script()
        script.settle(["a"])
        script.donate(about: "a")
        _ = script.startReading()
        guard case .wait(_, .unavailable) = script.answer(reply) else {
            Issue.record("no wait")
            return
        }
        script.pass(.seconds(200))
        _ = script.start()
        #expect(script.zones([], token: "d2") == script.reading())
        #expect(script.shown == ["Z/a"])
    }
}
