import CloudModel
import RecordSync

/// An app in Apple's style: what it keeps on disk, and what it does about each event.
///
/// It is written to the documented rules of `CKSyncEngine`, and knows nothing of the machine.
struct SimApp {
    struct Local: Equatable {
        var value: Int
        /// The server's version that this began with; nil: never saved.
        var tag: String?
        /// Whether the server does not have this value, for all the app knows.
        var isEdited: Bool
    }
    /// zone name → record name → the record.
    var zones: [String: [String: Local]] = [:]
    /// Records that were deleted here, until the server has confirmed it.
    var deleted: Set<Record.ID> = []
    /// Each change given to the engine of whose end the app was not told.
    var owed: Set<PendingRecordChange> = []

    /// What the app adds to the engine, or takes from it.
    enum Wish {
        case add(PendingRecordChange)
        case remove(PendingRecordChange)
        case saveZone(String)
    }

    // MARK: The user

    mutating func edit(_ name: String, in zone: String, value: Int) -> [Wish] {
        let id = Record.ID(name, zoneID: RecordZone.ID(zone))
        let isNewZone = zones[zone] == nil
        zones[zone, default: [:]][name] = Local(
            value: value, tag: zones[zone]?[name]?.tag, isEdited: true)
        deleted.remove(id)
        return (isNewZone ? [.saveZone(zone)] : []) + [.add(.save(id))]
    }

    mutating func delete(_ name: String, in zone: String) -> [Wish] {
        let id = Record.ID(name, zoneID: RecordZone.ID(zone))
        guard zones[zone]?.removeValue(forKey: name) != nil else { return [] }
        deleted.insert(id)
        return [.add(.delete(id))]
    }

    /// All that the server does not have: after a start, and when there is room again.
    func everythingEdited() -> [Wish] {
        // In an order of their own, so that a seed gives the same history in each process.
        zones.sorted { $0.key < $1.key }.flatMap { zone, records in
            let edited = records.filter(\.value.isEdited).keys.sorted()
            return [Wish.saveZone(zone)]
                + edited.map { .add(.save(Record.ID($0, zoneID: RecordZone.ID(zone)))) }
        }
            + deleted.sorted {
                ($0.zoneID.zoneName, $0.recordName) < ($1.zoneID.zoneName, $1.recordName)
            }.map { .add(.delete($0)) }
    }

    // MARK: Events

    mutating func changedAccount() {
        zones = [:]
        deleted = []
    }

    mutating func zoneIsGone(_ zone: RecordZone.ID) -> [Wish] {
        zones[zone.zoneName] = nil
        deleted = deleted.filter { $0.zoneID != zone }
        return owed.filter { $0.id.zoneID == zone }.map { .remove($0) }
    }

    mutating func fetched(_ name: String, in zone: RecordZone.ID, _ stored: SimCloud.Stored) {
        let id = Record.ID(name, zoneID: zone)
        guard !deleted.contains(id) else { return }
        if var local = zones[zone.zoneName]?[name], local.isEdited {
            local.tag = stored.tag
            zones[zone.zoneName]?[name] = local
        } else {
            zones[zone.zoneName, default: [:]][name] = Local(
                value: stored.value, tag: stored.tag, isEdited: false)
        }
    }

    mutating func fetchedDeletion(_ name: String, in zone: RecordZone.ID) -> [Wish] {
        let id = Record.ID(name, zoneID: zone)
        zones[zone.zoneName]?[name] = nil
        deleted.remove(id)
        return [.remove(.save(id)), .remove(.delete(id))]
    }

    mutating func saved(_ id: Record.ID, _ sent: Int, _ stored: SimCloud.Stored) {
        guard var local = zones[id.zoneID.zoneName]?[id.recordName] else { return }
        local.tag = stored.tag
        if local.value == sent { local.isEdited = false }
        zones[id.zoneID.zoneName]?[id.recordName] = local
    }

    mutating func deleted(_ id: Record.ID) { deleted.remove(id) }

    /// What the engine does not retry.
    mutating func failed(
        _ change: PendingRecordChange, _ failure: SimCloud.ItemFailure?
    ) -> [Wish] {
        let id = change.id
        let zone = id.zoneID.zoneName
        guard case .save = change else {
            // A deletion in a zone that is gone is done; anything else is for the next start.
            if failure == .zoneMissing || failure == .zonePurged { deleted.remove(id) }
            return []
        }
        guard zones[zone]?[id.recordName] != nil else { return [] }
        switch failure {
        case .conflict(let stored)?:
            zones[zone]?[id.recordName]?.tag = stored.tag
            return [.add(change)]
        case .missing?:
            zones[zone]?[id.recordName]?.tag = nil
            return [.add(change)]
        case .zoneMissing?:
            for name in (zones[zone] ?? [:]).keys { zones[zone]?[name]?.tag = nil }
            return [.saveZone(zone), .add(change)]
        // The user erased the app's data: it does not come back.
        case .zonePurged?: return zoneIsGone(id.zoneID)
        // Out of room: later.
        case nil: return []
        }
    }
}
