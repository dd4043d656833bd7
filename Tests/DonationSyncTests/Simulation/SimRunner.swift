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
            CKSWEEP_SEED=\(seed) runs it again
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

/// How much is to be run, by the environment.
enum SimEnvironment {
    static let variables = ProcessInfo.processInfo.environment
    static let seed = variables["CKSWEEP_SEED"].flatMap(UInt64.init)
    static let isLong = variables["CKSWEEP_LONG"] != nil
    static let isSanitized = variables["CKSWEEP_SANITIZED"] != nil

    /// `ordinary` seeds, `long` with `CKSWEEP_LONG`, a twentieth under a sanitizer.
    static func count(_ ordinary: UInt64, long: UInt64) -> UInt64 {
        if isSanitized { return max(1, ordinary / 20) }
        return isLong ? long : ordinary
    }
}
