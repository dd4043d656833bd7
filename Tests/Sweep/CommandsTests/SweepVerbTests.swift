import AsyncOperations
import CommandLine
import CommandWorld
import Commands
import Foundation
import Testing

/// The verbs that look and delete, over TLS against the mock server.
struct SweepVerbTests {
    static let quick = ["--verify-pause", "1ms"]
    static let phrase = "delete 6 zones in 3 containers"

    @Test(.timeLimit(.minutes(30)))
    func `the most time allowed also ends requests that the server does not answer`()
        async throws
    {
        try await SweepScene.run { scene in
            #expect(await scene.mock("faults", "zones/list -> delay 600s") == 0)
            let plan = try await scene.cksweep("plan", "--max-duration", "100ms")
            #expect(plan.code == 8, "\(plan.output)")
            let sweep = try await scene.cksweep("sweep", "--max-duration", "100ms")
            #expect(sweep.code == 8, "\(sweep.output)")
            #expect(!sweep.output.contains("nothing there"))
        }
    }

    @Test func `plan, show, apply, verify, runs and report`() async throws {
        try await SweepScene.run { scene in
            let plan = try await scene.cksweep(
                "plan", "-o", "ann.plan", "--json-into", "plan.jsonl")
            #expect(plan.code == 0 && plan.output.contains("TO DELETE: "))
            #expect(try await scene.cksweep("plan", "--detailed-exitcode").code == 10)
            #expect(try await scene.cksweep("plan", "-o", "ann.plan").code == 2)
            let nowhere = try await scene.cksweep("plan", "-o", "no/such/p")
            #expect(nowhere.code == 2 && nowhere.errors.contains("/no/such does not exist"))
            let digest = try scene.digest("plan.jsonl")
            #expect(digest.count == 64 && plan.output.contains(digest))

            let shown = await Dispatcher.run(
                ["show", "ann.plan", "--items"], in: scene.world.environment()
            ).code
            #expect(shown == 0)
            #expect(scene.world.output.text.contains(digest))
            #expect(scene.world.output.text.contains("zone Notes"))
            #expect(scene.world.output.text.contains("record "))

            let wrong = try await scene.cksweep(
                "apply", "ann.plan", "--approve", String(repeating: "0", count: 64))
            #expect(wrong.code == 3 && wrong.output.contains("REFUSED: "))
            let unasked = try await scene.cksweep("apply", "ann.plan")
            #expect(unasked.code == 3 && unasked.errors.contains("--approve \(digest)"))
            #expect(try await scene.cksweep("verify", "--verify-pause", "1ms").code == 6)

            let applied = try await scene.cksweep(
                "apply", "ann.plan", "--approve", digest, "--verify-pause", "1ms", "--json-into",
                "apply.jsonl")
            #expect(applied.code == 0, "\(applied.output)\(applied.errors)")
            #expect(applied.output.contains("DONE: "))
            let names = try scene.events("apply.jsonl").compactMap { $0["event"] as? String }
            #expect(names.filter { $0 == "verified" }.count == 2)
            #expect(names.contains("delete_started") && names.last == "report")
            let again = try await scene.cksweep("apply", "ann.plan", "--approve", digest)
            #expect(again.code == 3)
            #expect(try await scene.cksweep("verify", "--verify-pause", "1ms").code == 0)
            #expect(try await scene.cksweep("plan", "--detailed-exitcode").code == 0)

            let runs = try await scene.cksweep("runs", "--rehearsal", "--json")
            let lines = runs.output.split(whereSeparator: \.isNewline)
            #expect(runs.code == 0 && lines.count >= 6)
            let first = try #require(lines.first { $0.contains("\"apply\"") && $0.contains(":0,") })
            let run = try #require(first.firstMatch(of: #/"run":"([^"]+)"/#)?.1)
            let report = try await scene.cksweep("report", String(run))
            #expect(report.code == 0 && report.output.contains("DONE: "))
            let json = try await scene.cksweep("report", String(run), "--as", "json")
            let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
            #expect((object as? [String: Any])?["status"] as? Int == 0)
            let table = try await scene.cksweep("report", String(run), "--as", "csv")
            // "\r\n" is one character: a line feed behind it would be the last.
            #expect(table.code == 0 && table.output.hasSuffix("\r\n"))
        }
    }

    /// A list that names no record types, of which nobody can show that none is left.
    private static func withoutTypes(_ list: String) -> String {
        list.replacing(#/, "recordTypes": \[[^\]]*\]/#, with: "")
            .replacing("\"containers\":", with: "\"databases\": [\"private\"], \"containers\":")
    }

    @Test func `before a deletion nothing is left, and the places come to what the verdict says`()
        async throws
    {
        try await SweepScene.run(list: Self.withoutTypes) { scene in
            for words in [["plan"], ["report", "last"]] {
                let said = try await scene.cksweep(words)
                let text = said.output.replacing(#/\n +/#, with: " ")
                #expect(text.contains("not verifiable") && !text.contains(" left"), "\(text)")
                func sum(_ matches: [Regex<(Substring, Substring)>.Match]) -> Int {
                    matches.reduce(0) { $0 + (Int($1.1) ?? 0) }
                }
                let places = sum(text.matches(of: #/(\d+) to delete/#))
                let verdict = try #require(text.split(separator: "INCOMPLETE: ").last)
                // Records inside of zones go with their zone, which is one place.
                let things = String(verdict).replacing(#/with \d+ records?/#, with: "")
                let named = sum(
                    things.matches(of: #/(\d+) (?:other )?(?:zone|record|subscription)s?\b/#))
                #expect(places == named && places > 0, "\(text)")
            }
            let whole = try await scene.cksweep("plan", "-v")
            #expect(!whole.output.contains(" left"), "\(whole.output)")
            let export = try await scene.cksweep("export", "-o", "ann")
            #expect(export.output.contains(" exported") && !export.output.contains(" left"))
        }
    }

    @Test func `a plan tells the whole command that carries it out`() async throws {
        try await SweepScene.run { scene in
            let plan = try await scene.cksweep(
                "plan", "-c", "Containers/app.json", "-o", "ann.plan", "--export-first", "ann")
            let folder = scene.world.folder
            #expect(
                plan.errors.contains(
                    "To execute it: cksweep apply \(folder)/ann.plan --export-first "
                        + "\(folder)/ann -c Containers/app.json --state runs\n"),
                "\(plan.errors)")
        }
    }

    @Test func `runs in a folder that others may write to are a mistake of its owner`()
        async throws
    {
        try await SweepScene.run { scene in
            #expect(try await scene.cksweep("plan").code == 0)
            let folder = "\(scene.world.folder)/runs/rehearsal"
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o777], ofItemAtPath: folder)
            for words in [["runs", "--rehearsal"], ["report", "last"], ["forget", "last"]] {
                let refused = try await scene.cksweep(words)
                #expect(refused.code == 2, "\(words): \(refused.errors)")
            }
        }
    }

    @Test func `a person types the phrase, and everything goes`() async throws {
        try await SweepScene.run { scene in
            let no = try await scene.cksweep("sweep", typed: ["yes"], isTerminal: true)
            #expect(no.code == 3)
            let silent = try await scene.cksweep("sweep", isTerminal: true)
            #expect(silent.code == 3 && silent.errors.contains("No answer; nothing was deleted."))
            #expect(silent.errors.contains("       Ann, "))
            #expect(try await scene.cksweep("plan", "--detailed-exitcode").code == 10)
            let yes = try await scene.cksweep(
                "sweep", "--verify-pause", "1ms", typed: [Self.phrase], isTerminal: true)
            #expect(yes.code == 0, "\(yes.output)\(yes.errors)")
            #expect(try await scene.cksweep("plan", "--detailed-exitcode").code == 0)
            let bob = try await scene.cksweep(
                "plan", "--detailed-exitcode", variables: ["WEB": scene.variables["BOB"] ?? ""])
            #expect(bob.code == 10)
        }
    }

    @Test func `an automation sweeps with the digest of a plan made before`() async throws {
        try await SweepScene.run { scene in
            let unknown = try await scene.cksweep("sweep", "--approve", "00")
            #expect(unknown.code == 3 && unknown.errors.contains("has the approved digest"))
            #expect(try await scene.cksweep("plan", "--json-into", "plan.jsonl").code == 0)
            let digest = try scene.digest("plan.jsonl")
            let done = try await scene.cksweep(
                "sweep", "--approve", digest, "--verify-pause", "1ms")
            #expect(done.code == 0, "\(done.output)\(done.errors)")
            #expect(try await scene.cksweep("plan", "--detailed-exitcode").code == 0)
            // A plan is good once.
            #expect(try await scene.cksweep("sweep", "--approve", digest).code == 3)
        }
    }

    @Test func `what a rule protects is kept and named`() async throws {
        let rule = "\"protect\": [ { \"zone\": \"Notes\", \"reason\": \"tax law\" } ],"
        let protecting = { (text: String) in
            text.replacingOccurrences(of: "\"containers\"", with: rule + "\"containers\"")
        }
        try await SweepScene.run(list: protecting) { scene in
            let plan = try await scene.cksweep("plan", "-o", "p", "--json-into", "p.jsonl")
            #expect(plan.output.contains("1 kept: tax law"))
            let shown = await Dispatcher.run(
                ["show", "p", "--why"], in: scene.world.environment()
            ).code
            #expect(shown == 0)
            #expect(
                scene.world.output.text.contains("zone Notes  (protect rule 1: tax law)"))
            let done = try await scene.cksweep(
                "apply", "p", "--approve", try scene.digest("p.jsonl"), "--verify-pause", "1ms")
            #expect(done.code == 0 && done.output.contains("2 kept"), "\(done.output)")
        }
    }

    @Test func `a wrong token ends with 7`() async throws {
        try await SweepScene.run { scene in
            let token = try await scene.cksweep("plan", variables: ["WEB": "nonsense-token"])
            #expect(token.code == 7 && token.output.contains("NOT SIGNED IN: "))
        }
    }

    @Test(arguments: ["ACCESS_DENIED", "BAD_REQUEST"])
    func `a page that cannot be listed ends with 4, and nobody is asked`(code: String) async throws
    {
        try await SweepScene.run { scene in
            #expect(await scene.mock("faults", "zones/list -> \(code)") == 0)
            let sweep = try await scene.cksweep("sweep", typed: [Self.phrase], isTerminal: true)
            #expect(sweep.code == 4, "\(sweep.output)")
            #expect(sweep.output.contains(code) && !sweep.errors.contains("Type "))
            #expect(await scene.mock("faults", "--clear") == 0)
            #expect(try await scene.cksweep("plan", "--detailed-exitcode").code == 10)
            // Allowed to be partial, it deletes the rest and ends no better than 5.
            let rule = "subscriptions/list -> \(code)"
            #expect(await scene.mock("faults", rule) == 0)
            let partial = try await scene.cksweep(
                "sweep", "--allow-partial", "known", "--verify-pause", "1ms",
                typed: [Self.phrase], isTerminal: true)
            #expect(partial.code == 5, "\(partial.output)")
            #expect(partial.output.contains("allowed to be partial: known"))
        }
    }

    @Test func `a second sweep of the same data ends with 9 and names the first`() async throws {
        try await SweepScene.run { scene in
            let second = Locked<(code: Int32, output: String, errors: String)?>(nil)
            let input = ActingInput { _ in
                let inner = try? await scene.cksweep(
                    "sweep", typed: [Self.phrase], isTerminal: true)
                second.withLock { $0 = inner }
                return Self.phrase
            }
            let first = try await scene.cksweep(
                "sweep", "--verify-pause", "1ms", input: input, isTerminal: true)
            #expect(first.code == 0, "\(first.output)\(first.errors)")
            let refused = try #require(second.withLock { $0 })
            #expect(refused.code == 9)
            #expect(refused.output.contains("another run holds the lock: run "))
            #expect(refused.output.contains(" of process "))
        }
    }

    @Test func `an interrupt at the question ends it at once, and there is nothing to resume`()
        async throws
    {
        try await SweepScene.run { scene in
            let input = ActingInput { time in
                #expect(time == .seconds(300))
                scene.world.signals.send(2)
                // Somebody who never answers.
                try? await ContinuousClock().sleep(for: .seconds(3600))
                return nil
            }
            let sweep = try await scene.cksweep("sweep", input: input, isTerminal: true)
            #expect(sweep.code == 130 && sweep.output.contains("INTERRUPTED: "))
            #expect(!sweep.errors.contains("To go on:"))
            #expect(try await scene.cksweep("plan", "--detailed-exitcode").code == 10)
        }
    }

    @Test func `an answer that comes too late is none`() async throws {
        try await SweepScene.run { scene in
            let asked = Locked<[Duration]>([])
            let input = ActingInput { time in
                asked.withLock { $0.append(time) }
                return nil
            }
            let sweep = try await scene.cksweep("sweep", input: input, isTerminal: true)
            #expect(sweep.code == 3 && sweep.errors.contains("No answer; nothing was deleted."))
            #expect(asked.withLock { $0 } == [.seconds(300)])
            // The digest it told is that of a plan which can still be approved.
            let digest = try #require(sweep.output.firstMatch(of: #/plan +([0-9a-f]{64})/#)?.1)
            let done = try await scene.cksweep(
                "sweep", "--approve", String(digest), "--verify-pause", "1ms")
            #expect(done.code == 0, "\(done.output)\(done.errors)")
        }
    }

    @Test func `a state folder that is none is named, and nobody is contacted`() async throws {
        try await SweepScene.run { scene in
            try scene.world.put("", at: "runs")
            let plan = try await scene.cksweep("plan")
            #expect(plan.code == 2 && plan.output.contains("/runs"), "\(plan)")
        }
    }

    @Test func `a plan that was touched is refused`() async throws {
        try await SweepScene.run { scene in
            #expect(try await scene.cksweep("plan", "-o", "p").code == 0)
            let text = try scene.world.text(at: "p")
            try scene.world.put(text.replacingOccurrences(of: "Notes", with: "Nodes"), at: "q")
            let environment = scene.world.environment()
            #expect(await Dispatcher.run(["show", "q"], in: environment).code == 3)
            #expect(scene.world.errors.text.contains("the plan was changed"))
            try scene.world.put(String(text.dropLast(50)), at: "r")
            #expect(await Dispatcher.run(["show", "r"], in: environment).code == 2)
            #expect(scene.world.errors.text.contains("not a complete plan of cksweep"))
            #expect(await Dispatcher.run(["show", "none"], in: environment).code == 2)
            #expect(scene.world.errors.text.contains("the plan none does not exist"))
            #expect(try await scene.cksweep("apply", "q", "--approve", "00").code != 0)
            #expect(try await scene.cksweep("plan", "--detailed-exitcode").code == 10)
        }
    }

    @Test func `events on standard output are all there is, and no secret is anywhere`()
        async throws
    {
        try await SweepScene.run { scene in
            let plan = try await scene.cksweep("plan", "--json", "-v")
            for line in plan.output.split(whereSeparator: \.isNewline) {
                #expect(throws: Never.self) {
                    try JSONSerialization.jsonObject(with: Data(line.utf8))
                }
            }
            for secret in scene.variables.values {
                #expect(!(plan.output + plan.errors).contains(secret))
            }
        }
    }

    @Test func `without runs there is nothing to show`() async throws {
        let world = try TestWorld()
        #expect(await world.run("runs", "--state", "none") == 0)
        #expect(world.errors.text.contains("No runs in"))
        #expect(await world.run("report", "last", "--state", "none") == 2)
        #expect(await world.run("report", "last", "--as", "html") == 2)
        #expect(world.errors.text.contains("there are no runs in"))
    }
}
