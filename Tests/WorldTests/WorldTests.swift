import Foundation
import Testing

/// Random worlds over real TLS: both people with data everywhere, rules, references, other
/// devices, faults, changes of person, kills. What our client says is held against the plain
/// truth.
///
/// `CKSWEEP_SEED=N` runs one world again, `CKSWEEP_SEED=M-N` a range; `CKSWEEP_LONG=1` runs 20,000,
/// a sanitizer 40.
struct WorldTests {
    private static let environment = ProcessInfo.processInfo.environment

    static var seeds: [UInt64] {
        if let text = environment["CKSWEEP_SEED"] {
            let bounds = text.split(separator: "-").compactMap { UInt64($0) }
            if let first = bounds.first, let last = bounds.last, first <= last {
                return Array(first...last)
            }
        }
        if environment["CKSWEEP_SANITIZED"] != nil { return Array(1...40) }
        return Array(1...(environment["CKSWEEP_LONG"] == nil ? 500 : 20_000))
    }

    @Test(.timeLimit(.minutes(240)))
    func `in no random world data is left after success, or anything destroyed that must stay`()
        async throws
    {
        let summary = try await WorldRuns.summary(of: Self.seeds)
        print(summary)
        let isRight = summary.violations.isEmpty
        #expect(isRight, "what is printed above must never be")
        guard summary.count >= 500 else { return }
        #expect(summary.tally.blind.isEmpty, "what the worlds hardly ever have in them")
    }
}
