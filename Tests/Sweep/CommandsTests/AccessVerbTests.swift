import Commands
import Foundation
import Testing

/// Restricting access after a sweep, and giving it back, at the mock server over TLS.
@Suite(.timeLimit(.minutes(30)))
struct AccessVerbTests {
    private static let quick = ["--verify-pause", "1ms"]

    private func swept(
        _ scene: SweepScene
    ) async throws -> (code: Int32, output: String, errors: String) {
        _ = try await scene.cksweep("plan", "--json-into", "plan.jsonl")
        return try await scene.cksweep(
            "sweep", "--freeze", "--approve", try scene.digest("plan.jsonl"), "--verify-pause",
            "1ms", "--json-into", "sweep.jsonl")
    }

    @Test func `--freeze restricts what is verified empty, and unrestrict asks first`()
        async throws
    {
        try await SweepScene.run { scene in
            let done = try await swept(scene)
            #expect(done.code == 0, "\(done.output)\(done.errors)")
            #expect(done.output.contains("RESTRICTED: access is restricted in 3 containers"))
            let access = try scene.events("sweep.jsonl").last { $0["event"] as? String == "access" }
            #expect(access?["change"] as? String == "restrict")
            #expect((access?["addendum"] as? String)?.hasSuffix(".addendum-1.json") == true)
            // Nobody can look now, and nobody says that it is empty.
            let blind = try await scene.cksweep("verify", "--verify-pause", "1ms")
            #expect(blind.code == 4 && blind.output.contains("restricted"), "\(blind.output)")

            let unasked = try await scene.cksweep("unrestrict", "last")
            #expect(unasked.code == 3, "\(unasked.output)")
            let digest = try #require(
                unasked.errors.firstMatch(of: /--approve ([0-9a-f]{64})/)
            ).1
            let other = try await scene.cksweep(
                "unrestrict", "--approve", String(repeating: "0", count: 64))
            #expect(other.code == 3)
            #expect(try await scene.cksweep("verify", "--verify-pause", "1ms").code == 4)
            let back = try await scene.cksweep("unrestrict", "last", "--approve", String(digest))
            #expect(back.code == 0, "\(back.errors)")
            #expect(back.output.contains("ACCESS RESTORED: "), "\(back.output)")
            #expect(try await scene.cksweep("verify", "--verify-pause", "1ms").code == 0)
        }
    }

    @Test func `a phrase gives access back, and another one does not`() async throws {
        try await SweepScene.run { scene in
            let restricted = try await scene.cksweep("restrict")
            #expect(restricted.code == 0, "\(restricted.errors)")
            let wrong = try await scene.cksweep("unrestrict", typed: ["yes"], isTerminal: true)
            #expect(wrong.code == 3, "\(wrong.output)")
            let right = try await scene.cksweep(
                "unrestrict", typed: ["restore access to 3 containers"], isTerminal: true)
            #expect(right.code == 0, "\(right.output)\(right.errors)")
        }
    }

    @Test func `a restriction that fails leaves the run verified, and is told by its own status`()
        async throws
    {
        try await SweepScene.run { scene in
            #expect(await scene.mock("faults", "2nd users/restrict -> ACCESS_DENIED") == 0)
            let done = try await swept(scene)
            #expect(done.code == 12, "\(done.output)\(done.errors)")
            #expect(done.output.contains("FOLLOW-UP FAILED: "), "\(done.output)")
            #expect(done.output.contains("not restricted in 1 of 3 containers"), "\(done.output)")
            let report = try scene.events("sweep.jsonl").last {
                $0["event"] as? String == "report"
            }
            #expect(report?["status"] as? Int == 0)
            let runs = try await scene.cksweep("runs", "--rehearsal")
            #expect(runs.output.contains("0, done"), "\(runs.output)")
        }
    }

    @Test func `what is not verified is not restricted`() async throws {
        try await SweepScene.run { scene in
            #expect(await scene.mock("faults", "zones/modify -> ACCESS_DENIED") == 0)
            let failed = try await swept(scene)
            #expect(failed.code == 5, "\(failed.output)")
            #expect(failed.errors.contains("access is not restricted"), "\(failed.errors)")
            let look = try await scene.cksweep("verify", "--verify-pause", "1ms")
            #expect(look.code == 6, "\(look.output)")
        }
    }
}
