import Foundation
import RandomSeeds

/// Runs seeds and says what came of them.
enum SimRunner {
    struct Failure: Error, CustomStringConvertible {
        let seed: UInt64
        let breach: any Error
        let trace: String
        var description: String {
            "seed \(seed): \(breach)\n\(trace)\nCKSWEEP_SEED=\(seed)"
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

    static let seeds = Seeds.ranges(
        "record sync simulation", 500, long: 100_000, sanitized: 100,
        parts: Seeds.count(2, long: 100))
}
