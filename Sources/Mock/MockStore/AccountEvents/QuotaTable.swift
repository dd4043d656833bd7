import CloudModel

/// The rows of storage with a limit, and how much a zone holds of it.
struct QuotaTable {
    let tables: StoreTables

    func all() throws(CloudError) -> [Quotas.Payer: Int64] {
        let rows = try tables.rows("SELECT user, container, environment, room FROM quotas") { row in
            (
                Quotas.Payer(
                    user: row.text(at: 0), container: row.text(at: 1),
                    environment: row.text(at: 2)), row.int64(at: 3)
            )
        }
        return Dictionary(rows) { $1 }
    }

    /// Writes how much room is left; nil: there is no limit.
    func put(_ room: Int64?, of payer: Quotas.Payer) throws(CloudError) {
        guard let room else {
            return try tables.run(
                "DELETE FROM quotas WHERE user = ? AND container = ? AND environment = ?",
                payer.user, payer.container, payer.environment)
        }
        try tables.run(
            "INSERT OR REPLACE INTO quotas VALUES (?, ?, ?, ?)", payer.user, payer.container,
            payer.environment, room)
    }

    /// The bytes of a zone's live records and of their assets.
    func bytes(in zone: Int64) throws(CloudError) -> Int64 {
        let records =
            try tables.number(
                """
                SELECT ifnull(sum(length(body)), 0) FROM records
                WHERE zone = ? AND type IS NOT NULL
                """, zone) ?? 0
        return try records + tables.assets.count(in: zone, after: -1, upTo: .max).bytes
    }
}

extension StoredRecord {
    /// The bytes it takes up, with its assets.
    var storedBytes: Int64 {
        var bytes = Int64(body.count)
        for field in fields.values where field.value.kind == .asset {
            let values =
                if case .list(_, let elements) = field.value { elements } else { [field.value] }
            for case .asset(let asset) in values { bytes += asset.size }
        }
        return bytes
    }
}
