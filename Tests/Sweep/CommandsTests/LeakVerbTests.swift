import CommandLine
import CommandWorld
import Commands
import Foundation
import LeakSearch
import Testing

/// S11 and S17 for everything that the command prints and writes, from the plan to the day the run is
/// forgotten.
@Suite(.timeLimit(.minutes(30)))
struct LeakVerbTests {
    /// A scene with marked words, and the search for them.
    private func withScene(_ body: (SweepScene, LeakSearch) async throws -> Void) async throws {
        let fixture = try MarkedFixture()
        #expect(fixture.words.zones.count > 4 && fixture.words.records.count > 20)
        #expect(fixture.words.values.count > 20)
        try await SweepScene.run(fixture: fixture.text) { scene in
            var words = fixture.words
            words.secrets = scene.variables.values.sorted()
            let sync = SyncScene(scene: scene)
            words.people = [
                try await sync.withDatabase { database in
                    guard case .user(let person) = try await database.perform(.read(.caller))
                    else { return "" }
                    return person.userRecordName
                }
            ]
            #expect(!words.people.contains(""))
            try await body(scene, LeakSearch(words))
        }
    }

    private func cksweep(
        _ words: [String], _ scene: SweepScene
    ) async -> (code: Int32, output: String, errors: String) {
        let (output, errors) = (MemorySink(), MemorySink())
        var environment = scene.world.environment(variables: scene.variables)
        environment.output = output
        environment.errors = errors
        let code = await Dispatcher.run(words + ["--state", "runs"], in: environment).code
        return (code, output.text, errors.text)
    }

    /// Runs a verb, and looks for words in what it said.
    ///
    /// - Returns: its output.
    private func say(
        _ words: [String], _ scene: SweepScene, _ search: LeakSearch, exits code: Int32 = 0,
        to reader: MarkedWords.Reader = .operatorOnScreen
    ) async throws -> String {
        let said = await cksweep(words, scene)
        #expect(said.code == code, "\(words): \(said.output)\(said.errors)")
        #expect(search.leaks(in: said.output, for: reader, "\(words)") == [])
        #expect(search.leaks(in: said.errors, for: .operatorOnScreen, "\(words)") == [])
        return said.output
    }

    /// Every form of a run's report.
    private func report(_ scene: SweepScene, _ search: LeakSearch) async throws {
        for form in ["text", "json"] {
            _ = try await say(["report", "last", "--as", form], scene, search)
        }
        for form in ["html", "csv"] {
            let words = ["report", "last", "--as", form, "--case", "DSR-1"]
            let said = try await say(words, scene, search, to: .others)
            #expect(said.contains("DSR-1"))
        }
    }

    private func check(
        _ scene: SweepScene, _ search: LeakSearch, isForgotten: Bool = false
    ) throws {
        let folder = scene.world.folder + "/runs"
        #expect(try search.leaks(inFolder: folder, isForgotten: isForgotten) == [])
    }

    @Test func `nothing that others see names anybody, and nothing does after forgetting`()
        async throws
    {
        try await withScene { scene, search in
            _ = try await say(["evidence", "init", "--rehearsal"], scene, search)
            // What is handed to the person has all of it, and leaves nothing of it elsewhere.
            _ = try await say(["export", "-o", "handed"], scene, search)
            let handed = try search.leaks(
                inFolder: scene.world.folder + "/handed", isForgotten: true)
            #expect(handed.contains { $0.contains("kiwi-value") }, "an export without values")
            try check(scene, search)
            // A plan names records: it is the operator's own, and no log.
            _ = try await say(
                ["plan", "-v", "-o", "app.plan", "--json-into", "plan.jsonl"], scene, search)
            try check(scene, search)
            let digest = try scene.digest("plan.jsonl")
            #expect(await scene.mock("faults", "subscriptions/modify -> ACCESS_DENIED") == 0)
            _ = await cksweep(
                ["apply", "app.plan", "--approve", digest, "--verify-pause", "1ms", "-v"], scene)
            try check(scene, search)
            for form in ["html", "csv"] {
                _ = try await say(
                    ["report", "last", "--as", form], scene, search, to: .others)
            }
            #expect(await scene.mock("faults", "--clear") == 0)
            let events = try await say(
                ["resume", "--verify-pause", "1ms", "--json", "--json-into", "log"], scene, search)
            #expect(events.contains("\"event\":\"report\""))
            try check(scene, search)
            try await report(scene, search)
            _ = try await say(["runs", "--rehearsal"], scene, search)
            _ = try await say(["verify", "--verify-pause", "1ms", "-v"], scene, search)
            try check(scene, search)
            try await report(scene, search)
            _ = try await say(["forget", "last"], scene, search)
            try check(scene, search, isForgotten: true)
            try await report(scene, search)
            for log in ["plan.jsonl", "log"] {
                let text = try scene.world.text(at: log)
                #expect(search.leaks(in: text, for: .operatorOnScreen, log) == [])
            }
        }
    }
}
