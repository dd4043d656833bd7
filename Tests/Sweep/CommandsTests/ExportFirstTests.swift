import Commands
import Foundation
import Testing

/// Nothing is deleted before it is handed out: `--export-first` over TLS against the mock server.
@Suite(.timeLimit(.minutes(30)))
struct ExportFirstTests {
    /// How many zones the person has in all containers, by the server's own account.
    private func zones(_ scene: SweepScene) async throws -> Int {
        try await scene.cksweep("plan", "--json-into", "count.jsonl", "-q").code == 0
            ? planned(scene, "count.jsonl") : 0
    }

    private func planned(_ scene: SweepScene, _ events: String) throws -> Int {
        let report = try scene.events(events).last { $0["event"] as? String == "report" }
        return ((report?["plan"] as? [String: Any])?["zones"] as? Int) ?? -1
    }

    /// Makes a plan with an export, and says its digest.
    private func plan(_ scene: SweepScene) async throws -> String {
        let plan = try await scene.cksweep(
            "plan", "--export-first", "ann", "-o", "ann.plan", "--json-into", "plan.jsonl")
        #expect(plan.code == 0 && plan.output.contains("TO DELETE: "), "\(plan)")
        #expect(try await scene.cksweep("export", "--check", "ann").code == 0)
        return try scene.digest("plan.jsonl")
    }

    private func apply(
        _ scene: SweepScene, _ digest: String, afterExport folder: String? = "ann"
    ) async throws -> (code: Int32, output: String, errors: String) {
        guard let folder else {
            return try await scene.cksweep(
                "apply", "ann.plan", "--approve", digest, "--verify-pause", "1ms")
        }
        return try await scene.cksweep(
            "apply", "ann.plan", "--approve", digest, "--verify-pause", "1ms", "--export-first",
            folder)
    }

    @Test func `a sweep exports first, is bound to that, and tells of it`() async throws {
        try await SweepScene.run { scene in
            let swept = try await scene.cksweep(
                "sweep", "--export-first", "ann", "--verify-pause", "1ms", "--json-into",
                "sweep.jsonl", typed: [SweepVerbTests.phrase], isTerminal: true)
            #expect(swept.code == 0, "\(swept.output)\(swept.errors)")
            let checked = try await scene.cksweep(
                "export", "--check", "ann", "--json-into", "check.jsonl")
            #expect(checked.code == 0, "\(checked.output)\(checked.errors)")
            let digest = try #require(
                try scene.events("check.jsonl").first { $0["event"] as? String == "checked" }?[
                    "manifest"] as? String)
            let report = try scene.events("sweep.jsonl").last { $0["event"] as? String == "report" }
            let plan = report?["plan"] as? [String: Any]
            #expect(plan?["export"] as? String == digest)
            #expect(swept.errors.contains(digest), "the question does not tell of the export")
            #expect(swept.output.contains(digest))
            // The events are what the signed statement is about.
            let evidence = try #require(report?["evidence"] as? String)
            let events = try String(
                contentsOfFile: evidence.replacing(".json", with: ".events.jsonl"), encoding: .utf8)
            #expect(events.contains("\"event\":\"export\"") && events.contains(digest))
            // Nothing is left to be exported.
            #expect(try await scene.cksweep("plan", "--detailed-exitcode").code == 0)
        }
    }

    @Test func `a plan that was made with an export is applied with that`() async throws {
        try await SweepScene.run { scene in
            let digest = try await plan(scene)
            #expect(try await apply(scene, digest, afterExport: nil).code == 3, "without an export")
            // The clock stands still here: an export of the same data would be the same export.
            let list = try scene.world.text(at: "Containers/app.json")
            try scene.world.put(
                list.replacing(
                    "\"version\": 1,", with: "\"version\": 1, \"databases\": [\"private\"],"),
                at: "other.json")
            let other = try await scene.cksweep(
                "export", "-o", "other", "-c", "other.json")
            #expect(other.code == 0)
            let wrong = try await apply(scene, digest, afterExport: "other")
            #expect(wrong.code == 3 && wrong.output.contains("another export"), "\(wrong)")
            #expect(try await apply(scene, digest, afterExport: "nowhere").code == 3)
            #expect(try await zones(scene) == 6, "something was deleted")
            let applied = try await apply(scene, digest)
            #expect(applied.code == 0, "\(applied.output)\(applied.errors)")
        }
    }

    @Test func `a plan that was made without an export is not applied with one`() async throws {
        try await SweepScene.run { scene in
            _ = try await scene.cksweep("plan", "-o", "ann.plan", "--json-into", "plan.jsonl")
            #expect(try await scene.cksweep("export", "-o", "ann").code == 0)
            let refused = try await apply(scene, try scene.digest("plan.jsonl"))
            #expect(refused.code == 3 && refused.output.contains("without an export"))
        }
    }

    @Test func `a changed, missing or added file of the export makes apply refuse`() async throws {
        try await SweepScene.run { scene in
            let digest = try await plan(scene)
            let folder = scene.world.folder + "/ann"
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
                .filter { $0.hasSuffix(".jsonl") || $0 == "manifest.json" }
            #expect(paths.count >= 4)
            for path in paths {
                let url = URL(fileURLWithPath: folder + "/" + path)
                let whole = try Data(contentsOf: url)
                try (whole + Data(" ".utf8)).write(to: url)
                let refused = try await apply(scene, digest)
                #expect(refused.code == 3, "\(path): \(refused.output)")
                try FileManager.default.removeItem(at: url)
                #expect(try await apply(scene, digest).code == 3, "\(path) is missing")
                try whole.write(to: url)
            }
            try scene.world.put("x", at: "ann/records/stray.jsonl")
            #expect(try await apply(scene, digest).code == 3)
            #expect(try await zones(scene) == 6, "something was deleted")
            try FileManager.default.removeItem(atPath: folder + "/records/stray.jsonl")
            #expect(try await apply(scene, digest).code == 0)
        }
    }

    @Test func `a plan file whose export was edited is refused`() async throws {
        try await SweepScene.run { scene in
            let digest = try await plan(scene)
            let text = try scene.world.text(at: "ann.plan")
            let start = try #require(text.range(of: "\"export\":\"")).upperBound
            var edited = text
            edited.replaceSubrange(
                start..<text.index(after: start), with: text[start] == "0" ? "1" : "0")
            try scene.world.put(edited, at: "ann.plan")
            let refused = try await apply(scene, digest)
            #expect(refused.code == 3 && refused.output.contains("changed"), "\(refused)")
        }
    }

    @Test func `what cannot be exported is not deleted`() async throws {
        try await SweepScene.run { scene in
            // A look lists them, an export asks for each.
            #expect(await scene.mock("faults", "subscriptions/lookup -> ACCESS_DENIED") == 0)
            let swept = try await scene.cksweep(
                "sweep", "--export-first", "ann", typed: [SweepVerbTests.phrase], isTerminal: true)
            #expect(swept.code == 4, "\(swept.output)")
            #expect(await scene.mock("faults", "--clear") == 0)
            #expect(try await zones(scene) == 6, "something was deleted")
        }
    }

    @Test func `a folder that cannot take an export is found out before anybody is asked`()
        async throws
    {
        try await SweepScene.run { scene in
            try scene.world.put("mine", at: "full/notes.txt")
            for verb in ["plan", "sweep"] {
                let refused = try await scene.cksweep(verb, "--export-first", "full")
                #expect(refused.code == 3, "\(refused.output)")
                #expect(refused.output.contains("no request was sent"), "\(refused.output)")
            }
        }
    }
}
