import CloudModel
import CommandLine
import CommandWorld
import Commands
import DonationSync
import Foundation
import SyncEngine
import Testing

/// Local donations follow the cloud: the whole program, over TLS, on several devices.
@Suite(.timeLimit(.minutes(30)))
struct SyncEndToEndTests {
    /// A contact with everything that was donated about it, another one, a document, and something
    /// that is about no content.
    static let donations = """
        [
          { "kind": "searchableItem", "identifier": "person-one", "title": "Wilhelmina",
            \(link("note-ann-1")) },
          { "kind": "activity", "type": "com.example.view", "title": "Wilhelmina",
            "persistentIdentifier": "view-person-one", "relatedIdentifier": "person-one",
            "begin": "2026-11-17T11:58:00Z" },
          { "kind": "interaction", "type": "Call", "identifier": "call-one", "group": "group-one",
            "begin": "2026-11-17T12:01:00Z", \(link("note-ann-1")) },
          { "kind": "interaction", "type": "Message", "identifier": "message-one",
            "group": "group-one", "begin": "2026-11-17T12:02:00Z" },
          { "kind": "searchableItem", "identifier": "person-two", "title": "Bartholomew",
            \(link("note-ann-2")) },
          { "kind": "interaction", "type": "Call", "identifier": "call-two", "group": "group-two",
            "begin": "2026-11-17T12:03:00Z", \(link("note-ann-2")) },
          { "kind": "interaction", "type": "Open", "identifier": "open-document",
            "begin": "2026-11-17T12:04:00Z",
            \(link("doc-ann", zone: "Documents", container: SyncScene.documents)) },
          { "kind": "interaction", "type": "Play", "identifier": "about-nothing",
            "begin": "2026-11-17T12:05:00Z" }
        ]
        """

    static func link(
        _ record: String, zone: String = "Notes", container: String = SyncScene.main
    ) -> String {
        """
        "link": { "container": "\(container)", "scope": "private", "zone": "\(zone)",
                  "record": "\(record)" }
        """
    }

    static let aboutOne = [
        "interaction call-one", "interaction message-one", "savedActivity view-person-one",
        "searchableItem person-one",
    ]
    static let others = [
        "interaction about-nothing", "interaction call-two", "interaction open-document",
        "searchableItem person-two",
    ]
    static let unlinked = ["interaction about-nothing"]

    @Test func `three devices and a sweep`() async throws {
        try await SyncScene.run { scene in
            for device in ["phone", "tablet", "watch"] {
                let donated = try await scene.donate(device, Self.donations)
                #expect(donated.code == 0, "\(donated.output)\(donated.errors)")
                let first = await scene.sync(device)
                #expect(first.code == 0, "\(first.output)\(first.errors)")
                #expect(first.output.hasPrefix("IN STEP: "))
                #expect(try await scene.contents(device) == (Self.aboutOne + Self.others).sorted())
            }
            let bob = Self.donations.replacing("note-ann", with: "note-bob")
            _ = try await scene.donate("bob", bob.replacing("doc-ann", with: "doc-bob"))
            #expect(await scene.sync("bob", user: "BOB").code == 0)

            // A contact deleted on one device takes everything about it along, on all of them.
            try await scene.deleteRecord("note-ann-1", in: "Notes")
            for device in ["phone", "tablet", "watch"] {
                let synced = await scene.sync(device)
                #expect(synced.code == 0, "\(synced.output)\(synced.errors)")
                #expect(try await scene.contents(device) == Self.others)
            }

            // Signing out acts here only.
            #expect(await scene.cksweep("watch", ["sync", "sign-out"]).code == 3)
            let out = await scene.cksweep("watch", ["sync", "sign-out", "--yes"])
            #expect(out.code == 0 && out.output.hasPrefix("SIGNED OUT: 3 donations"))
            #expect(try await scene.contents("watch") == Self.unlinked)
            for device in ["phone", "tablet"] {
                #expect(await scene.sync(device).code == 0)
                #expect(try await scene.contents(device) == Self.others)
            }

            // A swept container leaves nothing linked to it anywhere.
            let swept = await scene.cksweep(
                "phone", ["sweep", "--verify-pause", "1ms"], typed: [SweepVerbTests.phrase],
                isTerminal: true)
            #expect(swept.code == 0, "\(swept.output)\(swept.errors)")
            #expect(try await scene.contents("phone") == Self.unlinked)
            for device in ["phone", "tablet", "watch"] {
                let synced = await scene.sync(device)
                #expect(synced.code == 0, "\(synced.output)\(synced.errors)")
                #expect(try await scene.contents(device) == Self.unlinked)
            }

            // The other user keeps everything.
            #expect(await scene.sync("bob", user: "BOB").code == 0)
            #expect(try await scene.contents("bob") == (Self.aboutOne + Self.others).sorted())
        }
    }

    @Test func `S14 what was swept does not come back through us`() async throws {
        try await SyncScene.run { scene in
            _ = try await scene.donate("phone", Self.donations)
            #expect(await scene.cksweep("phone", ["sync", "enable", "--items"]).code == 0)
            #expect(await scene.sync("phone").code == 0)
            let swept = await scene.cksweep(
                "phone", ["sweep", "--verify-pause", "1ms"],
                typed: ["delete 7 zones in 3 containers"], isTerminal: true)
            #expect(swept.code == 0, "\(swept.output)\(swept.errors)")

            // Nothing about an erased zone is taken, and nothing is sent into one.
            let refused = try await scene.donate(
                "phone",
                """
                [ { "kind": "interaction", "type": "Call", "identifier": "late",
                    "begin": "2026-11-18T09:00:00Z", \(Self.link("note-ann-2")) },
                  { "kind": "interaction", "type": "Play", "identifier": "later",
                    "begin": "2026-11-18T09:01:00Z" } ]
                """)
            #expect(refused.output.contains("the zone was erased"), "\(refused.output)")
            let synced = await scene.sync("phone")
            #expect([0, 5].contains(synced.code), "\(synced.output)\(synced.errors)")
            let zones = try await scene.withDatabase { try await $0.zones().zones.map(\.id) }
            #expect(zones.filter { !$0.isDefault } == [])

            // What another device puts there is reported and not applied.
            _ = try await scene.withDatabase { database in
                _ = try await database.modifyZones([.create(RecordZone.ID("Notes"))])
                return try await database.modifyRecords(
                    RecordModifyRequest(
                        operations: [
                            RecordOperation(.create, recordName: "back", recordType: "Note")
                        ], zoneID: RecordZone.ID("Notes")))
            }
            let back = await scene.sync("phone")
            #expect(back.code == 5, "\(back.output)\(back.errors)")
            #expect(
                back.output.contains("received in the deleted zone Notes: 1 record of 1 device, "))

            // Only a person lifts the fence.
            let fences = await scene.cksweep("phone", ["sync", "fences"])
            #expect(fences.code == 0 && fences.output.contains("Notes"))
            let wrong = await scene.cksweep("phone", ["sync", "unfence", "Noets"])
            #expect(wrong.code == 2 && wrong.errors.contains("did you mean \"Notes\"?"))
            let lifted = await scene.cksweep(
                "phone", ["sync", "unfence", "Notes", "--container", SyncScene.main])
            #expect(lifted.code == 0, "\(lifted.errors)")
            let again = await scene.sync("phone")
            #expect(again.code == 0, "\(again.output)\(again.errors)")
            let taken = try await scene.donate(
                "phone",
                """
                [ { "kind": "interaction", "type": "Call", "identifier": "anew",
                    "begin": "2026-11-18T10:00:00Z", \(Self.link("back")) } ]
                """)
            #expect(taken.output == "1 stored\n", "\(taken.output)")
            try checkFiles(scene, "phone")
        }
    }

    @Test func `what the person does in the settings of a device is followed`() async throws {
        try await SyncScene.run { scene in
            _ = try await scene.donate("phone", Self.donations)
            #expect(await scene.sync("phone").code == 0)
            let account = ["--user", "ann", "--container", SyncScene.main]

            // Expired tokens cost a scan and nothing else.
            #expect(await scene.act(["expire-tokens"]) == 0)
            let scanned = await scene.sync("phone")
            #expect(scanned.code == 0, "\(scanned.output)\(scanned.errors)")
            #expect(try await scene.contents("phone") == (Self.aboutOne + Self.others).sorted())

            // A restricted container rests, and is back when it is opened again.
            #expect(await scene.act(["restrict"] + account) == 0)
            #expect(await scene.sync("phone").code == 7)
            #expect(try await scene.contents("phone") == (Self.aboutOne + Self.others).sorted())
            #expect(await scene.act(["unrestrict"] + account) == 0)
            #expect(await scene.sync("phone").code == 0)

            // A purge takes the donations along, and none are taken until the zone is back.
            #expect(await scene.act(["purge", "--zone", "Notes"] + account) == 0)
            let purged = await scene.sync("phone")
            #expect(purged.code == 0, "\(purged.output)\(purged.errors)")
            let left = ["interaction about-nothing", "interaction open-document"]
            #expect(try await scene.contents("phone") == left)
            let call = """
                [ { "kind": "interaction", "type": "Call", "identifier": "late",
                    "begin": "2026-11-18T09:00:00Z", \(Self.link("note-ann-2")) } ]
                """
            let refused = try await scene.donate("phone", call)
            #expect(refused.output.contains("the zone was erased"), "\(refused.output)")
            _ = try await scene.withDatabase {
                try await $0.modifyZones([.create(RecordZone.ID("Notes"))])
            }
            #expect(await scene.sync("phone").code == 0)
            #expect(try await scene.donate("phone", call).output == "1 stored\n")
        }
    }

    @Test func `one of something is told as one`() async throws {
        try await SyncScene.run { scene in
            let call = """
                [ { "kind": "interaction", "type": "Call", "identifier": "call-one",
                    "begin": "2026-11-17T12:01:00Z", \(Self.link("note-ann-1")) } ]
                """
            _ = try await scene.donate("phone", call)
            #expect(await scene.sync("phone").code == 0)
            try await scene.deleteRecord("note-ann-1", in: "Notes")
            let synced = await scene.sync("phone")
            #expect(synced.output.contains("1 donation removed"), "\(synced.output)")
            #expect(synced.output.contains("  1 removed: the record was deleted"))
            let status = await scene.cksweep("phone", ["sync", "status"])
            #expect(status.output.contains(", 1 donation removed\n"), "\(status.output)")

            _ = try await scene.donate(
                "watch", call.replacingOccurrences(of: "note-ann-1", with: "note-ann-2"))
            #expect(await scene.cksweep("watch", ["sync", "enable"]).code == 0)
            let waiting = await scene.cksweep("watch", ["sync", "status"])
            #expect(waiting.output.contains("starts with the next sync; to be sent: 1 donation\n"))
            #expect(await scene.sync("watch").code == 0)
            let joined = await scene.cksweep("watch", ["sync", "status"])
            #expect(joined.output.contains("; 1 device, 1 round confirmed\n"), "\(joined.output)")
            let out = await scene.cksweep("watch", ["sync", "sign-out", "--yes"])
            #expect(out.output.hasPrefix("SIGNED OUT: 1 donation removed here"), "\(out.output)")
        }
    }

    /// I6: journal, evidence and plans hold no text of a donation.
    private func checkFiles(_ scene: SyncScene, _ device: String) throws {
        let folder = "\(scene.scene.world.folder)/\(device)/rehearsal"
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
            !$0.hasPrefix("donations")
        }
        #expect(files.contains("journal.sqlite") && files.contains { $0.contains("evidence") })
        for file in files {
            let data = FileManager.default.contents(atPath: "\(folder)/\(file)") ?? Data()
            for word in Self.words {
                #expect(data.range(of: Data(word.utf8)) == nil, "\(word) is in \(file)")
            }
        }
    }

    /// What the donations say, their names and their titles.
    static let words = [
        "person-one", "person-two", "group-one", "group-two", "call-one", "message-one",
        "Wilhelmina", "Bartholomew", "phone-own", "about-nothing", "call-two",
        "com.example.view",
    ]

    @Test func `donations are exchanged, and a deletion acts on all devices`() async throws {
        try await SyncScene.run(server: ["--store", "data"]) { scene in
            for device in ["phone", "tablet", "watch"] {
                _ = try await scene.donate(
                    device,
                    """
                    [ { "kind": "interaction", "type": "Play", "identifier": "\(device)-own",
                        "begin": "2026-11-16T10:00:00Z" } ]
                    """)
                #expect(await scene.cksweep(device, ["sync", "enable", "--items"]).code == 0)
            }
            _ = try await scene.donate("phone", Self.donations)
            for device in ["phone", "tablet", "watch", "phone", "tablet", "watch"] {
                let synced = await scene.sync(device)
                #expect(synced.code == 0, "\(device): \(synced.output)\(synced.errors)")
            }
            let own = ["phone", "tablet", "watch"].map { "interaction \($0)-own" }
            let all = (Self.aboutOne + Self.others + own).sorted()
            for device in ["phone", "tablet", "watch"] {
                #expect(try await scene.contents(device) == all, "\(device)")
            }

            // The item takes its activity along; the group its interactions.
            let item = await scene.cksweep(
                "tablet",
                [
                    "donations", "delete", "--item", "person-one", "--everywhere", "--yes",
                    "--rehearsal", "--app", SyncScene.application,
                ])
            #expect(item.code == 0, "\(item.errors)")
            let group = await scene.cksweep(
                "tablet",
                [
                    "donations", "delete", "--group", "group-one", "--everywhere", "--yes",
                    "--rehearsal", "--app", SyncScene.application,
                ])
            #expect(group.code == 0, "\(group.errors)")
            let logs = try await syncTwice(scene)
            for device in ["phone", "tablet", "watch"] {
                #expect(
                    try await scene.contents(device) == (Self.others + own).sorted(), "\(device)")
            }
            try await checkText(scene, logs)
            try await checkServer(scene)
        }
    }

    /// I6: none of the service's own files, and nothing it journals, has a text of a donation:
    /// neither of those that were deleted nor of those that are there.
    private func checkServer(_ scene: SyncScene) async throws {
        let output = MemorySink()
        var environment = scene.scene.world.environment(of: .cloudkitMock)
        environment.output = output
        let folder = scene.scene.server.folder
        let words = ["log", "requests", "--json", "-n", "10000", "--state", "\(folder)/state"]
        #expect(await Dispatcher.run(words, in: environment).code == 0)
        #expect(output.text.contains("records/modify"))
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
        #expect(files.contains("data/store.sqlite") && files.contains("data/store.sqlite-wal"))
        var bytes = Data(output.text.utf8)
        for file in files {
            bytes += FileManager.default.contents(atPath: "\(folder)/\(file)") ?? Data()
        }
        let donations = DonationSyncer.donationZone(of: SyncScene.application).zoneName
        #expect(bytes.range(of: Data(donations.utf8)) != nil, "these are the files")
        for word in Self.words {
            #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) is with the service")
        }
    }

    private func syncTwice(_ scene: SyncScene) async throws -> String {
        var logs = ""
        for device in ["tablet", "phone", "watch", "tablet", "phone", "watch"] {
            let synced = await scene.cksweep(device, ["sync", "--json", "-v"])
            #expect(synced.code == 0, "\(device): \(synced.output)\(synced.errors)")
            logs += synced.output + synced.errors
            let status = await scene.cksweep(device, ["sync", "status", "--json"])
            #expect(status.code == 0)
            logs += status.output + status.errors
        }
        return logs
    }

    /// I6: no text of a donation is in a deletion, in the zone's own records or in what is said.
    private func checkText(_ scene: SyncScene, _ logs: String) async throws {
        let zone = DonationSyncer.donationZone(of: SyncScene.application)
        let items = try await scene.withDatabase { database -> [Record] in
            var records: [Record] = []
            var token: ChangeToken?
            while true {
                let answer = try await database.zoneChanges([
                    ZoneChangesRequest(zoneID: zone, token: token)
                ])
                guard case .page(let page)? = answer.first else { return records }
                for case .record(let record) in page.records { records.append(record) }
                guard page.moreComing else { return records }
                token = page.token
            }
        }
        let types = Set(items.map(\.recordType))
        #expect(types.isSuperset(of: ["Deletion", "Device", "DonationZone", "Donation"]))
        let open = items.filter { ["Deletion", "Device", "DonationZone"].contains($0.recordType) }
        for word in Self.words {
            #expect(open.allSatisfy { !"\($0)".contains(word) }, "\(word) is in the zone")
            #expect(items.allSatisfy { !$0.id.recordName.contains(word) })
            #expect(!logs.contains(word), "\(word) is in what is said")
        }
    }
}
