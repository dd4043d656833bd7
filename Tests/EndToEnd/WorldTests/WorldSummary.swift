/// What came of many worlds: how commands ended, and each kind of violation with its seeds.
struct WorldSummary: CustomStringConvertible, Sendable {
    private(set) var violations: [String: [(seed: UInt64, text: String)]] = [:]
    private var statuses: [String: Int] = [:]
    private var worlds: [UInt64: String] = [:]
    private(set) var tally = Tally()
    private(set) var count = 0

    mutating func add(_ outcome: Driver.Outcome) {
        count += 1
        tally.add(outcome.tally)
        for status in outcome.statuses { statuses[status, default: 0] += 1 }
        for violation in outcome.violations {
            worlds[outcome.world.seed] = outcome.world.description
            violations[violation.kind, default: []].append((outcome.world.seed, violation.text))
        }
    }

    mutating func add(_ other: WorldSummary) {
        count += other.count
        tally.add(other.tally)
        statuses.merge(other.statuses, uniquingKeysWith: +)
        violations.merge(other.violations, uniquingKeysWith: +)
        worlds.merge(other.worlds) { first, _ in first }
    }

    var description: String {
        var lines = ["\(count) worlds"]
        for (status, number) in statuses.sorted(by: { $0.key < $1.key }) {
            lines.append("  \(status): \(number)")
        }
        if count > 1 { lines += tally.description }
        for (kind, found) in violations.sorted(by: { $0.value.count > $1.value.count }) {
            let seeds = Set(found.map(\.seed)).sorted()
            lines.append(
                "\(kind): \(found.count) in \(seeds.count) worlds, CKSWEEP_SEED "
                    + seeds.prefix(8).map { "\($0)" }.joined(separator: " "))
            for (seed, text) in found.sorted(by: { $0.seed < $1.seed }).prefix(2) {
                lines.append("    \(seed): \(text)")
                lines.append("      \(worlds[seed] ?? "")")
            }
        }
        return lines.joined(separator: "\n")
    }
}
