import Commands
import Foundation
import Testing

/// Evidence that no key signs shows nothing to others: who runs a sweep learns that before the data is deleted.
@Suite(.timeLimit(.minutes(30)))
struct UnsignedEvidenceTests {
    private static let makesKey = "\"cksweep evidence init --rehearsal\""

    private func joined(_ text: String) -> String {
        text.replacing(#/\u{1B}\[[0-9;]*m/#, with: "").split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
    }

    @Test func `without a key every verb says so before and after, and with one none does`()
        async throws
    {
        try await SweepScene.run { scene in
            let doctor = try await scene.cksweep("doctor")
            #expect(doctor.code == 0)
            #expect(
                joined(doctor.output).contains(
                    "Evidence will be UNSIGNED: \(Self.makesKey) creates the key. Ready to sweep."),
                "\(doctor.output)")
            let plan = try await scene.cksweep("plan")
            #expect(
                joined(plan.output).contains("evidence UNSIGNED: \(Self.makesKey)"),
                "\(plan.output)")
            let refused = try await scene.cksweep(
                "sweep", "--verify-pause", "1ms", typed: ["no"], isTerminal: true)
            #expect(refused.code == 3)
            #expect(
                joined(refused.errors).contains(
                    "UNSIGNED: to get evidence that others can verify, answer no and run "
                        + "\(Self.makesKey) first"),
                "\(refused.errors)")
            let swept = try await scene.cksweep(
                "sweep", "--verify-pause", "1ms", "--json-into", "sweep.jsonl",
                typed: [SweepVerbTests.phrase], isTerminal: true)
            #expect(swept.code == 0, "\(swept.errors)")
            #expect(joined(swept.output).contains(".json, UNSIGNED: \(Self.makesKey)"))
            let report = try #require(
                try scene.events("sweep.jsonl").last { $0["event"] as? String == "report" })
            #expect(report["signed"] as? Bool == false)
            let shown = try await scene.cksweep("report", "last")
            #expect(joined(shown.output).contains("UNSIGNED"))
        }
        try await SweepScene.run { scene in
            #expect(try await scene.cksweep("evidence", "init", "--rehearsal").code == 0)
            let swept = try await scene.cksweep(
                "sweep", "--verify-pause", "1ms", typed: [SweepVerbTests.phrase], isTerminal: true)
            #expect(swept.code == 0)
            for words in [["doctor"], ["plan"], ["report", "last"]] {
                let ended = try await scene.cksweep(words)
                #expect(!"\(ended)\(swept)".contains("UNSIGNED"), "\(words): \(ended)")
            }
        }
    }

    @Test
    func `beside a mock server the key is that of rehearsals, and every verb says which it is`()
        async throws
    {
        try await SweepScene.run { scene in
            let mock = ["CLOUDKIT_EMULATOR_URL": try scene.ready()["url"] as? String ?? ""]
            let none = try await scene.cksweep("evidence", "key", "--rehearsal")
            #expect(none.errors.contains(Self.makesKey), "\(none.errors)")
            let made = try await scene.cksweep(["evidence", "init"], variables: mock)
            #expect(made.code == 0, "\(made.errors)")
            #expect(joined(made.output).contains("signs rehearsals"))
            let path = scene.world.folder + "/runs/rehearsal/keys/evidence.pem"
            #expect(FileManager.default.fileExists(atPath: path))
            let again = try await scene.cksweep(["evidence", "init"], variables: mock)
            #expect(again.code == 3 && again.errors.contains("evidence key --rehearsal"))
            let real = try await scene.cksweep("evidence", "init")
            #expect(real.code == 0 && joined(real.output).contains("signs real runs"))
        }
    }

    @Test(arguments: ["_0a1b2c3d4e5", "_0a1b2c3d4e5…", "_"])
    func `a part of a name is an input error, not a person that it is not about`(
        name: String
    ) async throws {
        try await SweepScene.run { scene in
            #expect(try await scene.cksweep("evidence", "init", "--rehearsal").code == 0)
            let swept = try await scene.cksweep(
                "sweep", "--verify-pause", "1ms", "--json-into", "sweep.jsonl",
                typed: [SweepVerbTests.phrase], isTerminal: true)
            #expect(swept.code == 0)
            let report = try scene.events("sweep.jsonl").last { $0["event"] as? String == "report" }
            let path = try #require(report?["evidence"] as? String)
            let key = "runs/rehearsal/keys/evidence.pub.pem"
            let part = try await scene.cksweep(
                "attest", "match", path, "--key", key, "--subject", name)
            #expect(part.code == 2, "\(part)")
            #expect(part.errors.contains("is only a part of a user record name"), "\(part.errors)")
            let other = try await scene.cksweep(
                "attest", "match", path, "--key", key, "--subject",
                "_" + String(repeating: "0", count: 32))
            #expect(other.code == 11, "\(other)")
        }
    }
}
