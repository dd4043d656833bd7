import Basics
import Foundation
import MockStore
import RandomSeeds
import SweepEngine
import Testing

/// Sweeps under random faults.
struct RandomFaultTests {
    private static let parallelMax = 4
    static let seeds = Seeds.range("random faults", 60, long: 2_000, sanitized: 30)

    @Test func `no run under random faults exits 0 with data left or deletes what it may not`()
        async throws
    {
        var statuses: [Basics.ExitStatus: Int] = [:]
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            var waiting = Self.seeds.makeIterator()
            func start() {
                guard let seed = waiting.next() else { return }
                group.addTask { try await run(seed) }
            }
            for _ in 0..<Self.parallelMax { start() }
            while let outcome = try await group.next() {
                let report = outcome.report
                statuses[report.status, default: 0] += 1
                #expect(
                    outcome.violations == [],
                    "CKSWEEP_SEED=\(outcome.seed) \(outcome.rules): \(report.status) \(report.explanation)"
                )
                start()
            }
        }
        // Faults that pass must not make most runs give up: the sweep would be useless.
        if Self.seeds.count >= 60 {
            #expect(statuses[.done, default: 0] > Self.seeds.count / 4, "\(statuses)")
        }
    }

    private struct Outcome: Sendable {
        let seed: UInt64
        let report: SweepReport
        let violations: [String]
        let rules: [String]
    }

    private func run(_ seed: UInt64) async throws -> Outcome {
        var generator = SeededGenerator(seed: seed)
        var options = MockOptions()
        options.defaultZoneMode =
            MockOptions.DefaultZoneMode.allCases.randomElement(using: &generator) ?? .refuse
        options.listsDefaultZone = Bool.random(using: &generator)
        options.unknownTypeIsEmpty = Bool.random(using: &generator)
        options.zoneListLag = Int.random(in: 0...2, using: &generator)
        options.emptyPages = Int.random(in: 0...2, using: &generator)
        options.zoneListPageMax = Int.random(in: 1...4, using: &generator)
        options.recordsPageMax = Int.random(in: 1...5, using: &generator)
        options.operationsMax = Int.random(in: 1...4, using: &generator)
        let scene = try await Scene(options: options, seed: seed)
        defer { scene.cleanUp() }
        let rules = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            Self.rule(&generator)
        }
        try scene.rehearsal.setFaults(rules)
        let report = await scene.sweep(seed: seed)
        return Outcome(
            seed: seed, report: report, violations: try scene.violations(of: report), rules: rules)
    }

    private static func rule(_ generator: inout SeededGenerator) -> String {
        let operation = FaultTableTests.operations.randomElement(using: &generator) ?? "any"
        let often =
            [
                "\(Int.random(in: 1...4, using: &generator))th \(operation)",
                "\(operation) \(Int.random(in: 1...4, using: &generator)) times",
                "10% \(operation)", "40% \(operation)",
            ].randomElement(using: &generator) ?? ""
        let code =
            FaultTableTests.serviceCodes.randomElement(using: &generator)?.rawValue ?? "THROTTLED"
        var actions = [
            code, "THROTTLED retry 3s", "TRY_AGAIN_LATER retry 0.5s", "cut before commit",
            "cut after commit", "delay 40ms",
        ]
        if ["zones/modify", "records/modify", "subscriptions/modify"].contains(operation) {
            actions.append("\(code) on 1 items")
        }
        if operation == "zones/modify" { actions.append("recreate zone with 2 records") }
        if ["zones/list", "changes/database"].contains(operation) {
            actions.append("stale zone list")
        }
        if ["zones/list", "changes/database", "changes/zone", "records/query"].contains(operation) {
            actions.append("empty page")
        }
        let action = actions.randomElement(using: &generator) ?? code
        return "\(often) -> \(action)"
    }
}
