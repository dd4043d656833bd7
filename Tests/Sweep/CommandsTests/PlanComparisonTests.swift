import CommandLine
import CommandWorld
import Commands
import Foundation
import Testing

/// `show A B`: what a second plan adds, lacks and does otherwise.
struct PlanComparisonTests {
    private func show(
        _ scene: SweepScene, _ words: String...
    ) async -> (code: Int32, output: String) {
        let output = MemorySink()
        var environment = scene.world.environment()
        environment.output = output
        let code = await Dispatcher.run(["show"] + words, in: environment).code
        return (code, unmarked(output.text))
    }

    @Test func `a rule, a new zone and a zone that went are the difference`() async throws {
        try await SweepScene.run { scene in
            #expect(try await scene.cksweep("plan", "-o", "old.plan").code == 0)
            #expect(try await scene.cksweep("plan", "-o", "same.plan").code == 0)
            let rule = "\"protect\": [ { \"zone\": \"Notes\", \"reason\": \"tax law\" } ], "
            try scene.world.put(
                scene.world.text(at: "Containers/app.json").replacingOccurrences(
                    of: "\"containers\"", with: rule + "\"containers\""),
                at: "Containers/app.json")
            #expect(try await scene.cksweep("plan", "-o", "new.plan").code == 0)

            let same = await show(scene, "old.plan", "same.plan", "--detailed-exitcode")
            #expect(
                same.code == 0 && same.output.contains("name the same items"), "\(same.output)")
            let new = await show(scene, "old.plan", "new.plan")
            #expect(new.code == 0, "\(new.output)")
            #expect(
                new.output.contains("~ deleted → kept") && new.output.contains("zone Notes")
                    && new.output.contains("protect rule 1: tax law"), "\(new.output)")
            #expect(new.output.contains("0 added, 0 removed, 2 changed."), "\(new.output)")
            let differing = await show(scene, "old.plan", "new.plan", "--detailed-exitcode")
            #expect(differing.code == 10)
            let back = await show(scene, "new.plan", "old.plan", "--json")
            #expect(back.output.contains("\"event\":\"item_changed\""), "\(back.output)")
            #expect(back.output.contains("\"before\":\"kept\""))

            // The zone of another person's plan is there in only one of the two.
            let bob = try await scene.cksweep(
                "plan", "-o", "bob.plan", variables: ["WEB": scene.variables["BOB"] ?? ""])
            #expect(bob.code == 0)
            let others = await show(scene, "old.plan", "bob.plan", "--items")
            #expect(others.output.contains("user of ") && others.output.contains("- deleted"))
            #expect(others.output.split(separator: "\n").count > 21)
            let short = await show(scene, "old.plan", "bob.plan")
            #expect(short.output.contains("more; --items lists all"))
        }
    }

    @Test func `a plan that was changed is compared with nothing, and shows no name`() async throws
    {
        try await SweepScene.run { scene in
            #expect(try await scene.cksweep("plan", "-o", "old.plan").code == 0)
            let text = try scene.world.text(at: "old.plan")
            try scene.world.put(
                text.replacingOccurrences(of: "Notes", with: "Nodes"), at: "new.plan")
            for words in [("old.plan", "new.plan"), ("new.plan", "old.plan")] {
                let shown = await show(scene, words.0, words.1)
                #expect(shown.code == 3 && !shown.output.contains("Nodes"), "\(shown.output)")
            }
            #expect(await show(scene, "old.plan", "old.plan", "old.plan").code == 2)
            #expect(await show(scene, "old.plan", "old.plan", "--why").code == 2)
            #expect(await show(scene, "old.plan", "missing.plan").code == 2)
        }
    }
}
