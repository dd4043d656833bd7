import CloudModel
import SQLite

/// The rows of shares.
struct ShareTable {
    let tables: StoreTables

    func add(_ share: ZoneShare) throws(CloudError) {
        let address = share.owner.address
        try tables.run(
            "INSERT INTO shares VALUES (?, ?, ?, ?, ?, ?, ?)", share.id,
            address.container.rawValue, address.environment.rawValue, share.owner.user,
            share.zoneName, share.user, share.incarnation)
    }

    func renumber(_ share: ZoneShare, _ id: Int64) throws(CloudError) {
        try tables.run("UPDATE shares SET id = ? WHERE id = ?", id, share.id)
    }

    func delete(_ share: ZoneShare) throws(CloudError) {
        try tables.run("DELETE FROM shares WHERE id = ?", share.id)
    }

    /// All shares, by the incarnation of the zone.
    func all() throws(CloudError) -> [Int64: [ZoneShare]] {
        let shares = try tables.rows("SELECT * FROM shares ORDER BY id") {
            row throws(CloudError) in
            guard let container = Container.ID(row.text(at: 1)),
                let environment = Container.Environment(rawValue: row.text(at: 2))
            else { throw tables.damaged() }
            let address = Database.Address(
                container: container, environment: environment, scope: .private)
            return ZoneShare(
                id: row.int64(at: 0), owner: DatabaseKey(address: address, user: row.text(at: 3)),
                zoneName: row.text(at: 4), user: row.text(at: 5), incarnation: row.int64(at: 6))
        }
        return Dictionary(grouping: shares, by: \.incarnation)
    }
}
