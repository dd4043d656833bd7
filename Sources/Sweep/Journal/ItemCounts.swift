/// Items by what became of them.
package struct ItemCounts: Sendable, Hashable {
    package var pending = 0
    package var deleted = 0
    package var alreadyGone = 0
    package var failed = 0
    package var deferred = 0
    package var spared = 0

    package init() {}

    package init(_ items: [ItemOutcome]) {
        for item in items {
            switch item {
            case .pending: pending += 1
            case .deleted: deleted += 1
            case .alreadyGone: alreadyGone += 1
            case .failed: failed += 1
            case .deferred: deferred += 1
            case .spared: spared += 1
            }
        }
    }

    package var total: Int { pending + deleted + alreadyGone + failed + deferred + spared }
}
