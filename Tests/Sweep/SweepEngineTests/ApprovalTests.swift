import Basics
import CloudCourier
import CloudModel
import Configuration
import DeletionPlanning
import Evidence
import Foundation
import OpenSSL
import SweepEngine
import Testing

/// Plans that others have to sign before they are carried out.
struct ApprovalTests {
    private static func key(_ number: UInt8) throws -> SigningKey {
        SigningKey(try Ed25519.PrivateKey(seed: [UInt8](repeating: number, count: 32)))
    }

    /// Two of the keys 1 to 3 have to sign.
    private func rule() throws -> ApprovalRule {
        ApprovalRule(
            count: 2,
            approvers: try ([1, 2, 3] as [UInt8]).map { number in
                let bytes = try Self.key(number).verifying.key.bytes
                return .init(name: "approver \(number)", key: Hexadecimal.encode(bytes))
            })
    }

    private func planned() async throws -> (Bench, SweepRequest, String, PlanFacts) {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let wanted = request([id], policy: Policy())
        var ruled = wanted
        ruled.policy.approvals = try rule()
        let sweep = Sweep(ruled, in: bench.world())
        let report = await sweep.plan(on: bench.readable())
        #expect(report.status == .somethingToDelete, "\(report.explanation)")
        let path = bench.folder + "/the.plan"
        try await sweep.exportPlan(run: try #require(report.runID), to: path)
        return (bench, ruled, path, try #require(report.plan))
    }

    private func sign(_ path: String, _ plan: PlanFacts, _ keys: [UInt8]) throws {
        var approvals = PlanApprovals()
        for number in keys {
            approvals = try approvals.adding(
                try Self.key(number), to: PlanApproval.Plan(plan), at: Bench.now)
        }
        try Data(approvals.bytes).write(
            to: URL(fileURLWithPath: PlanSignatureFile.path(of: path)))
    }

    private func apply(
        _ bench: Bench, _ wanted: SweepRequest, _ path: String, _ tape: Tape = Tape(),
        world: SweepWorld? = nil
    ) async -> SweepReport {
        await Sweep(wanted, in: world ?? bench.world()).apply(
            planFile: path, on: bench.databases(tape), confirm: approve)
    }

    @Test(arguments: [[], [1], [4, 5], [1, 4]] as [[UInt8]])
    func `S5 the operator's yes is not enough where two have to sign`(
        keys: [UInt8]
    ) async throws {
        let (bench, wanted, path, plan) = try await planned()
        if !keys.isEmpty { try sign(path, plan, keys) }
        let tape = Tape()
        let report = await apply(bench, wanted, path, tape)
        #expect(report.status == .refused, "\(report.explanation)")
        #expect(report.explanation.contains("of the 2 approvals"), "\(report.explanation)")
        #expect(report.explanation.contains("approver 2"), "who is missing")
        #expect(tape.modifying.isEmpty)
    }

    @Test(arguments: [[1, 2], [3, 1], [1, 2, 3], [4, 2, 3]] as [[UInt8]])
    func `S5 two of three are enough, and their keys are in the evidence`(
        keys: [UInt8]
    ) async throws {
        let (bench, wanted, path, plan) = try await planned()
        try sign(path, plan, keys)
        let report = await apply(bench, wanted, path)
        #expect(report.status == .done, "\(report.explanation)")
        let file = try #require(report.evidencePath)
        let evidence = try String(contentsOfFile: file, encoding: .utf8)
        for number in [1, 2, 3, 4] as [UInt8] {
            let id = try Self.key(number).verifying.id
            #expect(evidence.contains(id) == (keys.contains(number) && number < 4))
        }
        #expect(evidence.contains("\"needed\":2"))
        #expect(!evidence.contains("approver 1"))
    }

    @Test func `S5 signatures under another plan count for nothing`() async throws {
        let (bench, wanted, path, plan) = try await planned()
        let (_, _, _, other) = try await planned()
        #expect(plan.digest != other.digest)
        try sign(path, other, [1, 2])
        let tape = Tape()
        let report = await apply(bench, wanted, path, tape)
        #expect(report.status == .refused && tape.modifying.isEmpty, "\(report.explanation)")
    }

    @Test func `S5 a signed plan that was changed afterwards is refused`() async throws {
        let (bench, wanted, path, plan) = try await planned()
        try sign(path, plan, [1, 2])
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacingOccurrences(of: "\"a\"", with: "\"b\"").write(
            toFile: path, atomically: true, encoding: .utf8)
        let tape = Tape()
        let report = await apply(bench, wanted, path, tape)
        #expect(report.status == .refused && tape.modifying.isEmpty, "\(report.explanation)")
    }

    @Test(arguments: ["garbage", "{}\n", String(repeating: "x", count: 100_000)])
    func `S5 approvals that cannot be read are refused`(text: String) async throws {
        let (bench, wanted, path, _) = try await planned()
        try text.write(
            toFile: PlanSignatureFile.path(of: path), atomically: true, encoding: .utf8)
        let tape = Tape()
        let report = await apply(bench, wanted, path, tape)
        #expect(report.status == .refused && tape.modifying.isEmpty, "\(report.explanation)")
    }

    @Test func `S5 a sweep in one go is refused: nobody can have signed it`() async throws {
        let (bench, wanted, _, _) = try await planned()
        let tape = Tape()
        let report = await bench.sweep(wanted, tape)
        #expect(report.status == .refused && tape.modifying.isEmpty, "\(report.explanation)")
    }

    @Test func `S7 an interrupted run goes on with the signatures it began with`() async throws {
        let (bench, wanted, path, plan) = try await planned()
        try sign(path, plan, [1, 2])
        let stop = StopSignal()
        let tape = Tape { _, entry in
            if entry.command.isModifying { stop.request(.interrupt) }
            return entry.command.isModifying ? .refuse(CloudError(.tryAgainLater)) : nil
        }
        let cut = await apply(bench, wanted, path, tape, world: bench.world(stop: stop))
        #expect(cut.status == .interrupted && cut.canResume, "\(cut.explanation)")
        try FileManager.default.removeItem(atPath: PlanSignatureFile.path(of: path))
        var stricter = wanted
        stricter.policy.approvals.count = 3
        let refused = await Sweep(stricter, in: bench.world()).resume(
            run: cut.runID, on: bench.databases())
        #expect(refused.explanation.contains("of the 3 approvals"), "\(refused.explanation)")
        let done = await Sweep(wanted, in: bench.world()).resume(
            run: cut.runID, on: bench.databases())
        #expect(done.status == .done, "\(done.explanation)")
    }
}
