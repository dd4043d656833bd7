import Journal

/// What the journal counts for the rows of a report.
struct RowNumbers: Sendable {
    /// Rows of the look that the report speaks of.
    private(set) var found: [RowKey: Int] = [:]
    /// What became of the planned items.
    private(set) var outcomes: [RowKey: ItemCounts] = [:]

    /// - Throws: why the journal cannot be read.
    static func read(_ run: SweepRun) async throws(SweepFailure) -> RowNumbers {
        var numbers = RowNumbers()
        do throws(JournalError) {
            let look: Look = run.verb.onlyProves ? .verification : run.current
            for count in try await run.journal.seenCounts(run: run.row.key, in: look) {
                guard count.kind != .defaultZone, let key = key(count) else { continue }
                numbers.found[key, default: 0] += count.count
            }
            if look != .verification {
                for count in try await run.journal.seenCounts(run: run.row.key, in: .assets) {
                    if let key = key(count) { numbers.found[key, default: 0] += count.count }
                }
            }
            for sum in try await run.journal.stepSums(run: run.row.key) {
                guard sum.kind != .defaultZone,
                    let kind = Places.kind(of: sum.kind, in: sum.scope)
                else { continue }
                let key = RowKey(container: sum.container, scope: sum.scope, kind: kind)
                numbers.outcomes[key, default: ItemCounts()] += sum.items
            }
        } catch {
            throw .journal(error)
        }
        return numbers
    }

    private static func key(_ count: SeenCount) -> RowKey? {
        Places.kind(of: count.kind, in: count.scope).map {
            RowKey(container: count.container, scope: count.scope, kind: $0)
        }
    }
}
