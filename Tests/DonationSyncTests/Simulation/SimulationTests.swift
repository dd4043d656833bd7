import Foundation
import Testing

/// Random worlds with random faults, checked at every step.
///
/// 2,000 seeds; 100,000 with `CKSWEEP_LONG=1`, 100 under a sanitizer. `CKSWEEP_SEED=N` runs one of
/// them again, with its trace when something is wrong.
struct SimulationTests {
    private static let seeds: [ClosedRange<UInt64>] = {
        if let seed = SimEnvironment.seed { return [seed...seed] }
        let count = SimEnvironment.count(2000, long: 100_000)
        let parts: UInt64 = 2
        return (0..<parts).map { ($0 * count / parts + 1)...(($0 + 1) * count / parts) }
    }()

    @Test(arguments: seeds)
    func `no invariant breaks at any step of any seed`(seeds: ClosedRange<UInt64>) throws {
        let begin = ContinuousClock.now
        var steps = 0
        var requests = 0
        for seed in seeds {
            let outcome = try SimRunner.check(SimPlan(seed: seed))
            steps += outcome.steps
            requests += outcome.requests
        }
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        print(
            "simulation: seeds \(seeds.lowerBound)-\(seeds.upperBound), \(steps) steps,",
            "\(requests) requests in \(Int(seconds * 10)) tenths of a second:",
            "\(Int(Double(seeds.count) / seconds)) seeds/s,",
            "\(Int(Double(steps) / seconds)) steps/s")
    }

    @Test
    func `the same seed gives the same history`() throws {
        for seed: UInt64 in 1...20 {
            let first = try SimRunner.run(SimPlan(seed: seed)).0
            let second = try SimRunner.run(SimPlan(seed: seed), linesMax: 5).0
            #expect(first.digest == second.digest, "seed \(seed)")
            #expect(first.steps == second.steps, "seed \(seed)")
        }
    }
}
