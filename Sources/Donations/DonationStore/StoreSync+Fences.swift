import Basics
package import CloudModel
package import DonationSync
import SQLite

// Fences around erased zones, and what they kept back.
extension StoreSync {
    /// Entries of the rescue log that are kept.
    private static let rescuesMax: Int64 = 1000

    /// The condition on fences that stand: not lifted, and not another user's.
    static let stands =
        "lifted = 0 AND (user IS NULL OR user = ifnull((SELECT identity FROM sync_accounts a"
        + " WHERE a.container = sync_fences.container"
        + " AND a.environment = sync_fences.environment), user))"

    package func fences(at address: Database.Address) throws(DonationError) -> [SyncFence] {
        try core.read(
            "SELECT owner, name, run, since, user FROM sync_fences"
                + " WHERE \(Database.Address.condition) AND \(Self.stands) ORDER BY owner, name, run",
            address.container1,
            address.environment2, address.scope3
        ) { row in
            SyncFence(
                address: address, zone: RecordZone.ID(row.text(at: 1), owner: row.text(at: 0)),
                run: row.text(at: 2), since: Timestamp(milliseconds: row.int64(at: 3)),
                user: row.optionalText(at: 4))
        }
    }

    package mutating func setFences(_ fences: [SyncFence]) throws(DonationError) {
        for fence in fences {
            try core.change(
                "INSERT INTO sync_fences VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)"
                    + " ON CONFLICT(container, environment, scope, owner, name, run)"
                    + " DO UPDATE SET user = ifnull(user, excluded.user)",
                fence.address.container1, fence.address.environment2, fence.address.scope3,
                .text(fence.zone.ownerRecordName ?? ""), .text(fence.zone.zoneName),
                .text(fence.run), .integer(fence.since.milliseconds),
                .text(orNull: fence.user))
        }
    }

    package mutating func liftFences(
        around zone: RecordZone.ID, at address: Database.Address
    ) throws(DonationError) -> Int {
        let key = Self.key(zone, address)
        try core.change(
            "UPDATE sync_fences SET lifted = 1 WHERE \(Database.Address.condition)"
                + " AND owner = ? AND name = ? AND \(Self.stands)", key[0], key[1], key[2], key[3],
            key[4])
        return changes
    }

    package func isFenced(
        _ zone: RecordZone.ID, at address: Database.Address
    ) throws(DonationError) -> Bool {
        try !core.texts(
            "SELECT name FROM sync_fences WHERE \(Database.Address.condition)"
                + " AND owner = ? AND name = ? AND \(Self.stands) LIMIT 1",
            values: Self.key(zone, address)
        ).isEmpty
    }

    /// Forgets the zones that these runs erased: their fences, and what else is noted about them.
    /// Nothing of it is in the file any more once the store is closed.
    ///
    /// Who asks for fences by digest still finds them in the journal.
    package mutating func forgetZones(erasedBy runs: [String]) throws(DonationError) {
        for run in runs {
            let zones = try core.read(
                "SELECT container, environment, scope, owner, name FROM sync_fences"
                    + " WHERE run = ?", .text(run)
            ) { row in (0..<5).map { Value.text(row.text(at: $0)) } }
            for key in zones {
                let zone = "\(Database.Address.condition) AND owner = ? AND name = ?"
                try core.change(
                    "DELETE FROM sync_names WHERE zone IN (SELECT id FROM sync_zones WHERE \(zone))",
                    key[0], key[1], key[2], key[3], key[4])
                try core.change(
                    "DELETE FROM sync_zones WHERE \(zone)", key[0], key[1], key[2], key[3], key[4])
                try core.change(
                    "DELETE FROM sync_resurrected WHERE \(Database.Address.condition)"
                        + " AND owner = ? AND zone = ?", key[0], key[1], key[2], key[3], key[4])
                try core.change(
                    "DELETE FROM sync_rescues WHERE owner = ? AND zone = ?", key[3], key[4])
            }
            try core.change("DELETE FROM sync_fences WHERE run = ?", .text(run))
        }
        try core.noteCleaning(.file)
    }

    // MARK: The rescue log

    package mutating func rescue(_ entry: SyncRescue) throws(DonationError) {
        try core.change(
            "INSERT INTO sync_rescues(at, cause, owner, zone, record, changes)"
                + " VALUES (?, ?, ?, ?, ?, ?)", .integer(entry.at.milliseconds),
            .text(entry.cause.rawValue), .text(entry.zone.ownerRecordName ?? ""),
            .text(entry.zone.zoneName), .text(orNull: entry.recordName), .integer(entry.changes))
        try core.change(
            "DELETE FROM sync_rescues WHERE id <= ?",
            .integer(core.connection.lastInsertRowID - Self.rescuesMax))
    }

    package func rescues(limit: Int) throws(DonationError) -> [SyncRescue] {
        try core.read(
            "SELECT at, cause, owner, zone, record, changes FROM sync_rescues"
                + " ORDER BY id DESC LIMIT ?", .integer(Int64(max(0, limit)))
        ) { row in
            SyncRescue(
                at: Timestamp(milliseconds: row.int64(at: 0)),
                cause: SyncRescue.Cause(rawValue: row.text(at: 1)) ?? .refused,
                zone: RecordZone.ID(row.text(at: 3), owner: row.text(at: 2)),
                recordName: row.optionalText(at: 4), changes: row.int64(at: 5))
        }.reversed()
    }
}
