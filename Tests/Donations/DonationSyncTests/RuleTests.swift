import DonationSync
import Donations
import Testing

/// Each rule in a short history. `Tests/Mutations/table.txt` plants bugs for most.
@Suite struct RuleTests {
    enum Rule: String, CaseIterable {
        case sweepsAfterScan, sweepsOnlyCompleteScans, keepsNeverSeen, honoursFences
        case refusesPurgedZones, unclearDeletesNothing, checksIdentity, followsZoneDeletions
        case keepsWaits, sweepsZoneList
    }

    @Test(arguments: Rule.allCases)
    func `a history ends as the rule wants`(rule: Rule) {
        #expect(history(rule) == expected(rule))
    }

    private func expected(_ rule: Rule) -> [String] {
        switch rule {
        case .sweepsAfterScan: ["Z/b", "Z/new"]
        case .sweepsOnlyCompleteScans, .unclearDeletesNothing: ["Z/a", "Z/b", "Z/new"]
        case .keepsNeverSeen: ["Z/b", "Z/new"]
        case .honoursFences, .refusesPurgedZones, .checksIdentity, .followsZoneDeletions,
            .sweepsZoneList:
            []
        case .keepsWaits: ["waits"]
        }
    }

    private func history(_ rule: Rule) -> [String] {
        var script = Script()
        var action = script.start()
        if action == .read(.caller) { action = script.user() }
        _ = script.zones(["Z"])
        _ = script.records("Z", [Script.live("a"), Script.live("b")])
        for record in ["a", "b", "new"] { script.donate(about: record) }
        switch rule {
        case .sweepsAfterScan, .sweepsOnlyCompleteScans, .keepsNeverSeen:
            _ = script.startReading()
            _ = script.noZone(code: .badRequest)
            _ = script.user()
            let isAborted = rule == .sweepsOnlyCompleteScans
            _ = script.records("Z", [Script.live("b")], token: "y", more: isAborted)
            if isAborted { _ = script.fail(.networkFailure) }
        case .honoursFences:
            script.storage.setFences([
                SyncFence(
                    address: script.address, zone: script.id("Z"), run: "r", since: script.now)
            ])
            _ = script.start()
        case .refusesPurgedZones:
            _ = script.start()
            _ = script.zones(gone: [("Z", .purged)])
            script.donate(about: "new")
        case .unclearDeletesNothing:
            _ = script.startReading()
            _ = script.noZone()
            _ = script.zones(token: "d3")
        case .checksIdentity:
            _ = script.start()
            if script.fail(.badRequest) == .read(.caller) { _ = script.user("_carol") }
        case .followsZoneDeletions:
            _ = script.start()
            _ = script.zones(gone: [("Z", .deleted)])
        case .sweepsZoneList:
            _ = script.start()
            _ = script.fail(.badRequest)
            _ = script.user()
            if script.zones([], token: "e1") == script.reading() { _ = script.noZone() }
        case .keepsWaits:
            _ = script.start()
            _ = script.fail(.throttled, after: .seconds(60))
            guard case .wait = script.start() else { return ["goes on"] }
            return ["waits"]
        }
        return script.shown
    }
}
