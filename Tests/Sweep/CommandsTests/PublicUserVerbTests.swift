import CloudModel
import CommandLine
import CommandWorld
import Commands
import Foundation
import LeakSearch
import OpenSSL
import Testing

/// The public data of somebody who is not signed in, swept by the operator's key.
@Suite(.timeLimit(.minutes(10)))
struct PublicUserVerbTests {
    private static let container = "iCloud.com.example.myexampleapp"

    /// One container, and a key instead of a person's token.
    private static func withKey(_ list: String) -> String {
        let url = list.firstMatch(of: #/"url": "([^"]+)"/#)?.1 ?? ""
        let authority = list.firstMatch(of: #/"ca": "([^"]+)"/#)?.1 ?? ""
        return """
            { "version": 1, "application": "com.example.myexampleapp",
              "environment": "development",
              "server": { "url": "\(url)", "ca": "\(authority)" },
              "containers": [ { "identifier": "\(container)", "recordTypes": ["Article"] } ],
              "databases": ["private", "public"],
              "credentials": { "keyID": "env:KEY_ID", "privateKey": "file:key.pem" } }
            """
    }

    /// Runs `body` with the record name of Ann, where the server admits the operator's key.
    private func withScene(_ body: (SweepScene, String) async throws -> Void) async throws {
        try await SweepScene.run { scene in
            let person = try await SyncScene(scene: scene).withDatabase { database in
                guard case .user(let person) = try await database.perform(.read(.caller))
                else { return "" }
                return person.userRecordName
            }
            let list = try scene.world.text(at: "Containers/app.json")
            try scene.world.put(Self.withKey(list), at: "Containers/app.json")
            let key = try P256.PrivateKey.generate()
            try scene.world.put(String(decoding: key.pem, as: UTF8.self), at: "key.pem")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: scene.world.folder + "/key.pem")
            try scene.world.put(
                String(decoding: key.publicKey.pem, as: UTF8.self), at: "key.pub.pem")
            let added = await scene.mock(
                "credentials", "add", "key", scene.world.folder + "/key.pub.pem", "--id",
                "Operator")
            #expect(added == 0)
            try await body(scene, person)
        }
    }

    private func cksweep(
        _ scene: SweepScene, _ words: String...
    ) async -> (code: Int32, output: String, errors: String) {
        let (output, errors) = (MemorySink(), MemorySink())
        var environment = scene.world.environment(variables: ["KEY_ID": "Operator"])
        environment.output = output
        environment.errors = errors
        let state = words.first == "attest" ? [] : ["--state", "runs"]
        let code = await Dispatcher.run(words + state, in: environment).code
        return (code, unmarked(output.text), errors.text)
    }

    /// The public articles that the server has, as Bob sees them.
    private func articles(_ scene: SweepScene) async throws -> [String] {
        try await SyncScene(scene: scene).withDatabase(user: "BOB", scope: .public) { database in
            let lookup = RecordLookupRequest(
                recordNames: ["article-ann", "article-bob"], zoneID: .default, desiredKeys: [])
            guard
                case .records(let found) = try await database.perform(
                    .read(.lookUpRecords(lookup)))
            else { return [] }
            return found.records.compactMap { item in
                if case .record(let record) = item { record.id.recordName } else { nil }
            }
        }
    }

    /// Lets signed-in people and keys write articles.
    private func grantWriting(_ scene: SweepScene) async throws {
        let schema = scene.world.folder + "/schema.ckdb"
        let dumped = scene.world.output.text.utf8.count
        #expect(await scene.mock("dump", "--schema", Self.container) == 0)
        let text = String(decoding: scene.world.output.text.utf8.dropFirst(dumped), as: UTF8.self)
        let granted = text.replacing(
            #/GRANT (READ, )?CREATE(, WRITE)? TO "_icloud"/#,
            with: "GRANT READ, CREATE, WRITE TO \"_icloud\"")
        #expect(granted != text, "\(text)")
        try scene.world.put(granted, at: "schema.ckdb")
        #expect(await scene.mock("seed", "--schema", "\(Self.container)=\(schema)") == 0)
    }

    @Test
    func `what the key may not delete is told with the grant, then goes, and nothing else does`()
        async throws
    {
        try await withScene { scene, ann in
            let plan = await cksweep(
                scene, "plan", "--public-user", ann, "-o", "a.plan", "--json-into", "plan.jsonl")
            #expect(plan.code == 0, "\(plan.output)\(plan.errors)")
            #expect(plan.output.contains("TO DELETE: 1 record is to be deleted"), "\(plan.output)")
            let refused = await cksweep(
                scene, "apply", "a.plan", "--public-user", ann, "--verify-pause", "1ms",
                "--approve", try scene.digest("plan.jsonl"))
            #expect(refused.code == 5, "\(refused.output)\(refused.errors)")
            let told = unbroken(refused.output)
            #expect(told.contains("grant WRITE on Article to a role of the key"), "\(told)")
            #expect(try await articles(scene) == ["article-ann", "article-bob"])

            try await grantWriting(scene)
            #expect(await cksweep(scene, "evidence", "init", "--rehearsal").code == 0)
            let again = await cksweep(
                scene, "plan", "--public-user", ann, "-o", "b.plan", "--json-into", "plan.jsonl")
            #expect(again.code == 0, "\(again.output)\(again.errors)")
            let done = await cksweep(
                scene, "apply", "b.plan", "--public-user", ann, "--verify-pause", "1ms",
                "--approve", try scene.digest("plan.jsonl"), "--json-into", "apply.jsonl")
            #expect(done.code == 0, "\(done.output)\(done.errors)")
            #expect(try await articles(scene) == ["article-bob"])
            try await checkEvidence(scene, ann)
        }
    }

    /// The statement is complete, names nobody, and is about this person to who asks by name.
    private func checkEvidence(_ scene: SweepScene, _ ann: String) async throws {
        let report = try scene.events("apply.jsonl").last { $0["event"] as? String == "report" }
        let path = try #require(report?["evidence"] as? String)
        let key = scene.world.folder + "/runs/rehearsal/keys/evidence.pub.pem"
        let attested = await cksweep(scene, "attest", path, "--key", key)
        #expect(attested.code == 0, "\(attested.output)\(attested.errors)")
        // It is about this person, to who has the folder and asks by name.
        for (name, code) in [(ann, Int32(0)), ("_somebodyelse", 11)] {
            let match = await cksweep(
                scene, "attest", "match", path, "--key", key, "--subject", name, "--state", "runs")
            #expect(match.code == code, "\(match.output)\(match.errors)")
        }
        // Nothing of the run names them but the journal and plans, which are the operator's own.
        var words = MarkedWords()
        words.people = [ann]
        words.records = ["article-ann"]
        let runs = scene.world.folder + "/runs"
        #expect(try LeakSearch(words).leaks(inFolder: runs) == [])
        for file in ["plan.jsonl", "apply.jsonl"] {
            let said = try scene.world.text(at: file)
            #expect(LeakSearch(words).leaks(in: said, for: .operatorOnScreen, file) == [])
        }
    }

    @Test func `a name that nobody has is refused, and so is what cannot go with a name`()
        async throws
    {
        try await withScene { scene, ann in
            let nobody = await cksweep(
                scene, "plan", "--public-user", "_" + String(repeating: "0", count: 32))
            #expect(nobody.code == 3, "\(nobody.output)\(nobody.errors)")
            #expect(await cksweep(scene, "plan", "--public-user", "ann").code == 2)
            let freeze = await cksweep(scene, "sweep", "--public-user", ann, "--freeze")
            #expect(freeze.code == 2)
            #expect(freeze.errors.contains("--freeze"), "\(freeze.errors)")
            let left = try await articles(scene)
            #expect(left == ["article-ann", "article-bob"])
        }
    }
}
