package import CloudModel
package import DonationSync
import SQLite

// Zones.
extension StoreSync {
    private static let state = [
        "status", "token", "generation", "scanning", "aborted", "sweeping", "dirty", "repeats",
        "listed", "newest", "floor", "unlisted", "fenced_by", "doubted",
    ]
    private static let zoneColumns = "owner, name, " + state.joined(separator: ", ")
    // A sweep that begins has looked at nothing yet.
    private static let insertion =
        "INSERT INTO sync_zones(container, environment, scope, \(zoneColumns)) VALUES (?, ?, ?, ?, ?"
        + String(repeating: ", ?", count: state.count)
        + ") ON CONFLICT(container, environment, scope, owner, name) DO UPDATE SET"
        + " swept = CASE WHEN excluded.sweeping AND sweeping THEN swept END, "
        + state.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")

    package func zone(
        _ id: RecordZone.ID, at address: Database.Address
    ) throws(DonationError) -> SyncZone? {
        try core.read(
            "SELECT \(Self.zoneColumns) FROM sync_zones WHERE \(Database.Address.condition)"
                + " AND owner = ? AND name = ?", values: Self.key(id, address), row: Self.zone
        ).first
    }

    package mutating func setZone(
        _ zone: SyncZone, at address: Database.Address
    ) throws(DonationError) {
        try core.change(
            Self.insertion, address.container1, address.environment2, address.scope3,
            .text(zone.id.ownerRecordName ?? ""), .text(zone.id.zoneName),
            .text(zone.status.rawValue), .text(orNull: zone.token?.rawValue),
            .integer(zone.generation), .flag(zone.isScanning), .integer(zone.abortedScans),
            .flag(zone.isSweeping), .flag(zone.isDirty), .integer(zone.repeats),
            .integer(zone.listGeneration), .integer(orNull: zone.newest?.milliseconds),
            .integer(orNull: zone.floor?.milliseconds), .flag(zone.isUnlisted),
            .text(orNull: zone.fencedBy), .flag(zone.isDoubted))
    }

    package func firstZone(
        _ filter: SyncZoneFilter, at address: Database.Address
    ) throws(DonationError) -> SyncZone? {
        var values = [address.container1, address.environment2, address.scope3]
        let condition: String
        switch filter {
        case .dirty: condition = "(dirty = 1 OR sweeping = 1)"
        case .doubted: condition = "doubted = 1"
        case .unlisted(let generation):
            condition = "status IN ('live', 'unclear') AND listed < ?"
            values.append(.integer(generation))
        }
        return try core.read(
            "SELECT \(Self.zoneColumns) FROM sync_zones WHERE \(Database.Address.condition)"
                + " AND \(condition) LIMIT 1", values: values, row: Self.zone
        ).first
    }

    package func zones(
        at address: Database.Address, limit: Int
    ) throws(DonationError) -> [SyncZone] {
        try core.read(
            "SELECT \(Self.zoneColumns) FROM sync_zones WHERE \(Database.Address.condition)"
                + " ORDER BY owner, name LIMIT ?", address.container1, address.environment2,
            address.scope3, .integer(Int64(max(0, limit))), row: Self.zone)
    }

    private static func zone(_ row: Statement) -> SyncZone {
        var zone = SyncZone(RecordZone.ID(row.text(at: 1), owner: row.text(at: 0)))
        zone.status = SyncZoneStatus(rawValue: row.text(at: 2)) ?? .unknown
        zone.token = row.token(at: 3)
        zone.generation = row.int64(at: 4)
        zone.isScanning = row.bool(at: 5)
        zone.abortedScans = row.int64(at: 6)
        zone.isSweeping = row.bool(at: 7)
        zone.isDirty = row.bool(at: 8)
        zone.repeats = row.int64(at: 9)
        zone.listGeneration = row.int64(at: 10)
        zone.newest = row.moment(at: 11)
        zone.floor = row.moment(at: 12)
        zone.isUnlisted = row.bool(at: 13)
        zone.fencedBy = row.optionalText(at: 14)
        zone.isDoubted = row.bool(at: 15)
        return zone
    }

    /// The values of a zone's key, in the order of the index.
    static func key(_ id: RecordZone.ID, _ address: Database.Address) -> [Value] {
        [
            address.container1, address.environment2, address.scope3,
            .text(id.ownerRecordName ?? ""), .text(id.zoneName),
        ]
    }
}
