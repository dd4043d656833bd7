import CommandLine
import CommandWorld
import Commands
import Foundation
import Testing

/// Evidence from the key to the stranger who checks it, and on to the day nobody can tell whom it was
/// about.
@Suite(.timeLimit(.minutes(30)))
struct EvidenceVerbTests {
    private static let key = "runs/rehearsal/keys/evidence.pub.pem"

    /// A verb that has no state folder.
    private func check(
        _ words: String..., in scene: SweepScene
    ) async throws -> (code: Int32, output: String, errors: String) {
        try await check(words, in: scene)
    }

    private func check(
        _ words: [String], in scene: SweepScene
    ) async throws -> (code: Int32, output: String, errors: String) {
        let (output, errors) = (MemorySink(), MemorySink())
        var environment = scene.world.environment()
        environment.output = output
        environment.errors = errors
        let code = await Dispatcher.run(words, in: environment).code
        return (code, output.text, errors.text)
    }

    /// Sweeps by the digest of a plan.
    ///
    /// - Returns: the statement's path, in the scene's world.
    private func sweep(_ scene: SweepScene) async throws -> String {
        let planned = try await scene.cksweep("plan", "--json-into", "plan.jsonl")
        #expect(planned.code == 0, "\(planned.errors)")
        let swept = try await scene.cksweep(
            "sweep", "--approve", try scene.digest("plan.jsonl"), "--verify-pause", "1ms",
            "--json-into", "sweep.jsonl")
        #expect(swept.code == 0, "\(swept.output)\(swept.errors)")
        let report = try #require(
            try scene.events("sweep.jsonl").last { $0["event"] as? String == "report" })
        let path = try #require(report["evidence"] as? String)
        return try #require(path.split(separator: scene.world.folder + "/").last.map(String.init))
    }

    @Test func `a stranger checks a run with the file and a key, and the operator knows of whom`()
        async throws
    {
        try await SyncScene.run { sync in
            let person = try await sync.withDatabase { database in
                guard case .user(let person) = try await database.perform(.read(.caller)) else {
                    return ""
                }
                return person.userRecordName
            }
            let scene = sync.scene
            let none = try await scene.cksweep("evidence", "key", "--rehearsal")
            #expect(none.code == 2 && none.errors.contains("evidence init"))
            let made = try await scene.cksweep("evidence", "init", "--rehearsal")
            #expect(made.code == 0, "\(made.errors)")
            let again = try await scene.cksweep("evidence", "init", "--rehearsal")
            #expect(again.code == 3)
            let shown = try await scene.cksweep("evidence", "key", "--rehearsal")
            #expect(shown.code == 0 && shown.output == made.output)

            let path = try await sweep(scene)
            let good = try await check("attest", path, "--key", Self.key, in: scene)
            #expect(good.code == 0, "\(good.errors)")
            #expect(
                good.output.contains("REHEARSAL: valid, but not Apple's service"),
                "\(good.output)")
            #expect(good.output.contains("checked"))
            #expect(!good.output.contains(person))
            // What was done at the mock server is never the real thing.
            let real = try await check(
                "attest", path, "--key", Self.key, "--require", "complete", in: scene)
            #expect(real.code == 11 && real.errors.contains("rehearsal"), "\(real.errors)")
            let other = try await check(
                "attest", path, "--key", Self.key, "--expect-run", "another", in: scene)
            #expect(other.code == 11)
            let early = try await check(
                "attest", path, "--key", Self.key, "--not-before", "2199-01-01T00:00:00Z",
                in: scene)
            #expect(early.code == 11)
            #expect(try await check("attest", path, in: scene).code == 2)
            #expect(
                try await check("attest", "nothing.json", "--key", Self.key, in: scene).code == 2)
            #expect(unbroken(good.output).contains(#/program .*, SHA-256 /#))
            try await checkLedger(scene)
            let proven = try await scene.cksweep("evidence", "prove", path, "--rehearsal")
            #expect(proven.code == 0 && proven.output.contains("is entry 1"), "\(proven.errors)")
            let kept = "runs/rehearsal/evidence/ledger/00000000.checkpoint"
            let since = try await check(
                "attest", path, "--key", Self.key, "--since", kept, in: scene)
            #expect(since.code == 0, "\(since.errors)")
            let stranger = try await scene.cksweep("evidence", "prove", "plan.jsonl", "--rehearsal")
            #expect(stranger.code == 11, "\(stranger.output)")
            try await checkAddendumNames(beside: path, scene)
            try await checkForgeries(of: path, scene)
            try await checkMatches(path, person, scene)
        }
    }

    /// Files that are called like addenda, whatever number they bear.
    private func checkAddendumNames(beside path: String, _ scene: SweepScene) async throws {
        for number in ["2", "10001", "3000000000", "\(Int.max)"] {
            let name = path.dropLast(5) + ".addendum-\(number).json"
            try scene.world.put("", at: String(name))
            let read = try await check("attest", path, "--key", Self.key, in: scene)
            #expect(read.code == 11, "\(number): \(read.errors)")
            #expect(
                read.errors.contains("addendum 1 to the statement is missing from its folder"),
                "\(read.errors)")
            try FileManager.default.removeItem(atPath: "\(scene.world.folder)/\(name)")
        }
    }

    private func checkLedger(_ scene: SweepScene) async throws {
        let ledger = "runs/rehearsal/evidence/ledger"
        let whole = try await check("attest", "ledger", ledger, "--key", Self.key, in: scene)
        #expect(whole.code == 0 && whole.output.contains("WHOLE: 1 statement"), "\(whole.errors)")
        let kept = ["--since", ledger + "/00000000.checkpoint"]
        let words = ["attest", "ledger", "cut", "--key", Self.key]
        try FileManager.default.createDirectory(
            atPath: scene.world.folder + "/cut", withIntermediateDirectories: true)
        let empty = try await check(words, in: scene)
        #expect(empty.code == 0)
        let cut = try await check(words + kept, in: scene)
        #expect(cut.code == 11 && cut.errors.contains("truncated"), "\(cut.errors)")
        #expect(try await check("attest", "ledger", "no", "--key", Self.key, in: scene).code == 2)
    }

    private func checkForgeries(of path: String, _ scene: SweepScene) async throws {
        let text = try scene.world.text(at: path)
        let stem = String(path.dropLast(5))
        let events = try scene.world.text(at: stem + ".events.jsonl")
        func refusal() async throws -> String {
            let refused = try await check("attest", path, "--key", Self.key, in: scene)
            #expect(refused.code == 11, "\(refused.output)")
            return refused.errors
        }
        let first = try #require(events.split(separator: "\n").first)
        for wrong in [String(events.dropFirst(first.count + 1)), events + first + "\n", "", "x\n"] {
            try scene.world.put(wrong, at: stem + ".events.jsonl")
            #expect(try await refusal().contains("R12"))
        }
        try scene.world.put(events, at: stem + ".events.jsonl")
        try scene.world.put(text.replacing("\"payload\":\"e", with: "\"payload\":\"f"), at: path)
        #expect(try await refusal().contains("has signed it"))
        // The statement alone, without its envelope.
        try scene.world.put("{}", at: path)
        #expect(try await refusal().contains("evidence init"))
        try scene.world.put(text, at: path)
        // A key of somebody else's.
        let strange = try await check(
            "evidence", "init", "--state", "others", in: scene)
        #expect(strange.code == 0, "\(strange.errors)")
        let refused = try await check(
            "attest", path, "--key", "others/keys/evidence.pub.pem", in: scene)
        #expect(refused.code == 11)
    }

    private func checkMatches(
        _ path: String, _ person: String, _ scene: SweepScene
    ) async throws {
        func match(_ name: String) async throws -> (code: Int32, output: String, errors: String) {
            try await check(
                "attest", "match", path, "--key", Self.key, "--subject", name, "--state", "runs",
                in: scene)
        }
        let yes = try await match(person)
        #expect(yes.code == 0 && yes.output.contains("MATCH: run"), "\(yes.output)\(yes.errors)")
        let no = try await match("_somebodyelse")
        #expect(no.code == 11 && no.output.contains("NO MATCH"))
        let before = try scene.world.text(at: path)
        #expect(try await scene.cksweep("forget", "last").code == 0)
        // As good as before, and nobody can tell any more whom it was about.
        #expect(try scene.world.text(at: path) == before)
        #expect(try await check("attest", path, "--key", Self.key, in: scene).code == 0)
        let gone = try await match(person)
        #expect(gone.code == 11 && gone.errors.contains("forgotten"), "\(gone.errors)")
    }

    @Test func `a new key is told of in the ledger, and the old one is kept`() async throws {
        try await SweepScene.run { scene in
            func key(_ verb: String) async throws -> (code: Int32, output: String, errors: String) {
                try await check("evidence", verb, "--state", "s", in: scene)
            }
            let none = try await key("rotate")
            #expect(none.code == 2 && none.errors.contains("evidence init"))
            let old = try await key("init")
            let path = "\(scene.world.folder)/s/keys/"
            try FileManager.default.copyItem(
                atPath: path + "evidence.pub.pem", toPath: path + "old.pem")
            let new = try await key("rotate")
            #expect(new.code == 0 && new.output != old.output, "\(new.errors)")
            #expect(try await key("key").output == new.output)
            let ledger = try await check(
                "attest", "ledger", "s/evidence/ledger", "--key", "s/keys/old.pem", in: scene)
            #expect(ledger.code == 0 && ledger.output.contains("1 statement"), "\(ledger.errors)")
        }
    }

    @Test func `without a key nothing is signed, and attest says so`() async throws {
        try await SweepScene.run { scene in
            let path = try await sweep(scene)
            #expect(try await scene.cksweep("evidence", "init").code == 0)
            let refused = try await check(
                "attest", path, "--key", "runs/keys/evidence.pub.pem", in: scene)
            #expect(refused.code == 11 && refused.errors.contains("evidence init"))
        }
    }

    @Test func `a key that others can read stops a run before anybody is asked`() async throws {
        try await SweepScene.run { scene in
            #expect(try await scene.cksweep("evidence", "init", "--rehearsal").code == 0)
            let path = scene.world.folder + "/runs/rehearsal/keys/evidence.pem"
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: path)
            let planned = try await scene.cksweep("plan")
            #expect(planned.code == 2, "\(planned.output)")
            #expect(planned.output.contains("only its owner can use"))
        }
    }
}
