import Testing

/// Random worlds with random faults, checked at every step.
struct SimulationTests {
    @Test(arguments: SimRunner.seeds)
    func `no change is lost and all devices agree, whatever goes wrong`(
        seeds: ClosedRange<UInt64>
    ) async throws {
        let begin = ContinuousClock.now
        var steps = 0
        for seed in seeds {
            steps += try SimRunner.check(SimPlan(seed: seed)).steps
            // The tests beside it have time limits.
            await Task.yield()
        }
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        print(
            "record sync: seeds \(seeds.lowerBound)-\(seeds.upperBound), \(steps) steps,",
            "\(Int(Double(seeds.count) / seconds)) seeds/s")
    }

    @Test func `the same seed gives the same history`() throws {
        for seed: UInt64 in 1...20 {
            let first = try SimRunner.check(SimPlan(seed: seed))
            #expect(try SimRunner.check(SimPlan(seed: seed)) == first, "seed \(seed)")
        }
    }
}
