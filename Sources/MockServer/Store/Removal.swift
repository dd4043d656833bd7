import CloudModel

/// Removes what deleted zones held, some at a time.
final class Removal {
    private let context: StoreContext
    private let snapshots: Snapshots
    /// The newest zone whose records were looked at.
    private var reached: Int64 = 0

    init(_ context: StoreContext, _ snapshots: Snapshots) {
        self.context = context
        self.snapshots = snapshots
    }

    /// Removes some rows.
    ///
    /// - Returns: Whether there is more to do.
    func removeSome() throws(CloudError) -> Bool {
        if try snapshots.forgetChanges() { return true }
        guard let incarnation = try context.tables.removals.next(after: reached) else {
            reached = 0
            return false
        }
        if try snapshots.hold(incarnation) {
            reached = incarnation
        } else {
            try context.tables.beginIfNeeded()
            try context.tables.removals.removeSome(of: incarnation)
        }
        return true
    }
}
