import Liar
import RandomSeeds
import Testing

/// What no lie may lead to: exit 0 with data left, something destroyed that must stay, a hang.
///
/// ``Extent`` says what the environment decides.
@Suite(.serialized, .timeLimit(.minutes(Seeds.isLong ? 240 : 30)))
struct LiarTests {
    @Test func `every row has a name of its own`() {
        let names = Table.rows.map(\.name)
        #expect(names.count >= 400)
        let twice = Dictionary(grouping: names, by: \.self).filter { $0.value.count > 1 }.keys
        #expect(twice.sorted() == [])
    }

    @Test func `every operation is lied about at every moment`() {
        let told = Set(
            Table.rows.flatMap { row in row.lies.map { "\($0.spot.name) \($0.moment.name)" } })
        for spot in Table.reading {
            for moment in Table.readingMoments where moment != .during(.look) {
                #expect(told.contains("\(spot.name) \(moment.name)"))
            }
        }
        for spot in Table.modifying {
            for moment in Table.modifyingMoments {
                #expect(told.contains("\(spot.name) \(moment.name)"))
            }
        }
    }

    @Test func `no lie ends in exit 0 with data left, or destroys what must stay`() async throws {
        let rows = Table.rows.filter { row in Extent.words.map { row.name.contains($0) } ?? true }
        try await check(Extent.some(rows, name: \.name), mustLie: true) { $0.name }
    }

    @Test
    func `no lie to an operator's key leaves records of the person, or takes anybody else's`()
        async throws
    {
        #expect(Set(Table.named.map(\.name)).count == Table.named.count)
        let rows = Table.named.filter { row in Extent.words.map { row.name.contains($0) } ?? true }
        try await check(Extent.some(rows, name: \.name), mustLie: true) { $0.name }
    }

    @Test func `no lies together end in exit 0 with data left, or destroy what must stay`()
        async throws
    {
        var generator = Self.seeds.makeIterator()
        var done = 0
        // In batches: what came of the runs before is not kept.
        while true {
            let batch = (0..<200).compactMap { _ in generator.next() }
            if batch.isEmpty { return }
            defer {
                done += batch.count
                print("liar: \(done) combinations")
            }
            let rows = batch.map { Combination(seed: $0).row }
            let seeds = Dictionary(zip(rows.map(\.name), batch)) { first, _ in first }
            try await check(rows, mustLie: false) {
                "CKSWEEP_SEED=\(seeds[$0.name] ?? 0) \($0.name)"
            }
        }
    }

    private static var seeds: [UInt64] {
        Array(Seeds.range("liar combinations", 25, long: 20_000, sanitized: 10))
    }

    /// - Parameter mustLie: Whether a row whose lie was never told is a mistake of the table.
    private func check(
        _ rows: [Row], mustLie: Bool, _ name: (Row) -> String
    ) async throws {
        let results = try await Trials(rows).results()
        for result in results {
            for violation in result.violations {
                Issue.record("\(name(result.row)): \(violation)")
            }
            if mustLie, !result.hasLied {
                Issue.record("\(name(result.row)): nothing was untrue, so it shows nothing")
            }
        }
        if Extent.talks { Trials.report(results) }
    }
}
