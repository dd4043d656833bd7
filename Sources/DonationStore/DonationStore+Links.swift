package import Donations
import SQLite

extension DonationStore {
    /// The zones of a container that donations are linked to, with the number of their rows.
    package func linkedZones(
        of container: String
    ) async throws(DonationError) -> [LinkedZone] {
        let tables = DonationKind.donations.map { kind in
            "SELECT scope, zone, owner, count(*) AS rows FROM \(kind.table)"
                + " WHERE container = ?1 GROUP BY scope, zone, owner"
        }
        let sql =
            "SELECT scope, zone, owner, sum(rows) FROM (\(tables.joined(separator: " UNION ALL ")))"
            + " GROUP BY scope, zone, owner ORDER BY scope, zone, owner"
        return try await perform(writes: false) { core throws(DonationError) in
            try sqlite { () throws(SQLiteError) in
                try core.connection.rows(sql, .text(container)).map { row in
                    LinkedZone(
                        link: ContentLink(
                            container: container, scope: row[0].string, zone: row[1].string,
                            zoneOwner: row[2].string),
                        rows: Int(row[3].int64 ?? 0))
                }
            }
        }
    }
}
