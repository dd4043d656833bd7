import RandomSeeds
import Testing

/// The naive way in the same worlds as ours: upload what is local, delete what is missing.
struct NaiveWayTests {
    @Test
    func `the naive way brings back what was deleted, and ours never does`() throws {
        let seeds = Seeds.count(200 as UInt64, long: 2000, sanitized: 10)
        let naive = try score(.naive, seeds)
        let ours = try score(.ours, seeds)
        print(
            """
            of \(seeds) seeds:     data back   data lost   not converged
              the naive way   \(naive.withDataBack)   \(naive.withDataLost)   \(naive.notConverged)
              this sync       \(ours.withDataBack)   \(ours.withDataLost)   \(ours.notConverged)
            """)
        #expect(naive.withDataBack > 0)
        #expect(naive.notConverged > 0)
        #expect(ours.withDataBack == 0)
        #expect(ours.withDataLost == 0)
        #expect(ours.notConverged == 0)
    }

    private func score(_ engine: SimPlan.Engine, _ seeds: UInt64) throws -> SimScore {
        var score = SimScore()
        for seed in 1...seeds {
            var plan = SimPlan(seed: seed)
            // No fences and no accounts: the naive way has neither. The zone is the user's wish.
            plan.theme = [.ordinary, .sameThings, .rollBacks, .lostZones, .expiry][Int(seed % 5)]
            plan.engine = engine
            plan.hasBystanders = false
            plan.syncsItems = true
            plan.alwaysEnables = true
            plan.opponents = []
            let simulation = try Simulation(plan)
            for zone in SimWorld.contentZones { try simulation.appCreatesZone(zone) }
            do {
                for _ in 0..<plan.steps { try simulation.step() }
            } catch let breach as Breach {
                throw SimRunner.Failure(
                    seed: seed, step: simulation.journal.steps, breach: breach, trace: "")
            }
            var cameToRest = true
            do { try simulation.settle() } catch is Breach { cameToRest = false }
            try score.add(simulation, cameToRest: cameToRest)
        }
        return score
    }
}
