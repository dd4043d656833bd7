import AsyncOperations
import Basics
import CommandLine
import CommandWorld
import Commands
import Foundation
import Testing

/// Looks after a sweep, by a clock that the test moves, at the mock server over TLS.
@Suite(.timeLimit(.minutes(30)))
struct WatchVerbTests {
    private static let key = "runs/rehearsal/keys/evidence.pub.pem"
    private static let quick = ["-q", "--verify-pause", "0s"]

    /// A verb of the scene at a clock of the test's.
    private func cksweep(
        _ words: [String], _ scene: SweepScene, _ clock: ManualClock,
        variables: [String: String] = [:]
    ) async -> (code: Int32, output: String, errors: String) {
        let (output, errors) = (MemorySink(), MemorySink())
        var environment = scene.world.environment(
            variables: scene.variables.merging(variables) { $1 })
        environment.output = output
        environment.errors = errors
        environment.clock = clock
        environment.wallClock = WallClock {
            TestWorld.moment.advanced(by: clock.now.sinceStart)
        }
        let code = await Dispatcher.run(words, in: environment).code
        return (code, unmarked(output.text), errors.text)
    }

    private func watch(
        _ words: String..., in scene: SweepScene, at clock: ManualClock,
        variables: [String: String] = [:]
    ) async -> (code: Int32, output: String, errors: String) {
        await cksweep(
            ["watch"] + words + Self.quick + ["--state", "runs"], scene, clock,
            variables: variables)
    }

    /// Sweeps everything, with a key for evidence.
    ///
    /// - Returns: the run.
    private func swept(_ scene: SweepScene) async throws -> String {
        #expect(try await scene.cksweep("evidence", "init", "--rehearsal").code == 0)
        _ = try await scene.cksweep("plan", "--json-into", "plan.jsonl")
        let swept = try await scene.cksweep(
            "sweep", "--approve", try scene.digest("plan.jsonl"), "--verify-pause", "1ms",
            "--json-into", "sweep.jsonl")
        #expect(swept.code == 0, "\(swept.output)\(swept.errors)")
        let report = try scene.events("sweep.jsonl").last { $0["event"] as? String == "report" }
        return try #require(report?["run"] as? String)
    }

    /// Puts a zone back, as a device that was offline does.
    private func putBack(records: Bool, _ scene: SweepScene) async throws {
        let record = """
            { "recordName": "back-1", "recordType": "Note",
              "fields": { "title": { "value": "again", "type": "STRING" } } }
            """
        let container = DemoScript.containers[0].id
        try scene.world.put(
            """
            { "version": 1, "shows": "what came back", "users": ["ann"],
              "databases": [ { "container": "\(container)", "scope": "private", "user": "ann",
                "zones": [ { "name": "Back", "records": [\(records ? record : "")] } ] } ] }
            """, at: "back.json")
        #expect(await scene.mock("seed", "\(scene.world.folder)/back.json") == 0)
    }

    @Test func `a watch looks by its schedule, and every look is in the evidence`() async throws {
        try await SweepScene.run { scene in
            let run = try await swept(scene)
            let clock = ManualClock(movesByItself: true)
            let done = await watch(
                "last", "--for", "3h", "--every", "1h", in: scene, at: clock)
            #expect(done.code == 0, "\(done.output)\(done.errors)")
            #expect(done.output.components(separatedBy: "EMPTY: ").count == 5, "\(done.output)")
            #expect(done.output.contains("DONE: run \(run) was watched"), "\(done.output)")
            #expect(clock.now.sinceStart >= .seconds(3 * 3600))
            let listed = try await scene.cksweep("runs", "--rehearsal")
            #expect(listed.output.contains(", watched until "), "\(listed.output)")
            let path = "runs/rehearsal/evidence/\(run).json"
            let attested = await cksweep(["attest", path, "--key", Self.key], scene, clock)
            #expect(attested.code == 0, "\(attested.errors)")
            #expect(attested.output.contains("addendum 4"), "\(attested.output)")
            let ledger = await cksweep(
                ["attest", "ledger", "runs/rehearsal/evidence/ledger", "--key", Self.key], scene,
                clock)
            #expect(ledger.code == 0 && ledger.output.contains("5 statements"))
        }
    }

    @Test func `what comes back is told apart, ends the watch, and stands in the evidence`()
        async throws
    {
        try await SweepScene.run { scene in
            let run = try await swept(scene)
            let clock = ManualClock(movesByItself: true)
            try await putBack(records: false, scene)
            let bare = await watch("last", "--once", in: scene, at: clock)
            #expect(bare.code == 6, "\(bare.output)\(bare.errors)")
            #expect(bare.output.contains("RECREATED, EMPTY: "), "\(bare.output)")
            try await putBack(records: true, scene)
            let full = await watch(run, "--for", "2h", "--every", "1h", in: scene, at: clock)
            #expect(full.code == 6, "\(full.output)\(full.errors)")
            #expect(full.output.contains("RECREATED, WITH DATA: "), "\(full.output)")
            #expect(full.output.contains("devices"))
            #expect(full.errors.contains("To delete it: cksweep sweep"))
            let listed = try await scene.cksweep("runs", "--rehearsal")
            #expect(listed.output.contains(", next scan "), "\(listed.output)")
            try await checkEvidence(of: run, scene, clock)
        }
    }

    private func checkEvidence(
        of run: String, _ scene: SweepScene, _ clock: ManualClock
    ) async throws {
        let path = "runs/rehearsal/evidence/\(run)"
        func attest(_ file: String) async -> (code: Int32, output: String, errors: String) {
            await cksweep(["attest", file, "--key", Self.key], scene, clock)
        }
        let whole = await attest(path + ".json")
        #expect(whole.code == 0, "\(whole.errors)")
        #expect(whole.output.contains("SINCE THEN: "), "\(whole.output)")
        let second = await attest(path + ".addendum-2.json")
        #expect(second.code == 0, "\(second.errors)")
        #expect(second.output.contains("ADDENDUM 2 to the statement below"), "\(second.output)")
        #expect(second.output.contains("recreated, with data"))
        let first = try scene.world.text(at: path + ".addendum-1.json")
        try scene.world.put(
            try scene.world.text(at: path + ".addendum-2.json"), at: path + ".addendum-1.json")
        for file in [".json", ".addendum-1.json", ".addendum-2.json"] {
            #expect(await attest(path + file).code == 11, "\(file)")
        }
        try FileManager.default.removeItem(
            atPath: "\(scene.world.folder)/\(path).addendum-1.json")
        let missing = await attest(path + ".json")
        #expect(missing.code == 11 && missing.errors.contains("addendum 1"), "\(missing.errors)")
        try scene.world.put(first, at: path + ".addendum-1.json")
        #expect(await attest(path + ".json").code == 0)
        #expect(await attest(path + ".addendum-3.json").code == 11)
    }

    @Test func `an interruption leaves the schedule, and the same command continues with it`()
        async throws
    {
        try await SweepScene.run { scene in
            let run = try await swept(scene)
            let clock = ManualClock()
            async let first = watch(run, "--for", "2h", "--every", "1h", in: scene, at: clock)
            await clock.waitForSleepers()
            scene.world.signals.send(15)
            let stopped = await first
            #expect(stopped.code == 143, "\(stopped.output)\(stopped.errors)")
            #expect(stopped.errors.contains("the same command continues"), "\(stopped.errors)")
            clock.advance(by: .seconds(600))
            async let second = watch(run, in: scene, at: clock)
            await clock.waitForSleepers()
            #expect(clock.untilNextDeadline == .seconds(3000))
            clock.advance(by: .seconds(3000))
            await clock.waitForSleepers()
            #expect(clock.untilNextDeadline == .seconds(3600))
            scene.world.signals.send(2)
            let again = await second
            #expect(again.code == 130, "\(again.output)\(again.errors)")
            #expect(again.output.contains("2 of a watch"), "\(again.output)")
        }
    }

    @Test func `a sign-in that has ended is exit 7, and says how to go on`() async throws {
        try await SweepScene.run { scene in
            let run = try await swept(scene)
            let clock = ManualClock(movesByItself: true)
            let out = await watch(
                run, "--for", "2h", "--every", "1h", in: scene, at: clock,
                variables: ["WEB": "a-token-of-nobody"])
            #expect(out.code == 7, "\(out.output)\(out.errors)")
            #expect(
                out.errors.contains("To continue: cksweep watch \(run) --state runs"),
                "\(out.errors)")
            let later = await watch(run, in: scene, at: clock)
            #expect(later.code == 0, "\(later.output)\(later.errors)")
        }
    }

    @Test func `what cannot be watched is said before anybody is asked`() async throws {
        try await SweepScene.run { scene in
            let clock = ManualClock(movesByItself: true)
            #expect(await watch("last", "--once", in: scene, at: clock).code == 2)
            _ = try await swept(scene)
            for words in [
                ["--once", "--for", "1h"], ["--once", "--every", "1h"], ["--every", "59s"],
            ] {
                let out = await cksweep(
                    ["watch", "last"] + words + ["--state", "runs"], scene, clock)
                #expect(out.code == 2, "\(words): \(out.errors)")
            }
            _ = try await scene.cksweep("plan")
            let runs = try await scene.cksweep("runs", "--rehearsal", "--json")
            let plan = try #require(
                runs.output.split(separator: "\n").lazy.compactMap {
                    try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
                }.first { $0["verb"] as? String == "plan" }?["run"] as? String)
            let out = await watch(plan, "--once", in: scene, at: clock)
            #expect(out.code == 2 && out.output.contains("verified empty"), "\(out.output)")
        }
    }
}
