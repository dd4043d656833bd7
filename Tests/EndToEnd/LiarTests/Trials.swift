import Liar
import SweepEngine

/// Many rows carried out side by side.
struct Trials: Sendable {
    /// Runs that are under way at once: most of their time is work, some is waiting.
    static let parallelMax = 4

    private let rows: [Row]
    init(_ rows: [Row]) { self.rows = rows }

    /// The results, in the order of the rows.
    func results() async throws -> [Trial.Result] {
        try await withThrowingTaskGroup(of: (Int, Trial.Result).self) { group in
            var results = [Trial.Result?](repeating: nil, count: rows.count)
            var waiting = rows.enumerated().makeIterator()
            func start() {
                guard let (number, row) = waiting.next() else { return }
                group.addTask { (number, try await Trial(row).result()) }
            }
            for _ in 0..<Self.parallelMax { start() }
            while let (number, result) = try await group.next() {
                results[number] = result
                if Extent.talks { print("liar: \(result.line)") }
                start()
            }
            return results.compactMap { $0 }
        }
    }

    /// Says what came of them in a few lines, for whoever works on the table.
    static func report(_ results: [Trial.Result]) {
        let failed = results.filter { !$0.violations.isEmpty }.count
        let void = results.filter { !$0.hasLied }
        var statuses: [Int32: Int] = [:]
        for result in results { statuses[result.status?.rawValue ?? -1, default: 0] += 1 }
        print("liar: \(results.count) rows, \(failed) failed, \(void.count) never lied;")
        print(
            "liar: exits",
            statuses.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
                .joined(separator: ", "))
        for result in results.sorted(by: { $0.took > $1.took }).prefix(10) {
            print("liar: took \(result.took): \(result.row.name)")
        }
    }
}
