import CloudModel
import DonationSync
import Donations
import Testing

/// What a remote event does to donations: one test for each row of the table.
@Suite struct ContentTableTests {
    @Test func `a deleted record takes what is linked to it along, and nothing else`() {
        var script = Script()
        script.settle(["a", "b"])
        script.donate(about: "a")
        script.donate(about: "b")
        script.donate(about: nil)
        #expect(script.startReading() == script.reading())
        #expect(script.records("Z", [Script.dead("a")], token: "z2") == .idle)
        #expect(script.shown == ["Z/b", "Z/zone"])
        #expect(script.machine.report.removed == [.recordDeleted: 1])
    }

    @Test func `an item linked to the record takes its activities along`() {
        var script = Script()
        script.settle(["a"])
        _ = script.donate(.searchableItem, "item", link: script.link("a"))
        _ = script.donate(.activity, "", link: nil) {
            $0.title = "view"
            $0.relatedIdentifier = "item"
        }
        _ = script.donate(.activity, "", link: nil) {
            $0.title = "weak"
            $0.weakRelatedIdentifier = "item"
        }
        _ = script.startReading()
        _ = script.records("Z", [Script.dead("a")], token: "z2")
        #expect(script.shown == ["activity weak", "savedActivity weak"])
    }

    @Test func `a group goes with the record, unless it is also about another one`() {
        var script = Script()
        script.settle(["a", "b"])
        for (name, record, group) in [
            ("1", "a", "own"), ("2", nil, "own"), ("3", "a", "both"), ("4", "b", "both"),
            ("5", nil, "both"), ("6", nil, "other"),
        ] {
            _ = script.donate(.interaction, name, link: record.map { script.link($0) }) {
                $0.group = group
            }
        }
        _ = script.startReading()
        _ = script.records("Z", [Script.dead("a")], token: "z2")
        #expect(script.shown == ["4", "5", "6"])
    }

    @Test func `a persistent identifier goes with the record, unless another one has it too`() {
        var script = Script()
        script.settle(["a", "b"])
        for (title, record, name) in [
            ("1", "a", "own"), ("2", nil, "own"), ("3", "a", "both"), ("4", "b", "both"),
            ("5", nil, "both"),
        ] {
            _ = script.donate(.activity, "", link: record.map { script.link($0) }) {
                $0.persistentIdentifier = name
                $0.title = title
            }
        }
        _ = script.donate(.interaction, "scrubbed", link: nil) {
            $0.nestedActivity = .init(
                activityType: "T", persistentIdentifier: "own", payload: [])
        }
        _ = script.startReading()
        _ = script.records("Z", [Script.dead("a")], token: "z2")
        #expect(script.shown == ["activity 4", "activity 5", "savedActivity 5", "scrubbed"])
        #expect(script.storage.visibleRows.allSatisfy { $0.nestedActivity == nil })
    }

    @Test func `a zone that was deleted takes everything linked into it along`() {
        var script = Script()
        script.settle(["a"])
        for record in ["a", "never uploaded", nil] { script.donate(about: record) }
        script.donate(about: "a", zone: "Y")
        _ = script.start()
        #expect(script.zones(gone: [("Z", .deleted)], token: "d2") == .idle)
        #expect(script.shown == ["Y/a"])
        #expect(script.status == .gone(.deleted))
        #expect(script.donateLinked() == .stored)
    }

    @Test func `a purged zone takes no new donations until it is seen alive again`() {
        var script = Script()
        script.settle(["a"])
        script.donate(about: "a")
        _ = script.start()
        #expect(script.zones(gone: [("Z", .purged)], token: "d2") == .idle)
        #expect(script.shown.isEmpty)
        #expect(script.donateLinked() == .refusedRestricted)
        script.crash()
        _ = script.start()
        #expect(script.zones(["Z"], token: "d3") == script.reading(nil))
        #expect(script.records("Z", [], token: "y1") == .idle)
        #expect(script.donateLinked() == .stored)
    }

    @Test(arguments: [false, true])
    func `an encrypted data reset takes donations along unless they are to be kept`(
        keeps: Bool
    ) {
        var script = Script { $0.keepsDonationsOnReset = keeps }
        script.settle(["a"])
        script.donate(about: "a")
        _ = script.start()
        _ = script.zones(gone: [("Z", .encryptedDataReset)], token: "d2")
        #expect(script.shown == (keeps ? ["Z/a"] : []))
        #expect(script.status == .gone(.encryptedDataReset))
    }

    @Test func `a zone not found that the feed calls gone is gone`() {
        var script = Script()
        script.settle(["a"])
        script.donate(about: "a")
        _ = script.startReading()
        #expect(script.noZone() == script.listing("d2"))
        #expect(script.shown == ["Z/a"])
        #expect(script.zones(gone: [("Z", .deleted)], token: "d3") == .idle)
        #expect(script.shown.isEmpty)
    }

    @Test func `a zone not found of which the feed is silent deletes nothing`() {
        var script = Script()
        script.settle(["a"])
        script.donate(about: "a")
        _ = script.startReading()
        _ = script.noZone()
        #expect(script.zones(token: "d3") == .idle)
        #expect(script.shown == ["Z/a"])
        #expect(script.status == .unclear)
        #expect(script.machine.report.zonesUnclear == 1)
        // And it is asked for no more.
        #expect(script.start() == script.listing("d3"))
        #expect(script.zones(token: "d3") == .idle)
    }

    @Test func `a zone not found because the user purged it is gone at once`() {
        var script = Script()
        script.settle(["a"])
        script.donate(about: "a")
        _ = script.startReading()
        let reason = RecordZone.DeletionReason.purged.errorReason
        #expect(script.noZone(reason: reason) == .idle)
        #expect(script.shown.isEmpty)
        #expect(script.status == .gone(.purged))
        #expect(script.donateLinked() == .refusedRestricted)
    }

    @Test func `another zone of the same name takes along what was seen in the old one`() {
        var script = Script()
        script.settle(["a", "b"])
        for record in ["a", "b", "alive", "never uploaded", nil] { script.donate(about: record) }
        _ = script.startReading()
        #expect(script.noZone(code: .badRequest) == .read(.caller))
        #expect(script.user() == script.reading(nil))
        // "a" again, but made later than anything seen before.
        let records = [Script.live("a", created: 11), Script.live("alive", created: 12)]
        #expect(script.records("Z", records, token: "y1") == .idle)
        #expect(script.shown == ["Z/alive", "Z/never uploaded", "Z/zone"])
        #expect(script.machine.report.removed == [.recordDeleted: 1, .swept: 1])
        #expect(script.machine.report.zonesGone.isEmpty)
    }

    @Test(arguments: [["new"], []])
    func `a zone emptied of all that was seen loses that and nothing else`(alive: [String]) {
        var script = Script()
        script.settle(["a", "b"])
        for record in ["a", "b", "new", "never uploaded", nil] { script.donate(about: record) }
        script.donate(about: "a", zone: "Y")
        _ = script.startReading()
        _ = script.noZone(code: .badRequest)
        #expect(script.user() == script.reading(nil))
        let records = alive.map { Script.live($0, created: 11) }
        #expect(script.records("Z", records, token: "y1") == .idle)
        #expect(script.shown == ["Y/a", "Z/never uploaded", "Z/new", "Z/zone"])
        #expect(script.machine.report.removed == [.swept: 2])
        #expect(script.status == .live)
    }

    @Test func `after an expired token what a full scan lacks is deleted, the rest stays`() {
        var script = Script()
        script.settle(["a", "b", "c"])
        for record in ["a", "b", "never uploaded", nil] { script.donate(about: record) }
        _ = script.startReading()
        #expect(script.noZone(code: .badRequest) == .read(.caller))
        #expect(script.user() == script.reading(nil))
        #expect(
            script.records("Z", [Script.live("c")], token: "y1", more: true)
                == script.reading("y1"))
        #expect(script.shown.count == 4)
        #expect(script.records("Z", [Script.live("b")], token: "y2") == .idle)
        #expect(script.shown == ["Z/b", "Z/never uploaded", "Z/zone"])
        #expect(script.machine.report.removed == [.swept: 1])
    }

    @Test func `a share that was left takes what is linked to its zone along`() {
        var script = Script(.shared)
        script.settle(["a"])
        script.donate(about: "a")
        _ = script.start()
        #expect(script.zones(gone: [("Z", .deleted)], token: "d2") == .idle)
        #expect(script.shown.isEmpty)
        #expect(script.status == .gone(.unshared))
    }

    @Test func `signing out deletes what is linked to the container, here only`() {
        var script = Script()
        script.settle(["a"])
        script.donate(about: "a")
        _ = script.donate(.interaction, "unlinked", link: nil)
        _ = script.donate(.interaction, "other", link: ContentLink(container: "iCloud.other"))
        script.signOut()
        #expect(script.shown == ["other", "unlinked"])
        #expect(script.storage.zones(at: script.address, limit: 10).isEmpty)
        #expect(script.storage.pendingDeletes(limit: 10).isEmpty)
        #expect(script.start() == .read(.caller))
    }

    @Test func `another user starts anew, without what belongs to the one before`() {
        var script = Script()
        script.settle(["a"])
        script.donate(about: "a")
        _ = script.start()
        #expect(script.fail(.badRequest) == .read(.caller))
        #expect(script.shown == ["Z/a"])
        #expect(script.user("_carol") == .read(.caller))
        #expect(script.shown.isEmpty)
        #expect(script.user("_carol") == script.listing(nil))
        #expect(script.machine.report.removed == [.accountLeft: 1])
    }

    @Test func `a restricted container's donations rest until a read succeeds`() {
        var script = Script()
        script.settle(["a"])
        script.donate(about: "a")
        _ = script.start()
        #expect(script.fail(.accessDenied) == .halted(.restricted))
        #expect(script.shown.isEmpty)
        script.crash()
        _ = script.start()
        #expect(script.zones(token: "d2") == .idle)
        #expect(script.shown == ["Z/a"])
    }

    @Test func `a suspension by the app is not lifted by the sync`() {
        var script = Script()
        script.settle([])
        script.donate(about: "a")
        script.storage.suspendedByApp = [Script.container.rawValue]
        _ = script.start()
        _ = script.zones(token: "d2")
        #expect(script.shown.isEmpty)
    }
}

extension Script {
    /// The request for a zone's changes.
    func reading(_ token: String? = "z1", zone: String = "Z") -> SyncAction {
        .read(
            .zoneChanges([
                ZoneChangesRequest(
                    zoneID: id(zone), token: token.map { ChangeToken($0) }, desiredKeys: [])
            ]))
    }

    /// The request for the database's changes.
    func listing(_ token: String?) -> SyncAction {
        .read(.databaseChanges(token: token.map { ChangeToken($0) }, limit: nil))
    }

    var status: SyncZoneStatus? { storage.zone(id("Z"), at: address)?.status }

    mutating func donateLinked() -> DonationOutcome {
        donate(.interaction, "new", link: link("new"))
    }
}
