import AsyncOperations
import Foundation

/// Runs seeds and says what came of them.
enum SimRunner {
    struct Failure: Error, CustomStringConvertible {
        var seed: UInt64
        var step: Int
        var breach: Breach
        var trace: String
        var description: String {
            """
            seed \(seed), step \(step): \(breach)
            \(trace)
            CKSWEEP_SEED=\(seed)
            """
        }
    }

    /// What a run came to.
    struct Outcome {
        var steps: Int
        var requests: Int
        var digest: UInt64
        var breach: Breach?
    }

    static func run(_ plan: SimPlan, linesMax: Int = 0) throws -> (Outcome, String) {
        let simulation = try Simulation(plan, linesMax: linesMax)
        var breach: Breach?
        do {
            try simulation.run()
        } catch let found as Breach {
            breach = found
        }
        let journal = simulation.journal
        return (
            Outcome(
                steps: journal.steps, requests: simulation.requests, digest: journal.digest,
                breach: breach), journal.tail
        )
    }

    /// Runs `body` where it may wait for the shared pool, as a device with a store does.
    static func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            _ = DedicatedThread(label: "simulation") { continuation.resume(returning: body()) }
        }
    }

    /// Runs a plan; a breach is told with the last lines of what led to it.
    static func check(_ plan: SimPlan, lines: Int = 60) throws -> Outcome {
        let outcome = try run(plan).0
        guard outcome.breach != nil else { return outcome }
        let (again, trace) = try run(plan, linesMax: lines)
        throw Failure(
            seed: plan.seed, step: again.steps,
            breach: again.breach ?? Breach("determinism", "the second run was well"), trace: trace)
    }
}
