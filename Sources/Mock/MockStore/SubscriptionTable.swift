import CloudModel
import SQLite

/// The rows of subscriptions.
struct SubscriptionTable {
    let tables: StoreTables

    /// A user's subscriptions in a database, by their names.
    func all(in db: Int64, of user: String) throws(CloudError) -> [Subscription] {
        try tables.rows(
            "SELECT body FROM subscriptions WHERE db = ? AND user = ? ORDER BY id", db, user,
            read: read)
    }

    /// Everybody's subscriptions in a database, in the order of their users.
    func all(in db: Int64) throws(CloudError) -> [(user: String, Subscription)] {
        try tables.rows(
            "SELECT body, user FROM subscriptions WHERE db = ? ORDER BY user, id", db
        ) { row throws(CloudError) in (row.text(at: 1), try read(row)) }
    }

    func find(_ name: String, in db: Int64, of user: String) throws(CloudError) -> Subscription? {
        try tables.rows(
            "SELECT body FROM subscriptions WHERE db = ? AND user = ? AND id = ?", db, user, name,
            read: read
        ).first
    }

    /// - Parameter zone: The row of the zone that it watches; nil: more than one.
    func put(
        _ subscription: Subscription, in db: Int64, of user: String, boundTo zone: String?
    ) throws(CloudError) {
        var (written, coder) = (subscription, RowCoder())
        coder.subscription(&written)
        try tables.run(
            "INSERT OR REPLACE INTO subscriptions VALUES (?, ?, ?, ?, ?)", db, user,
            subscription.subscriptionID, zone, coder.bytes)
    }

    func delete(_ name: String, in db: Int64, of user: String) throws(CloudError) {
        try tables.run(
            "DELETE FROM subscriptions WHERE db = ? AND user = ? AND id = ?", db, user, name)
    }

    /// Deletes everybody's subscriptions that watch a zone, which go with it.
    func delete(boundTo zoneName: String, in database: DatabaseState) throws(CloudError) {
        guard database.mayHaveSubscriptions else { return }
        try tables.run(
            "DELETE FROM subscriptions WHERE db = ? AND zone = ?", database.id, zoneName)
        // Asked once: most databases have none, and deletions are many.
        database.mayHaveSubscriptions = try isAny(in: database.id)
    }

    /// Whether there is one in a database.
    func isAny(in db: Int64) throws(CloudError) -> Bool {
        try tables.number("SELECT 1 FROM subscriptions WHERE db = ? LIMIT 1", db) != nil
    }

    func count(in db: Int64) throws(CloudError) -> Int {
        Int(try tables.number("SELECT count(*) FROM subscriptions WHERE db = ?", db) ?? 0)
    }

    func deleteAll(in db: Int64) throws(CloudError) {
        try tables.run("DELETE FROM subscriptions WHERE db = ?", db)
    }

    private func read(_ row: Statement) throws(CloudError) -> Subscription {
        var coder = RowCoder(reading: row.bytes(at: 0))
        var subscription = Subscription(subscriptionID: "", kind: .query)
        coder.subscription(&subscription)
        guard coder.isAtEnd else { throw tables.damaged() }
        return subscription
    }
}
