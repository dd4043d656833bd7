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
            try core.read(sql, .text(container)) { row in
                LinkedZone(
                    link: ContentLink(
                        container: container, scope: row.optionalText(at: 0),
                        zone: row.optionalText(at: 1), zoneOwner: row.optionalText(at: 2)),
                    rows: row.int(at: 3))
            }
        }
    }
}
