import RandomSeeds
import Testing

/// The program dies at every place of a history at which it can, one run for each; and the
/// service at every one of its commits.
struct CrashEverywhereTests {
    /// Histories without other faults, about different things.
    private static let histories: [UInt64] =
        Seeds.isLong ? Array(1...44) : [13, 25, 48]

    private func plan(_ seed: UInt64) -> SimPlan {
        var plan = SimPlan(seed: seed)
        plan.mix = .none
        plan.devices = 2
        plan.steps = 50
        plan.actRate = 0.3
        plan.hasBystanders = false
        return plan
    }

    @Test(arguments: histories)
    func `invariants hold when a client dies at any call of its sync`(seed: UInt64) throws {
        let calls = try Simulation.run(plan(seed)).calls
        var runs = 0
        // Under a sanitizer a few places have to do.
        let stride = Seeds.isSanitized ? 20 : 1
        for call in Swift.stride(from: 0, to: calls, by: stride) {
            for crash in [SimCrash.beforeCommit, .afterCommit] {
                var plan = plan(seed)
                plan.crash = (call, crash)
                _ = try SimRunner.check(plan)
                runs += 1
            }
        }
        print("client crashes: history \(seed), \(calls) calls, \(runs) runs")
    }

    @Test(arguments: histories)
    func `invariants hold when the service dies at any request`(seed: UInt64) throws {
        let requests = try Simulation.run(plan(seed)).requests
        let stride = Seeds.isSanitized ? 20 : 1
        for request in Swift.stride(from: 1, through: requests, by: stride) {
            for isCommitted in [false, true] {
                var plan = plan(seed)
                plan.serviceCrash = (request, isCommitted)
                _ = try SimRunner.check(plan)
            }
        }
        print("service crashes: history \(seed), \(requests) requests")
    }
}

extension Simulation {
    /// Runs a plan in which nothing may break.
    static func run(_ plan: SimPlan) throws -> Simulation {
        _ = try SimRunner.check(plan)
        let simulation = try Simulation(plan)
        try simulation.run()
        return simulation
    }
}
