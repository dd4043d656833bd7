import AsyncOperations
import RandomSeeds
import Testing

/// Worlds in which every device has the donation store that is shipped, as ``SimulationTests``
/// has one in each: all that one store writes another one reads.
struct StoreSimulationTests {
    @Test func `no invariant breaks where all devices have a donation store`() async throws {
        let seeds = Seeds.range("donation stores simulation", 20, long: 500, sanitized: 5)
        let failures = await SimRunner.onThread {
            seeds.compactMap { seed -> String? in
                var plan = SimPlan(seed: seed)
                plan.stores = .all
                do {
                    _ = try SimRunner.check(plan)
                    return nil
                } catch {
                    return "\(error)"
                }
            }
        }
        #expect(failures == [])
    }
}
