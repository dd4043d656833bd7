import DonationSync
import Donations
import Testing

/// Zones that were erased on purpose.
@Suite struct FenceTests {
    private func fence(_ script: Script, run: String = "r1") -> SyncFence {
        SyncFence(address: script.address, zone: script.id("Z"), run: run, since: script.now)
    }

    @Test func `a fence takes what is linked along and lets nothing new in`() {
        var script = Script()
        script.settle(["a"])
        script.donate(about: "a")
        script.donate(about: "a", zone: "Y")
        script.storage.setFences([fence(script)])
        #expect(script.donateLinked() == .refusedRestricted)
        _ = script.start()
        #expect(script.shown == ["Y/a"])
        #expect(script.machine.report.removed == [.fenced: 1])
    }

    @Test func `a fence acts at once, also while the service asks for time`() {
        var script = Script()
        script.settle(["a"])
        script.donate(about: "a")
        _ = script.start()
        _ = script.fail(.throttled, after: .seconds(600))
        script.storage.setFences([fence(script)])
        guard case .wait = script.start() else {
            Issue.record("no wait")
            return
        }
        #expect(script.shown.isEmpty)
    }

    @Test func `records in a fenced zone are reported and not applied`() {
        var script = Script()
        script.settle(["a"])
        script.storage.setFences([fence(script)])
        _ = script.startReading()
        let items = [
            Script.live("a", created: 30, modified: 50), Script.live("b", created: 40),
            Script.dead("c"),
        ]
        #expect(script.records("Z", items, token: "z2") == .idle)
        let found = script.storage.report(at: script.address).resurrected[script.id("Z")]
        #expect(found?.records == 2)
        #expect(found?.devices == ["phone"])
        #expect(found?.first.milliseconds == 40)
        #expect(found?.last.milliseconds == 50)
        #expect(
            script.storage.notedNames(
                among: ["b"], in: script.id("Z"), at: script.address, before: .max
            ).isEmpty)
    }

    @Test func `only the user's act lifts a fence, and the zone is read anew then`() throws {
        var script = Script()
        script.settle(["a"])
        script.storage.setFences([fence(script)])
        _ = script.startReading()
        _ = script.records("Z", [Script.live("b")], token: "z2")
        script.crash()
        script.storage.setFences([fence(script)])
        #expect(script.storage.isFenced(script.id("Z"), at: script.address))
        #expect(script.storage.unfence(script.id("Z"), at: script.address) == 1)
        // The journal tells of the same run again: lifted is lifted.
        script.storage.setFences([fence(script)])
        #expect(!script.storage.isFenced(script.id("Z"), at: script.address))
        #expect(script.donateLinked() == .stored)
        _ = script.start()
        #expect(script.zones(token: "d2") == script.reading(nil))
        #expect(script.records("Z", [Script.live("b")], token: "z3") == .idle)
        #expect(script.shown == ["new"])
        // Another run fences it again.
        script.storage.setFences([fence(script, run: "r2")])
        _ = script.start()
        #expect(script.shown.isEmpty)
    }

    @Test func `another user's zone of the same name is not fenced`() {
        var script = Script()
        script.settle(["a"])
        script.storage.setFences([
            SyncFence(
                address: script.address, zone: script.id("Z"), run: "r1", since: script.now,
                user: "_alice")
        ])
        #expect(script.donateLinked() == .refusedRestricted)
        _ = script.start()
        _ = script.fail(.badRequest)
        _ = script.user("_carol")
        _ = script.user("_carol")
        #expect(script.zones(["Z"]) == script.reading(nil))
        #expect(script.donateLinked() == .stored)
        #expect(script.records("Z", [Script.live("new")]) == .idle)
        #expect(script.shown == ["new"])
        #expect(script.storage.report(at: script.address).resurrected.isEmpty)
    }
}
