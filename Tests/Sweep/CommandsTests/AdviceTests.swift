import AsyncOperations
import CommandLine
import CommandWorld
import Commands
import Foundation
import Testing

/// What is said about what to do next, and about whom.
@Suite(.timeLimit(.minutes(30)))
struct AdviceTests {
    @Test func `verify says whose data is there, and which command deletes it`() async throws {
        try await SweepScene.run { scene in
            let found = try await scene.cksweep(
                "verify", "-c", "Containers/app.json", "--verify-pause", "1ms")
            #expect(found.code == 6)
            #expect(!found.output.contains("(user unknown)"), "\(found.output)")
            #expect(
                found.errors.contains(
                    "To delete it: cksweep sweep -c Containers/app.json --state runs\n"),
                "\(found.errors)")
        }
    }

    @Test func `the last run that is verified is the last that deleted something`() async throws {
        try await SweepScene.run { scene in
            #expect(try await scene.cksweep("plan").code == 0)
            let none = try await scene.cksweep("verify", "last")
            #expect(none.code == 2)
            #expect(none.errors.contains("is a valid \"last\""), "\(none.errors)")
            let swept = try await scene.cksweep(
                "sweep", "--verify-pause", "1ms", typed: [SweepVerbTests.phrase],
                isTerminal: true)
            #expect(swept.code == 0, "\(swept.output)")
            #expect(try await scene.cksweep("verify", "--verify-pause", "1ms").code == 0)
            #expect(try await scene.cksweep("plan").code == 0)
            #expect(await scene.mock("seed", MockStart.fixture) == 0)
            let last = try await scene.cksweep("verify", "last", "--verify-pause", "1ms")
            #expect(last.code == 6)
            #expect(last.output.contains("deleted zones exist again"), "\(last.output)")
        }
    }

    @Test func `a plan that was used names the run, and how to go on`() async throws {
        try await SweepScene.run { scene in
            #expect(try await scene.cksweep("plan", "-o", "p", "--json-into", "p.jsonl").code == 0)
            let digest = try scene.digest("p.jsonl")
            // Deleting begins, and is interrupted.
            #expect(await scene.mock("faults", "subscriptions/modify -> delay 300ms") == 0)
            let listening = Task {
                try await scene.world.output.wait(for: "\"delete_started\"")
                scene.world.signals.send(2)
            }
            let environment = scene.world.environment(variables: scene.variables)
            let cut = await Dispatcher.run(
                ["apply", "p", "--approve", digest, "--json", "--state", "runs"],
                in: environment
            ).code
            scene.world.output.end()
            try await listening.value
            #expect(cut == 130, "\(scene.world.output.text)")
            let again = try await scene.cksweep("apply", "p", "--approve", digest)
            #expect(again.code == 3)
            let run = try #require(
                again.output.firstMatch(of: #/was used before, by run ([-0-9A-Za-z]+)/#)?.1,
                "\(again.output)")
            #expect(again.output.contains("cksweep resume \(run)"), "\(again.output)")
            #expect(await scene.mock("faults", "--clear") == 0)
            let done = try await scene.cksweep("resume", String(run), "--verify-pause", "1ms")
            #expect(done.code == 0, "\(done.output)")
            let third = try await scene.cksweep("apply", "p", "--approve", digest)
            #expect(third.code == 3 && third.output.contains("by run \(run)"))
            #expect(!third.output.contains("cksweep resume"), "\(third.output)")
        }
    }

    @Test func `an interrupt prints the line that resumes before a second one can end it`()
        async throws
    {
        try await SweepScene.run { scene in
            #expect(try await scene.cksweep("plan", "-o", "p", "--json-into", "p.jsonl").code == 0)
            #expect(await scene.mock("faults", "subscriptions/modify -> delay 300ms") == 0)
            let signals = scene.world.signals
            let listening = Task {
                try await scene.world.output.wait(for: "\"delete_started\"")
                signals.send(2)
                // A second one would end the process now.
                return scene.world.errors.text
            }
            _ = await Dispatcher.run(
                [
                    "apply", "p", "--approve", try scene.digest("p.jsonl"), "--json", "--state",
                    "runs",
                ], in: scene.world.environment(variables: scene.variables))
            scene.world.output.end()
            let said = try await listening.value
            #expect(said.contains("To continue: cksweep resume "), "\(said)")
            #expect(said.contains(" --state runs\n"), "\(said)")
        }
    }

    @Test func `an allowance to be partial caps the result at 5, even when all was listed`()
        async throws
    {
        try await SweepScene.run { scene in
            let capped = try await scene.cksweep(
                "sweep", "--allow-partial", "just in case", "--verify-pause", "1ms",
                typed: [SweepVerbTests.phrase], isTerminal: true)
            #expect(capped.code == 5, "\(capped.output)")
            #expect(capped.output.contains("cksweep verify"), "\(capped.output)")
            #expect(!capped.errors.contains("cksweep resume"), "\(capped.errors)")
            #expect(try await scene.cksweep("verify", "--verify-pause", "1ms").code == 0)
        }
    }

    @Test func `a broken plan is told with file, line and column`() async throws {
        let world = try TestWorld()
        try world.put("{\"format\":\"cksweep-plan\",}\n", at: "comma.plan")
        #expect(await world.run("show", "comma.plan") == 2)
        #expect(world.errors.text.contains("comma.plan:1:26: "), "\(world.errors.text)")
        try world.put("\n", at: "blank.plan")
        #expect(await world.run("show", "blank.plan") == 2)
        #expect(world.errors.text.contains("blank.plan:1:1: "), "\(world.errors.text)")
        try FileManager.default.createDirectory(
            atPath: "\(world.folder)/folder", withIntermediateDirectories: true)
        try await SweepScene.run { scene in
            let applied = try await scene.cksweep("apply", "Containers")
            #expect(
                applied.code == 2 && applied.errors.contains("the plan Containers is not a file"))
        }
    }

    /// A web token that is good for one request: the documented rule.
    @Test func `a sweep works where every token is good for one request only`() async throws {
        try await SweepScene.run(server: ["--strict-tokens"]) { scene in
            let swept = try await scene.cksweep(
                "sweep", "--verify-pause", "1ms", typed: [SweepVerbTests.phrase],
                isTerminal: true)
            #expect(swept.code == 0, "\(swept.output)\(swept.errors)")
            #expect(await scene.mock("log", "requests", "--json", "-n", "10000") == 0)
            let requests = scene.world.output.text.split(separator: "\n")
                .filter { $0.contains("\"event\":\"request\"") }
            let refused = requests.count { $0.contains("\"status\":421") }
            #expect(requests.count > 100 && refused <= 5, "\(refused) of \(requests.count)")
        }
    }
}
