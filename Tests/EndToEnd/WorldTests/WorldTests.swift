import Foundation
import RandomSeeds
import Testing

/// Random worlds over real TLS: both people with data everywhere, rules, references, other
/// devices, faults, changes of person, kills. What our client says is held against the plain
/// truth.
struct WorldTests {
    // In the first 125 no query of a refused item occurs, and the tally asks for all that can.
    static let seeds = Seeds.range("worlds", 125, from: 376, long: 20_000, sanitized: 40)

    @Test(.timeLimit(.minutes(240)))
    func `in no random world data is left after success, or anything destroyed that must stay`()
        async throws
    {
        let summary = try await WorldRuns.summary(of: Array(Self.seeds))
        print(summary)
        let isRight = summary.violations.isEmpty
        #expect(isRight, "what is printed above must never be")
        guard summary.count >= 125 else { return }
        #expect(summary.tally.blind.isEmpty, "what the worlds hardly ever have in them")
    }
}
