import Foundation
import Testing

/// For work on the rules: which invariants break, how often, and the shortest run of each;
/// `CKSWEEP_THEME=N`: only runs that are about the N-th theme, counted from 0.
struct SimSurvey {
    @Test(.enabled(if: ProcessInfo.processInfo.environment["CKSWEEP_SURVEY"] != nil))
    func `what breaks in many seeds`() throws {
        let count =
            ProcessInfo.processInfo.environment["CKSWEEP_SURVEY"].flatMap(UInt64.init) ?? 300
        let first = ProcessInfo.processInfo.environment["CKSWEEP_FIRST"].flatMap(UInt64.init) ?? 1
        let theme = ProcessInfo.processInfo.environment["CKSWEEP_THEME"].flatMap(Int.init)
            .flatMap(SimPlan.Theme.init)
        var found: [String: (times: Int, seed: UInt64, step: Int, text: String)] = [:]
        var steps = 0
        let begin = ContinuousClock.now
        for seed in first..<(first + count) {
            let plan = SimPlan(seed: theme.map { SimPlan.seed(seed, about: $0) } ?? seed)
            let (outcome, _) = try SimRunner.run(plan)
            steps += outcome.steps
            guard let breach = outcome.breach else { continue }
            let key = "\(breach.invariant) \(plan.theme) \(plan.opponents.map { "\($0)" })"
            var entry = found[key] ?? (0, seed, outcome.steps, "\(breach)")
            entry.times += 1
            if outcome.steps < entry.step {
                entry = (entry.times, seed, outcome.steps, "\(breach)")
            }
            found[key] = entry
        }
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        print("\(count) seeds, \(steps) steps, \(Int(Double(count) / seconds)) seeds/s")
        for (key, entry) in found.sorted(by: { $0.value.times > $1.value.times }) {
            print("\(entry.times) x \(key): seed \(entry.seed) step \(entry.step): \(entry.text)")
        }
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["CKSWEEP_TRACE"] != nil))
    func `the history of one seed`() throws {
        let seed = ProcessInfo.processInfo.environment["CKSWEEP_TRACE"].flatMap(UInt64.init) ?? 1
        let (outcome, trace) = try SimRunner.run(SimPlan(seed: seed), linesMax: 1_000_000)
        print(trace)
        print(outcome.breach.map { "\($0)" } ?? "nothing broke")
    }
}
