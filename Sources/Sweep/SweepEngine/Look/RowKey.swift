import CloudModel

/// One row of the coverage map, as a key.
struct RowKey: Sendable, Hashable, Comparable {
    /// The container's place in the run's list.
    let container: Int
    let scope: Database.Scope
    let kind: CoverageRow.Kind

    static func < (left: RowKey, right: RowKey) -> Bool {
        (left.container, left.scope, left.kind.order)
            < (right.container, right.scope, right.kind.order)
    }
}
