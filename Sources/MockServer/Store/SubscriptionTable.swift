import CloudModel
import SQLite

/// The rows of subscriptions.
struct SubscriptionTable {
    let tables: StoreTables

    /// A user's subscriptions in a database, by their names.
    func all(in db: Int64, of user: String) throws(CloudError) -> [Subscription] {
        try read(
            tables.rows(
                "SELECT body FROM subscriptions WHERE db = ? AND user = ? ORDER BY id",
                .integer(db), .text(user)))
    }

    /// Everybody's subscriptions in a database, in the order of their users.
    func all(in db: Int64) throws(CloudError) -> [(user: String, Subscription)] {
        let rows = try tables.rows(
            "SELECT body, user FROM subscriptions WHERE db = ? ORDER BY user, id", .integer(db))
        return zip(rows, try read(rows)).map { ($0[1].string ?? "", $1) }
    }

    func find(
        _ name: String, in db: Int64, of user: String
    ) throws(CloudError) -> Subscription? {
        try read(
            tables.rows(
                "SELECT body FROM subscriptions WHERE db = ? AND user = ? AND id = ?",
                .integer(db), .text(user), .text(name))
        ).first
    }

    func put(
        _ subscription: Subscription, in db: Int64, of user: String
    ) throws(CloudError) {
        var writer = ByteWriter()
        writer.subscription(subscription)
        try tables.run(
            "INSERT OR REPLACE INTO subscriptions VALUES (?, ?, ?, ?, ?)", .integer(db),
            .text(user), .text(subscription.subscriptionID),
            subscription.zoneID.map { .text($0.zoneName) } ?? .null, .blob(writer.bytes))
    }

    func delete(_ name: String, in db: Int64, of user: String) throws(CloudError) {
        try tables.run(
            "DELETE FROM subscriptions WHERE db = ? AND user = ? AND id = ?", .integer(db),
            .text(user), .text(name))
    }

    /// Deletes everybody's subscriptions that watch a zone; says whether any other is left.
    func delete(boundTo zoneName: String, in db: Int64) throws(CloudError) -> Bool {
        try tables.run(
            "DELETE FROM subscriptions WHERE db = ? AND zone = ?", .integer(db), .text(zoneName))
        return try tables.count(
            "SELECT EXISTS (SELECT 1 FROM subscriptions WHERE db = ?)", .integer(db)) > 0
    }

    private func read(_ rows: [[Value]]) throws(CloudError) -> [Subscription] {
        var found: [Subscription] = []
        for row in rows {
            var reader = ByteReader(row[0].bytes ?? [])
            guard let subscription = reader.subscription() else { throw tables.damaged() }
            found.append(subscription)
        }
        return found
    }
}
