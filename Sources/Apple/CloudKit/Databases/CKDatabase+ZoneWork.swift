import CloudModel
import Foundation

// What the methods and the operations about zones have in common.
extension CKDatabase {
    /// The zones of some IDs, or all.
    func zones(
        _ ids: [CKRecordZone.ID]?
    ) async throws(CKError) -> ItemResults<CKRecordZone.ID, CKRecordZone> {
        guard let ids else { return try await allZones() }
        try Self.checkCount(ids.count)
        var found: ItemResults<CKRecordZone.ID, CKRecordZone> = []
        let odd = ids.compactMap { id in
            Self.nameError(id, "the zone was not fetched: its name").map { (id, $0) }
        }
        found += odd.map { ($0, .failure($1)) }
        var rest = ids.filter { RecordName.problem(in: $0.zoneName) == nil }[...]
        while !rest.isEmpty {
            let some = Array(rest.prefix(Self.itemsPerRequest))
            rest = rest.dropFirst(some.count)
            let items = try await ask { database throws(CloudError) in
                try await database.zones(for: some.map { $0.model })
            }
            for (id, item) in zip(some, items) { found.append((id, result(item))) }
        }
        return found
    }

    private func allZones() async throws(CKError) -> ItemResults<CKRecordZone.ID, CKRecordZone> {
        var found: ItemResults<CKRecordZone.ID, CKRecordZone> = []
        var token: ChangeToken?
        for _ in 0..<Self.pagesMax {
            let after = token
            let page = try await ask { database throws(CloudError) in
                try await database.zones(after: after)
            }
            for item in page.zones {
                if case .deleted = item { continue }
                found.append((CKRecordZone.ID(item.id, in: databaseScope), result(item)))
            }
            guard page.moreComing, page.token != token else { return found }
            token = page.token
        }
        throw CKError(.internalError, "the list of zones has no end")
    }

    private func result(_ item: RecordZone.Item) -> Result<CKRecordZone, CKError> {
        switch item {
        case .zone(let zone): .success(CKRecordZone(zone, in: databaseScope))
        case .deleted: .failure(CKError(.zoneNotFound, "the zone was deleted"))
        case .failure(_, let error): .failure(itemError(error))
        }
    }

    /// Creates and deletes zones, item by item.
    ///
    /// - Throws: Only when nothing was stored: afterwards each item has a result of its own.
    func modify(
        _ zones: [CKRecordZone], _ deletions: [CKRecordZone.ID]
    ) async throws(CKError) -> ZoneChanges {
        try Self.checkCount(zones.count + deletions.count)
        try Self.checkOnce(zones.map { $0.zoneID } + deletions, "a zone")
        let sent = try await send(
            zones.filter { RecordName.problem(in: $0.zoneID.zoneName) == nil },
            deletions.filter { RecordName.problem(in: $0.zoneName) == nil })
        // The names that no zone can have fail alone, in their places.
        var (saved, deleted) = (sent.saved[...], sent.deleted[...])
        var changes = ZoneChanges()
        for zone in zones {
            if let error = Self.nameError(zone.zoneID, "the zone was not saved: its name") {
                changes.saved.append((zone.zoneID, .failure(error)))
            } else {
                changes.saved.append(saved.popFirst() ?? (zone.zoneID, .failure(Self.noAnswer)))
            }
        }
        for id in deletions {
            if let error = Self.nameError(id, "the zone was not deleted: its name") {
                changes.deleted.append((id, .failure(error)))
            } else {
                changes.deleted.append(deleted.popFirst() ?? (id, .failure(Self.noAnswer)))
            }
        }
        return changes
    }

    private static func nameError(_ id: CKRecordZone.ID, _ what: String) -> CKError? {
        RecordName.problem(in: id.zoneName).map { CKError(badName: $0, what) }
    }

    private func send(
        _ zones: [CKRecordZone], _ deletions: [CKRecordZone.ID]
    ) async throws(CKError) -> ZoneChanges {
        let operations =
            zones.map { RecordZone.Operation.create($0.zoneID.model) }
            + deletions.map { RecordZone.Operation.delete($0.model) }
        var changes = ZoneChanges()
        var start = 0
        while start < operations.count {
            let some = Array(operations[start...].prefix(Self.itemsPerRequest))
            let items: [RecordZone.Item]
            do throws(CKError) {
                items = try await ask(situation(of: some)) { database throws(CloudError) in
                    try await database.modifyZones(some)
                }
                guard items.count == some.count else {
                    throw CKError(.internalError, "the response is for other zones")
                }
            } catch {
                guard changes.hasDone else { throw error }
                changes.saved += zones.dropFirst(changes.saved.count)
                    .map { ($0.zoneID, .failure(error)) }
                changes.deleted += deletions.dropFirst(changes.deleted.count)
                    .map { ($0, .failure(error)) }
                return changes
            }
            for (offset, item) in items.enumerated() {
                add(item, start + offset, zones, deletions, &changes)
            }
            start += some.count
        }
        return changes
    }

    private func add(
        _ item: RecordZone.Item, _ index: Int, _ zones: [CKRecordZone],
        _ deletions: [CKRecordZone.ID], _ changes: inout ZoneChanges
    ) {
        if index < zones.count {
            let result: Result<CKRecordZone, CKError> =
                switch item {
                case .zone(let zone): .success(CKRecordZone(zone, in: databaseScope))
                case .deleted: .failure(CKError(.internalError, "the zone was deleted instead"))
                case .failure(_, let error):
                    .failure(itemError(error, .zoneCreation(databaseScope)))
                }
            changes.saved.append((zones[index].zoneID, result))
        } else {
            var result: Result<Void, CKError> = .success(())
            if case .failure(_, let error) = item { result = .failure(itemError(error)) }
            changes.deleted.append((deletions[index - zones.count], result))
        }
    }

    private func situation(of operations: [RecordZone.Operation]) -> CKError.Situation {
        let creates = operations.contains { if case .create = $0 { true } else { false } }
        return creates ? .zoneCreation(databaseScope) : .request
    }
}
