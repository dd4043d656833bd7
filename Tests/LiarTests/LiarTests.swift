import Foundation
import Liar
import Testing

/// What no lie may lead to: exit 0 with data left, something destroyed that must stay, a hang.
///
/// `CKSWEEP_LIAR_ROWS=words` runs the rows that have these words in their names; `CKSWEEP_SEED=N`
/// runs one combination again; `CKSWEEP_LONG=1` runs 20,000 of them.
@Suite(.enabled(if: Switch.isOn), .timeLimit(.minutes(180)))
struct LiarTests {
    private static let environment = ProcessInfo.processInfo.environment

    @Test func `every row has a name of its own`() {
        let names = Table.rows.map(\.name)
        #expect(names.count >= 400)
        let twice = Dictionary(grouping: names, by: \.self).filter { $0.value.count > 1 }.keys
        #expect(twice.sorted() == [])
    }

    @Test func `no lie ends in exit 0 with data left, or destroys what must stay`() async throws {
        let words = Self.environment["CKSWEEP_LIAR_ROWS"]
        let rows = Table.rows.filter { row in words.map { row.name.contains($0) } ?? true }
        try await check(rows) { $0.name }
    }

    @Test func `no lies together end in exit 0 with data left, or destroy what must stay`()
        async throws
    {
        var generator = Self.seeds.makeIterator()
        // In batches: what came of the runs before is not kept.
        while true {
            let batch = (0..<200).compactMap { _ in generator.next() }
            if batch.isEmpty { return }
            let rows = batch.map { Combination(seed: $0).row }
            let seeds = Dictionary(zip(rows.map(\.name), batch)) { first, _ in first }
            try await check(rows) { "CKSWEEP_SEED=\(seeds[$0.name] ?? 0) \($0.name)" }
        }
    }

    private static var seeds: [UInt64] {
        if let text = environment["CKSWEEP_SEED"], let seed = UInt64(text) { return [seed] }
        if environment["CKSWEEP_SANITIZED"] != nil { return Array(1...20) }
        return Array(1...(environment["CKSWEEP_LONG"] == nil ? 100 : 20_000))
    }

    private func check(_ rows: [Row], _ name: (Row) -> String) async throws {
        let results = try await Trials(rows).results()
        for result in results {
            for violation in result.violations {
                Issue.record("\(name(result.row)): \(violation)")
            }
        }
        if Self.environment["CKSWEEP_LIAR_TALKS"] != nil { Trials.report(results) }
    }
}
