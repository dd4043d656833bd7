import Foundation
import RandomSeeds
import Testing

/// Random worlds with random faults, checked at every step. In each, one device has the donation
/// store that is shipped, and the others have their storage in memory.
struct SimulationTests {
    private static let seeds = Seeds.ranges(
        "donation simulation", 300, long: 100_000, sanitized: 100, parts: 2)

    @Test(arguments: seeds)
    func `no invariant breaks at any step of any seed`(seeds: ClosedRange<UInt64>) async throws {
        let begin = ContinuousClock.now
        let (steps, requests) = try await SimRunner.onThread {
            Result {
                var (steps, requests) = (0, 0)
                for seed in seeds {
                    var plan = SimPlan(seed: seed)
                    plan.stores = .one
                    let outcome = try SimRunner.check(plan)
                    steps += outcome.steps
                    requests += outcome.requests
                }
                return (steps, requests)
            }
        }.get()
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
