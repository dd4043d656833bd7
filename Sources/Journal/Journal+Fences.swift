package import CloudModel
import SQLite

extension Journal {
    /// The fenced zones of a database.
    package func fences(
        container: Container.ID, environment: Container.Environment, scope: Database.Scope,
        limit: Int = 1000
    ) throws(JournalError) -> [String] {
        try read(
            "SELECT zone FROM fences WHERE container = ? AND environment = ? AND scope = ?"
                + " ORDER BY zone LIMIT ?", .text(container.rawValue),
            .text(environment.rawValue), .text(scope.rawValue), .integer(Int64(limit))
        ).map { $0[0].string ?? "" }
    }

    /// Every fence with the run that put it up, database by database.
    package func fences(limit: Int) throws(JournalError) -> [FenceRow] {
        try read(
            "SELECT f.container, f.environment, f.scope, f.zone, r.id, r.began, r.containers,"
                + " r.subjects FROM fences f LEFT JOIN runs r ON r.key = f.run"
                + " ORDER BY f.container, f.environment, f.scope, f.zone LIMIT ?",
            .integer(Int64(limit))
        ).compactMap { row in
            guard let container = Container.ID(row[0].string ?? ""),
                let environment = Container.Environment(rawValue: row[1].string ?? ""),
                let scope = Database.Scope(rawValue: row[2].string ?? "")
            else { return nil }
            let place = Self.lines(row[6].string).firstIndex(of: container.rawValue)
            let users = Self.lines(row[7].string)
            return FenceRow(
                container: container, environment: environment, scope: scope,
                zone: RecordZone.ID(fenceName: row[3].string ?? ""), run: row[4].string ?? "",
                at: Timestamp(milliseconds: row[5].int64 ?? 0),
                user: place.flatMap { $0 < users.count ? users[$0] : nil } ?? "")
        }
    }

    /// What changes whenever a fence is put up or lifted.
    package func fenceMark() throws(JournalError) -> String {
        let row =
            try read(
                "SELECT count(*), total(run), (SELECT value FROM notes WHERE run = 0 AND key = ?)"
                    + " FROM fences", .text(Self.liftKey)
            ).first ?? []
        guard row.count == 3 else { return "" }
        return "\(row[0].int64 ?? 0) \(row[1].double ?? 0) \(row[2].bytes ?? [])"
    }

    /// Takes a fence away, because a person says that data may be there again.
    ///
    /// - Returns: Whether there was one.
    package func unfence(
        _ address: Database.Address, _ zone: RecordZone.ID, at now: Timestamp
    ) async throws(JournalError) -> Bool {
        let known = try read(
            "SELECT 1 FROM fences WHERE container = ? AND environment = ? AND scope = ?"
                + " AND zone = ?", .text(address.container.rawValue),
            .text(address.environment.rawValue), .text(address.scope.rawValue),
            .text(zone.fenceName))
        guard !known.isEmpty else { return false }
        try await write(
            [
                .liftFence(address, zone: zone.fenceName),
                .note(key: Self.liftKey, value: Array("\(now.milliseconds)".utf8)),
            ], run: 0)
        return true
    }

    private static let liftKey = "fence lifted"
}
