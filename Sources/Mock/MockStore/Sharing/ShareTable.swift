import CloudModel
import SQLite

/// The rows of shares, of who has accepted them, and of participants' views.
struct ShareTable {
    let tables: StoreTables

    // MARK: - Shares

    func add(_ share: ZoneShare, of zone: SharedZone) throws(CloudError) {
        let address = zone.owner.address
        try tables.run(
            "INSERT INTO share_records VALUES (?, ?, ?, ?, ?, ?, ?, ?)", share.number,
            address.container.rawValue, address.environment.rawValue, zone.owner.user, zone.name,
            zone.incarnation, share.recordName, share.root)
    }

    func delete(_ share: ZoneShare) throws(CloudError) {
        try tables.run("DELETE FROM participations WHERE share = ?", share.number)
        try tables.run("DELETE FROM share_records WHERE id = ?", share.number)
    }

    /// Writes what an account may do; nil: that it takes no part.
    func set(
        _ participation: Participation?, of user: String, in share: Int64
    ) throws(CloudError) {
        if let participation {
            try tables.run(
                "INSERT OR REPLACE INTO participations VALUES (?, ?, ?, ?)", share, user,
                participation.writes, participation.since)
        } else {
            try tables.run(
                "DELETE FROM participations WHERE share = ? AND user = ?", share, user)
        }
    }

    /// The shares of a private database after one, by their number, with their zones.
    func page(
        of owner: DatabaseKey, after number: Int64, limit: Int
    ) throws(CloudError) -> [(zone: SharedZone, share: ZoneShare)] {
        let address = owner.address
        guard case .private = address.scope else { return [] }
        return try tables.rows(
            """
            SELECT id, zone, incarnation, name, root FROM share_records
            WHERE owner = ? AND container = ? AND environment = ? AND id > ?
            ORDER BY id LIMIT ?
            """, owner.user, address.container.rawValue, address.environment.rawValue, number,
            limit
        ) { row in
            (
                SharedZone(owner: owner, name: row.text(at: 1), incarnation: row.int64(at: 2)),
                ZoneShare(
                    number: row.int64(at: 0), recordName: row.text(at: 3),
                    root: row.optionalText(at: 4))
            )
        }
    }

    // MARK: - Views

    func add(_ view: ZoneView) throws(CloudError) {
        let address = view.owner.address
        try tables.run(
            "INSERT INTO shares VALUES (?, ?, ?, ?, ?, ?, ?)", view.number,
            address.container.rawValue, address.environment.rawValue, view.owner.user,
            view.zoneName, view.user, view.incarnation)
    }

    func renumber(_ view: ZoneView, _ number: Int64) throws(CloudError) {
        try tables.run("UPDATE shares SET id = ? WHERE id = ?", number, view.number)
    }

    func delete(_ view: ZoneView) throws(CloudError) {
        try tables.run("DELETE FROM shares WHERE id = ?", view.number)
    }

    // MARK: - All of them

    /// Every shared zone, by its incarnation.
    func all() throws(CloudError) -> [Int64: SharedZone] {
        var zones: [Int64: SharedZone] = [:]
        var accepted: [Int64: [String: Participation]] = [:]
        let rows = try tables.rows("SELECT share, user, writes, since FROM participations") {
            ($0.int64(at: 0), $0.text(at: 1), $0.bool(at: 2), $0.int64(at: 3))
        }
        for (share, user, writes, since) in rows {
            accepted[share, default: [:]][user] = Participation(writes: writes, since: since)
        }
        try eachRow("share_records") { owner, row in
            let (zoneName, incarnation) = (row.text(at: 4), row.int64(at: 5))
            let number = row.int64(at: 0)
            zones[
                incarnation,
                default: SharedZone(owner: owner, name: zoneName, incarnation: incarnation)
            ].add(
                ZoneShare(
                    number: number, recordName: row.text(at: 6), root: row.optionalText(at: 7),
                    accepted: accepted[number] ?? [:]))
        }
        try eachRow("shares") { owner, row in
            let (zoneName, user, incarnation) = (row.text(at: 4), row.text(at: 5), row.int64(at: 6))
            var view = ZoneView(
                number: row.int64(at: 0), owner: owner, zoneName: zoneName,
                incarnation: incarnation, user: user)
            let zone =
                zones[incarnation]
                ?? SharedZone(owner: owner, name: zoneName, incarnation: incarnation)
            for share in zone.shares.values { view.shares[share.number] = share.accepted[user] }
            view.isWhole = zone.whole?.accepted[user] != nil
            zones[incarnation, default: zone].views[user] = view
        }
        return zones
    }

    /// Reads a table whose rows begin with a number, the owner's private database and a zone.
    private func eachRow(
        _ table: String, _ body: (DatabaseKey, Statement) -> Void
    ) throws(CloudError) {
        _ = try tables.rows("SELECT * FROM \(table) ORDER BY id") { row throws(CloudError) in
            guard let container = Container.ID(row.text(at: 1)),
                let environment = Container.Environment(rawValue: row.text(at: 2))
            else { throw tables.damaged() }
            let address = Database.Address(
                container: container, environment: environment, scope: .private)
            body(DatabaseKey(address: address, user: row.text(at: 3)), row)
        }
    }
}
