import CloudModel

/// Who has not accepted changed terms of the service, and is answered nothing until then.
final class PendingTerms: StorePart {
    private let context: StoreContext
    private var users: Set<String> = []

    init(_ context: StoreContext) { self.context = context }

    func reload() throws(CloudError) {
        users = Set(
            try context.tables.rows("SELECT user FROM pending_terms") { $0.text(at: 0) })
    }

    func contains(_ user: String) -> Bool { !users.isEmpty && users.contains(user) }

    /// Has the terms change for a user, or the user accept them.
    ///
    /// - Returns: Whether that is new.
    func set(_ isPending: Bool, _ user: String) throws(CloudError) -> Bool {
        guard isPending != users.contains(user) else { return false }
        let tables = context.tables
        try tables.beginIfNeeded()
        try tables.run(
            isPending
                ? "INSERT OR IGNORE INTO pending_terms VALUES (?)"
                : "DELETE FROM pending_terms WHERE user = ?", user)
        if isPending { users.insert(user) } else { users.remove(user) }
        return true
    }
}
