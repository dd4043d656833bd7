import Basics
import CommandLine
import CommandWorld
import Commands
import Foundation
import Testing

/// Requests with a time limit: said at `plan`, listed by `runs --due`, checked by `status`.
struct DeadlineVerbTests {
    /// A day before or after the day of the tests' clock.
    private func day(_ offset: Int) -> String {
        String(moment(offset).iso8601.prefix(10))
    }

    private func moment(_ offset: Int) -> Timestamp {
        Timestamp(milliseconds: TestWorld.moment.milliseconds + Int64(offset) * 86_400_000)
    }

    /// A command line about rehearsals, so many days later.
    private func later(
        _ days: Int, _ scene: SweepScene, _ words: String...
    ) async -> (code: Int32, output: String) {
        let output = MemorySink()
        var environment = scene.world.environment()
        environment.output = output
        environment.wallClock = .fixed(moment(days))
        let code = await Dispatcher.run(
            words + ["--rehearsal", "--state", "runs"], in: environment
        ).code
        return (code, unmarked(output.text))
    }

    @Test func `a request is told, listed with its last day, and met`() async throws {
        try await SweepScene.run { scene in
            let none = await later(0, scene, "status", "--fail-if-due-in", "366d")
            #expect(none.code == 0 && none.output.contains("No request is open."))
            let plan = try await scene.cksweep(
                "plan", "-o", "ann.plan", "--received-at", day(-40), "--regime", "ccpa",
                "--json-into", "plan.jsonl")
            #expect(plan.code == 0, "\(plan.output)\(plan.errors)")
            #expect(plan.output.contains("received \(day(-40)), due \(day(5)) (ccpa)"))

            let list = await later(0, scene, "runs", "--due")
            #expect(list.code == 0 && list.output.contains("5 days"), "\(list.output)")
            #expect(list.output.contains(day(50)), "the last day when it is extended")
            #expect(list.output.split(whereSeparator: \.isNewline).allSatisfy { $0.count <= 80 })
            #expect(await later(5, scene, "runs", "--due").output.contains("today"))
            #expect(await later(7, scene, "runs", "--due").output.contains("OVERDUE 2 days"))
            let json = await later(7, scene, "runs", "--due", "--json")
            #expect(json.output.contains("\"daysLeft\":-2"), "\(json.output)")

            for (days, within, code) in [
                (0, "4d", 0), (0, "5d", 10), (5, "0s", 10), (4, "0s", 0), (9, "1h", 10),
            ] as [(Int, String, Int32)] {
                let status = await later(days, scene, "status", "--fail-if-due-in", within)
                #expect(status.code == code, "day \(days), \(within): \(status.output)")
                #expect(status.output.contains("1 request open"), "\(status.output)")
            }
            #expect(await later(9, scene, "status").code == 0, "nobody asked to fail")
            #expect(await later(9, scene, "status").output.contains("1 OVERDUE"))

            let done = try await scene.cksweep(
                "apply", "ann.plan", "--approve", try scene.digest("plan.jsonl"),
                "--verify-pause", "1ms")
            #expect(done.code == 0, "\(done.output)\(done.errors)")
            #expect(await later(9, scene, "status", "--fail-if-due-in", "1d").code == 0)
            #expect(await later(9, scene, "runs", "--due").output.contains("No request is open."))
        }
    }

    @Test(arguments: [
        (["--received-at", "2026-01-31"], "needs --regime"),
        (["--regime", "gdpr"], "--regime needs --received-at"),
        (["--received-at", "2026-02-30", "--regime", "gdpr"], "a date such as"),
        (["--received-at", "9999-01-01", "--regime", "gdpr"], "is in the future"),
        (["--received-at", "2026-01-31", "--regime", "lgpd"], "--regime"),
        (["--not-before", "soon"], "--not-before takes a time"),
        (["--not-before", "9999-01-01T00:00:00Z"], "at most 366 days"),
        (["--not-before", "-1d"], "--not-before"),
    ])
    func `what is no request and no time is a usage error`(
        words: [String], message: String
    ) async throws {
        try await SweepScene.run { scene in
            let errors = MemorySink()
            var environment = scene.world.environment(variables: scene.variables)
            environment.errors = errors
            let code = await Dispatcher.run(
                ["plan", "--state", "runs"] + words, in: environment
            ).code
            #expect(code == 2)
            #expect(errors.text.contains(message), "\(errors.text)")
        }
    }

    @Test func `a plan that may not be carried out yet says when`() async throws {
        try await SweepScene.run { scene in
            let plan = try await scene.cksweep(
                "plan", "-o", "ann.plan", "--not-before", "7d", "--json-into", "plan.jsonl")
            #expect(plan.code == 0, "\(plan.output)\(plan.errors)")
            let output = MemorySink()
            var environment = scene.world.environment()
            environment.output = output
            #expect(await Dispatcher.run(["show", "ann.plan"], in: environment).code == 0)
            #expect(output.text.contains(moment(7).iso8601), "\(output.text)")
            let early = try await scene.cksweep(
                "apply", "ann.plan", "--approve", try scene.digest("plan.jsonl"))
            #expect(early.code == 3, "\(early.output)\(early.errors)")
            #expect(early.output.contains(moment(7).iso8601), "\(early.output)")
        }
    }
}
