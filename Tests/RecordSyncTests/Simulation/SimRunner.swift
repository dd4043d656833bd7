import Foundation

/// Runs seeds and says what came of them.
enum SimRunner {
    struct Failure: Error, CustomStringConvertible {
        let seed: UInt64
        let breach: any Error
        let trace: String
        var description: String {
            "seed \(seed): \(breach)\n\(trace)\nCKSWEEP_SEED=\(seed) runs it again"
        }
    }

    /// - Returns: The steps, and a digest of the history.
    static func check(_ plan: SimPlan) throws -> (steps: Int, digest: UInt64) {
        let simulation = Simulation(plan)
        do {
            try simulation.run()
        } catch {
            let again = Simulation(plan, linesMax: 4000)
            do { try again.run() } catch { _ = error }
            throw Failure(seed: plan.seed, breach: error, trace: again.trace)
        }
        return (simulation.steps, simulation.digest)
    }

    private static let variables = ProcessInfo.processInfo.environment

    /// 2,000 seeds; 100,000 with `CKSWEEP_LONG`, 100 under a sanitizer; one with `CKSWEEP_SEED`.
    static let seeds: [ClosedRange<UInt64>] = {
        if let seed = variables["CKSWEEP_SEED"].flatMap(UInt64.init) { return [seed...seed] }
        let count: UInt64 =
            variables["CKSWEEP_SANITIZED"] != nil
            ? 100 : variables["CKSWEEP_LONG"] != nil ? 100_000 : 2000
        return [1...(count / 2), (count / 2 + 1)...count]
    }()
}
