import AsyncOperations
import Testing

/// The same worlds with the donation store of real devices: what is proven of the storage in memory
/// is true of the one that is shipped.
///
/// 50 seeds, 500 with `CKSWEEP_LONG=1`, 5 under a sanitizer.
struct StoreSimulationTests {
    @Test func `no invariant breaks on the donation store either`() async throws {
        let count = SimEnvironment.isSanitized ? 5 : SimEnvironment.count(50, long: 500)
        let seeds = SimEnvironment.seed.map { $0...$0 } ?? 1...count
        let failures = await Self.onThread {
            seeds.compactMap { seed -> String? in
                var plan = SimPlan(seed: seed)
                plan.isStored = true
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

    /// Runs `body` where it may wait for the shared pool.
    private static func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            _ = DedicatedThread(label: "simulation") { continuation.resume(returning: body()) }
        }
    }
}
