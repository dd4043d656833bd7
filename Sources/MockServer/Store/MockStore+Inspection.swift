import CloudModel
import SQLite

extension MockStore {
    /// Counts of every database that has been written to, in the order of their addresses.
    package func summary() throws(MockStoreError) -> [DatabaseSummary] {
        try stored { () throws(CloudError) in
            var summaries: [DatabaseSummary] = []
            for key in try tables.databaseKeys() {
                let id = Value.integer(try database(key).id)
                let zones = try tables.count(
                    "SELECT count(*) FROM zones WHERE \(StoreTables.isLiveZone) AND name <> ?2", id,
                    .text(Self.defaultZoneName))
                let records = try tables.count(
                    """
                    SELECT count(*) FROM zones JOIN records ON records.zone = zones.incarnation
                    WHERE \(StoreTables.isLiveZone) AND records.type IS NOT NULL
                    """, id)
                let subscriptions = try tables.count(
                    "SELECT count(*) FROM subscriptions WHERE db = ?", id)
                let isRestricted = restrictions.contains(
                    Self.restrictionKey(key.address, key.user))
                summaries.append(
                    DatabaseSummary(
                        address: key.address, user: key.user.isEmpty ? nil : key.user,
                        zones: zones, records: records, subscriptions: subscriptions,
                        isRestricted: isRestricted))
            }
            return summaries
        }
    }

    /// All that a user has, as text that is equal when the data are; nil: the public databases.
    package func dump(user: String?) throws(MockStoreError) -> String {
        try stored { () throws(CloudError) in
            var lines: [String] = []
            for key in try tables.databaseKeys() where key.user == user ?? "" {
                let database = try database(key)
                lines.append("database \(key.address)")
                try dumpZones(database, &lines)
                let rows = try tables.rows(
                    "SELECT body, user FROM subscriptions WHERE db = ? ORDER BY user, id",
                    .integer(database.id))
                for (row, subscription) in zip(rows, try decode(rows)) {
                    lines.append("  subscription \(row[1].string ?? "") \(subscription)")
                }
            }
            return lines.joined(separator: "\n") + "\n"
        }
    }

    private func dumpZones(
        _ database: DatabaseState, _ lines: inout [String]
    ) throws(CloudError) {
        for zone in try tables.everyZone(in: database.id) {
            lines.append("  zone \(zone.name)")
            try dumpRecords(zone, &lines)
        }
    }

    private func dumpRecords(_ zone: ZoneRow, _ lines: inout [String]) throws(CloudError) {
        var records: [StoredRecord] = []
        var seq: Int64 = 0
        while true {
            let page = try tables.entries(in: zone.incarnation, after: seq, limit: 500)
            records += page.rows.compactMap(\.record)
            guard page.hasMore, let end = page.rows.last else { break }
            seq = end.seq
        }
        for record in records.sorted(by: { $0.name < $1.name }) {
            let fields = record.fields.sorted { $0.key < $1.key }
                .map { "\($0.key)=\($0.value.isEncrypted ? "encrypted " : "")\($0.value.value)" }
            lines.append(
                "    record \(record.name) \(record.type) tag \(record.tagText)"
                    + " by \(record.created.userRecordName) at"
                    + " \(record.created.timestamp.milliseconds),"
                    + " \(record.modified.timestamp.milliseconds)"
                    + (record.parent.map { " parent \($0)" } ?? "")
                    + " {\(fields.joined(separator: ", "))}")
        }
    }
}
