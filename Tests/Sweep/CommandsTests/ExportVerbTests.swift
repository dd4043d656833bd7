import CommandWorld
import Commands
import DataExport
import FileSystem
import Foundation
import Testing

/// An export over TLS from the mock server, held against the fixture that the server began with.
@Suite(.timeLimit(.minutes(30)))
struct ExportVerbTests {
    /// What the fixtures say is in a person's private databases: container, zone and record name.
    private func seeded(_ texts: [String]) throws -> Set<[String]> {
        var names: Set<[String]> = []
        for text in texts {
            let fixture = try JSONSerialization.jsonObject(with: Data(text.utf8))
            let databases = (fixture as? [String: Any])?["databases"] as? [[String: Any]] ?? []
            for database in databases
            where database["user"] as? String == "ann" && database["scope"] as? String == "private"
            {
                for zone in database["zones"] as? [[String: Any]] ?? [] {
                    for record in zone["records"] as? [[String: Any]] ?? [] {
                        names.insert([
                            database["container"] as? String ?? "", zone["name"] as? String ?? "",
                            record["recordName"] as? String ?? "",
                        ])
                    }
                }
            }
        }
        return names
    }

    private func object(_ bytes: some Sequence<UInt8>) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
    }

    /// The same of an export, read as a stranger would.
    private func exported(_ folder: String) throws -> Set<[String]> {
        let url = URL(fileURLWithPath: folder)
        let manifest = try object(try Data(contentsOf: url.appendingPathComponent("manifest.json")))
        var names: Set<[String]> = []
        for file in manifest["files"] as? [[String: Any]] ?? []
        where file["database"] as? String == "private" && file["kind"] as? String != "subscriptions"
        {
            let bytes = try Data(
                contentsOf: url.appendingPathComponent(file["path"] as? String ?? ""))
            for line in bytes.split(separator: 0x0A) {
                let record = try object(line)["record"] as? [String: Any]
                names.insert([
                    file["container"] as? String ?? "", file["zone"] as? String ?? "_defaultZone",
                    record?["recordName"] as? String ?? "",
                ])
            }
        }
        return names
    }

    private static let photo = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    private static let album = """
        { "version": 1, "shows": "A photograph.", "environment": "development",
          "users": [ { "name": "ann" } ], "databases": [
          { "container": "iCloud.com.example.myexampleapp", "scope": "private", "user": "ann",
            "zones": [ { "name": "Album", "records": [
              { "recordName": "note-with-photo", "recordType": "Note", "fields": {
                "photo": { "value": { "base64": "\(photo.base64EncodedString())" },
                           "type": "ASSETID" } } } ] } ] } ] }
        """

    @Test
    func `an export holds every record that is there, the bytes of assets, and goes by no other`()
        async throws
    {
        try await SweepScene.run { scene in
            try scene.world.put(Self.album, at: "album.json")
            #expect(await scene.mock("seed", "\(scene.world.folder)/album.json") == 0)
            let done = try await scene.cksweep("export", "-o", "ann")
            #expect(done.code == 0, "\(done.output)\(done.errors)")
            #expect(done.output.contains("EXPORTED: "))
            let folder = scene.world.folder + "/ann"
            let demo = try String(contentsOfFile: MockStart.fixture, encoding: .utf8)
            #expect(try exported(folder) == seeded([demo, Self.album]))
            let assets = try FileManager.default.subpathsOfDirectory(atPath: folder + "/assets")
                .filter { $0.contains("/") }
            #expect(assets.count == 1)
            let asset = URL(fileURLWithPath: folder + "/assets/" + (assets.first ?? ""))
            #expect(try Data(contentsOf: asset) == Self.photo)
            #expect(try await scene.cksweep("export", "--check", "ann").code == 0)
            // A finished one is not written over.
            #expect(try await scene.cksweep("export", "-o", "ann").code == 3)

            #expect(try await scene.cksweep("export", "-o", "again").code == 0)
            let same = try await scene.cksweep("export", "--check", "again", "--diff", "ann")
            #expect(same.code == 0 && same.output.contains("nothing has changed"), "\(same)")
            try Data("x".utf8).write(to: asset)
            #expect(try await scene.cksweep("export", "--check", "ann").code == 11)
        }
    }

    @Test func `what cannot be read leaves no manifest, and the next attempt ends it`() async throws
    {
        try await SweepScene.run { scene in
            try scene.world.put(Self.album, at: "album.json")
            #expect(await scene.mock("seed", "\(scene.world.folder)/album.json") == 0)
            #expect(
                await scene.mock("faults", "assets/download -> status 410") == 0)
            let short = try await scene.cksweep("export", "-o", "ann", "--max-duration", "2s")
            #expect(short.code != 0, "\(short.output)")
            let manifest = scene.world.folder + "/ann/manifest.json"
            #expect(!FileManager.default.fileExists(atPath: manifest))
            #expect(try await scene.cksweep("export", "--check", "ann").code == 3)
            #expect(await scene.mock("faults", "--clear") == 0)
            let done = try await scene.cksweep("export", "-o", "ann")
            #expect(done.code == 0, "\(done.output)\(done.errors)")
            #expect(FileManager.default.fileExists(atPath: manifest))
        }
    }

    @Test func `what lacks something is no export, or says so where that was allowed`()
        async throws
    {
        try await SweepScene.run { scene in
            #expect(await scene.mock("faults", "subscriptions/lookup -> ACCESS_DENIED") == 0)
            let short = try await scene.cksweep("export", "-o", "ann")
            #expect(short.code == 4, "\(short)")
            #expect(try await scene.cksweep("export", "--check", "ann").code == 3)
            let partial = try await scene.cksweep(
                "export", "-o", "ann", "--allow-partial", "the rest is wanted today")
            #expect(partial.code == 5, "\(partial)")
            let checked = try await scene.cksweep("export", "--check", "ann")
            #expect(checked.code == 4 && checked.output.hasPrefix("PARTIAL: "), "\(checked)")
        }
    }

    @Test func `another folder is left alone, and none is needed to be told so`() async throws {
        try await SweepScene.run { scene in
            try scene.world.put("mine", at: "full/notes.txt")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o700], ofItemAtPath: scene.world.folder + "/full")
            let refused = try await scene.cksweep("export", "-o", "full")
            #expect(refused.code == 3, "\(refused.output)")
            #expect(refused.output.contains("no request was sent"), "\(refused.output)")
            #expect(try scene.world.text(at: "full/notes.txt") == "mine")
            #expect(try await scene.cksweep("export").code == 2)
            #expect(try await scene.cksweep("export", "--check", "nowhere").code == 3)
        }
    }

    @Test func `a folder that another export is at work in is refused, and nobody is asked`()
        async throws
    {
        try await SweepScene.run { scene in
            let path = scene.world.folder + "/ann"
            let claim = try ClaimedFolder(path, in: Files(workingFolder: "/"))
            let refused = try await scene.cksweep("export", "-o", "ann")
            #expect(refused.code == 9, "\(refused.output)")
            #expect(refused.output.contains("no request was sent"), "\(refused.output)")
            withExtendedLifetime(claim) {}
        }
    }

    @Test func `the manifest is signed with the operator's key, and that can be asked for`()
        async throws
    {
        try await SweepScene.run { scene in
            #expect(try await scene.cksweep("export", "-o", "unsigned").code == 0)
            #expect(try await scene.cksweep("evidence", "init", "--rehearsal").code == 0)
            let key = scene.world.folder + "/key.pem"
            try FileManager.default.copyItem(
                atPath: scene.world.folder + "/runs/rehearsal/keys/evidence.pub.pem", toPath: key)
            try scene.world.put(Self.album, at: "album.json")
            for folder in ["first", "second"] {
                #expect(try await scene.cksweep("export", "-o", folder).code == 0)
                let checked = try await scene.cksweep("export", "--check", folder, "--key", key)
                #expect(checked.code == 0 && checked.output.contains("signed by "), "\(checked)")
                // The clock stands still here: without this both manifests are the same.
                #expect(await scene.mock("seed", "\(scene.world.folder)/album.json") == 0)
            }
            // Without a key the check takes that of the state folder.
            let own = try await scene.cksweep("export", "--check", "first")
            #expect(own.output.contains("signed by "), "\(own)")
            let unsigned = try await scene.cksweep("export", "--check", "unsigned", "--key", key)
            #expect(unsigned.code == 11, "\(unsigned)")

            // The signature of another export, and one of another key.
            let files = FileManager.default
            let (name, folder) = ("/manifest.signature.json", scene.world.folder)
            try files.removeItem(atPath: folder + "/second" + name)
            try files.copyItem(
                atPath: folder + "/first" + name, toPath: folder + "/second" + name)
            let swapped = try await scene.cksweep("export", "--check", "second", "--key", key)
            #expect(swapped.code == 11 && swapped.errors.contains("another manifest"), "\(swapped)")
            let made = try await scene.cksweep("evidence", "init")
            #expect(made.code == 0)
            let stranger = try await scene.cksweep(
                "export", "--check", "first", "--key", "runs/keys/evidence.pub.pem")
            #expect(stranger.code == 11, "\(stranger)")
        }
    }

    @Test func `a later export says what has come since`() async throws {
        try await SweepScene.run { scene in
            #expect(try await scene.cksweep("export", "-o", "old").code == 0)
            try scene.world.put(Self.album, at: "album.json")
            #expect(await scene.mock("seed", "\(scene.world.folder)/album.json") == 0)
            let later = try await scene.cksweep(
                "export", "-o", "new", "--diff", "old", "--json-into", "diff.jsonl")
            #expect(later.code == 10, "\(later)")
            #expect(
                later.output.contains(
                    "+ iCloud.com.example.myexampleapp private Album note-with-photo"))
            #expect(later.output.contains("since old: 2 added, 0 removed, 0 changed"), "\(later)")
            let events = try scene.events("diff.jsonl").filter {
                $0["event"] as? String == "difference"
            }
            #expect(events.map { $0["change"] as? String } == ["added", "added"])
            #expect(events.contains { $0["bytes"] as? Int == Self.photo.count })
            let back = try await scene.cksweep("export", "--check", "old", "--diff", "new")
            #expect(back.code == 10 && back.output.contains("0 added, 2 removed, 0 changed"))
        }
    }

    @Test func `what is exported is counted as that, and nothing as left`() async throws {
        try await SweepScene.run { scene in
            let done = try await scene.cksweep(
                "export", "-o", "ann", "--json-into", "export.jsonl")
            #expect(done.code == 0, "\(done.output)\(done.errors)")
            let report = try #require(
                try scene.events("export.jsonl").last { $0["event"] as? String == "report" })
            let tally = try #require(report["tally"] as? [String: Any])
            #expect(tally["left"] as? Int == 0 && tally["found"] as? Int ?? 0 > 0)
            #expect(tally["exported"] as? Int == tally["found"] as? Int)
            #expect(!done.output.contains(" left"), "\(done.output)")
        }
    }

    /// What a rule keeps is not deleted, and belongs to the person all the same.
    @Test func `an export holds what rules keep, and its share, and is complete`() async throws {
        let keeping = { (text: String) in
            text.replacing(
                "\"containers\":",
                with: "\"protect\": [ { \"zone\": \"Notes\", \"reason\": \"law\" } ], "
                    + "\"containers\":")
        }
        try await SweepScene.run(list: keeping) { scene in
            let shared = await scene.mock(
                "simulate", "share", "--user", "ann", "--with", "bob", "--zone", "Notes",
                "--container", "iCloud.com.example.myexampleapp")
            #expect(shared == 0)
            let done = try await scene.cksweep(
                "export", "-o", "ann", "--json-into", "export.jsonl")
            #expect(done.code == 0, "\(done.output)\(done.errors)")
            let report = try #require(
                try scene.events("export.jsonl").last { $0["event"] as? String == "report" })
            let tally = try #require(report["tally"] as? [String: Any])
            #expect(tally["kept"] as? Int == 0 && tally["left"] as? Int == 0)
            #expect(tally["exported"] as? Int == tally["found"] as? Int)
            #expect(try await scene.cksweep("export", "--check", "ann").code == 0)
            let plan = try await scene.cksweep("plan", "--export-first", "first", "-o", "ann.plan")
            #expect(plan.code == 0, "\(plan.output)\(plan.errors)")
        }
    }
}
