import CloudModel
import SQLite

/// The rows of shares.
struct ShareTable {
    let tables: StoreTables

    func add(_ share: ZoneShare) throws(CloudError) {
        let address = share.owner.address
        try tables.run(
            "INSERT INTO shares VALUES (?, ?, ?, ?, ?, ?, ?)", .integer(share.id),
            .text(address.container.rawValue), .text(address.environment.rawValue),
            .text(share.owner.user), .text(share.zoneName), .text(share.user),
            .integer(share.incarnation))
    }

    func renumber(_ share: ZoneShare, _ id: Int64) throws(CloudError) {
        try tables.run(
            "UPDATE shares SET id = ? WHERE id = ?", .integer(id), .integer(share.id))
    }

    func delete(_ share: ZoneShare) throws(CloudError) {
        try tables.run("DELETE FROM shares WHERE id = ?", .integer(share.id))
    }

    /// All shares, by the incarnation of the zone.
    func all() throws(CloudError) -> [Int64: [ZoneShare]] {
        var shares: [Int64: [ZoneShare]] = [:]
        for row in try tables.rows("SELECT * FROM shares ORDER BY id") {
            guard let id = row[0].int64, let container = Container.ID(row[1].string ?? ""),
                let environment = Container.Environment(rawValue: row[2].string ?? ""),
                let owner = row[3].string, let zoneName = row[4].string,
                let user = row[5].string, let incarnation = row[6].int64
            else { throw tables.damaged() }
            let address = Database.Address(
                container: container, environment: environment, scope: .private)
            shares[incarnation, default: []].append(
                ZoneShare(
                    id: id, owner: DatabaseKey(address: address, user: owner),
                    zoneName: zoneName, user: user, incarnation: incarnation))
        }
        return shares
    }
}
