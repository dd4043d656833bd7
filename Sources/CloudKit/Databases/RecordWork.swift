import CloudModel
import Foundation

/// What became of records to save and to delete.
struct RecordChanges: Sendable {
    var saved: ItemResults<CKRecord.ID, CKRecord> = []
    var deleted: ItemResults<CKRecord.ID, Void> = []

    /// What the failures add up to; nil without any.
    var partialFailure: CKError? {
        var errors: [AnyHashable: any Error] = [:]
        for item in saved { errors[AnyHashable(item.id)] = item.result.failure }
        for item in deleted { errors[AnyHashable(item.id)] = item.result.failure }
        return errors.isEmpty ? nil : .partialFailure(errors, "modify some records")
    }
}

/// One record to save or to delete, and what became of it.
struct RecordWorkItem: Sendable {
    let recordID: CKRecord.ID
    /// nil: to be deleted.
    let record: CKRecord?
    var operation: RecordOperation?
    var size: RecordSize?
    /// What has to be sent before the record.
    var files: [FileToSend] = []
    /// The fields to be saved whose assets have files here.
    var fileSlots: [String: FieldSlot] = [:]
    var result: Result<CKRecord?, CKError>?
}

// What the methods and the operations about records have in common.
extension CKDatabase {
    /// Records by ID with the files of their assets, item by item.
    func records(
        _ ids: [CKRecord.ID], _ desiredKeys: [CKRecord.FieldKey]?
    ) async throws(CKError) -> ItemResults<CKRecord.ID, CKRecord> {
        await fetchFiles(try await recordsWithoutFiles(ids, desiredKeys))
    }

    /// Records by ID, item by item.
    func recordsWithoutFiles(
        _ ids: [CKRecord.ID], _ desiredKeys: [CKRecord.FieldKey]?
    ) async throws(CKError) -> ItemResults<CKRecord.ID, CKRecord> {
        try Self.checkCount(ids.count)
        var results: [CKRecord.ID: Result<CKRecord, CKError>] = [:]
        for (zoneID, some) in Self.byZone(ids, { $0.zoneID }) {
            var rest = some[...]
            while !rest.isEmpty {
                let part = Array(rest.prefix(Self.itemsPerRequest))
                rest = rest.dropFirst(part.count)
                try await look(up: part, zoneID, desiredKeys, &results)
            }
        }
        return ids.map { ($0, results[$0] ?? .failure(Self.noAnswer)) }
    }

    private func look(
        up ids: [CKRecord.ID], _ zoneID: CKRecordZone.ID, _ desiredKeys: [String]?,
        _ results: inout [CKRecord.ID: Result<CKRecord, CKError>]
    ) async throws(CKError) {
        let request = RecordLookupRequest(
            recordNames: ids.map { $0.recordName }, zoneID: zoneID.model, desiredKeys: desiredKeys)
        let reply: RecordsReply
        do throws(CKError) {
            reply = try await ask { database throws(CloudError) in
                try await database.records(for: request)
            }
        } catch {
            guard error.isMissingZone else { throw error }
            // A missing zone is the matter of its own records only.
            for id in ids { results[id] = .failure(error) }
            return
        }
        for (id, item) in zip(ids, reply.records) { results[id] = result(item, id) }
    }

    private func result(_ item: Record.Item, _ id: CKRecord.ID) -> Result<CKRecord, CKError> {
        switch item {
        case .record(let record): .success(make(record, id))
        case .deleted: .failure(CKError(.unknownItem, "the record was deleted"))
        case .failure(_, let error): .failure(itemError(error))
        }
    }

    /// The native record, a share where it is one.
    func make(_ record: Record, _ id: CKRecord.ID) -> CKRecord {
        let contents = RecordContents(record, recordID: id, in: databaseScope)
        return record.recordType == CKRecord.SystemType.share
            ? CKShare(contents) : CKRecord(contents)
    }

    /// Saves and deletes records, item by item; all or none of each custom zone when `atomically`.
    func modify(
        _ records: [CKRecord], _ deletions: [CKRecord.ID],
        _ policy: CKModifyRecordsOperation.RecordSavePolicy, atomically: Bool
    ) async throws(CKError) -> RecordChanges {
        try Self.checkCount(records.count + deletions.count)
        let ids = records.map { $0.recordID }
        try Self.checkOnce(ids + deletions, "a record")
        var items = zip(records, ids).map { RecordWorkItem(recordID: $1, record: $0) }
        items += deletions.map { RecordWorkItem(recordID: $0, record: nil) }
        for index in items.indices { Self.prepare(&items[index], policy) }
        Self.checkShares(&items, in: databaseScope)
        try Self.checkSize(items)
        for (zoneID, indices) in Self.byZone(Array(items.indices), { items[$0].recordID.zoneID }) {
            let isAtomic = atomically && databaseScope != .public && !zoneID.isDefault
            try await modify(&items, indices, zoneID, isAtomic)
        }
        var changes = RecordChanges()
        for item in items {
            let result = item.result ?? .failure(Self.noAnswer)
            if item.record == nil {
                changes.deleted.append((item.recordID, result.map { _ in }))
            } else {
                let saved = result.flatMap { record -> Result<CKRecord, CKError> in
                    record.map { .success($0) } ?? .failure(Self.noAnswer)
                }
                changes.saved.append((item.recordID, saved))
            }
        }
        return changes
    }

    private static func prepare(
        _ item: inout RecordWorkItem, _ policy: CKModifyRecordsOperation.RecordSavePolicy
    ) {
        guard let record = item.record else {
            item.operation = RecordOperation(
                .forceDelete, recordName: item.recordID.recordName,
                zoneID: item.recordID.zoneID.model)
            return
        }
        do throws(CKError) {
            let contents = record.read { $0 }
            item.operation = try contents.saving(policy)
            item.fileSlots = contents.fileSlots(of: contents.savedKeys(policy))
            item.files = try contents.filesToSend(item.fileSlots)
            item.size = item.operation.map(RecordSize.init)
            if let size = item.size, size.wire > RecordSize.wireMax {
                item.result = .failure(
                    CKError(.limitExceeded, "the record is too large for any request"))
            }
        } catch {
            item.result = .failure(error)
        }
    }

    /// The records of one zone.
    private func modify(
        _ items: inout [RecordWorkItem], _ indices: [Int], _ zoneID: CKRecordZone.ID,
        _ isAtomic: Bool
    ) async throws(CKError) {
        var indices = Self.unfailed(indices, of: &items, isAtomic)
        guard !isAtomic || indices.count <= Self.itemsPerRequest else {
            throw CKError(
                .limitExceeded,
                "an atomic batch can have \(Self.itemsPerRequest) records of one zone, and has "
                    + "\(indices.count)")
        }
        var parts = Self.parts(Self.sharesLast(indices, of: items), of: items)
        guard !isAtomic || parts.count <= 1 else {
            throw CKError(
                .limitExceeded, "an atomic batch of one zone has to fit into one request of 2 MB")
        }
        try await sendFiles(of: &items, indices, zoneID)
        indices = Self.unfailed(indices, of: &items, isAtomic)
        parts = Self.parts(Self.sharesLast(indices, of: items), of: items)
        for part in parts { try await send(&items, part, zoneID, isAtomic) }
        try await explainConflicts(&items, indices)
    }

    /// What has not failed; nothing where an atomic batch has, which fails as a whole.
    private static func unfailed(
        _ indices: [Int], of items: inout [RecordWorkItem], _ isAtomic: Bool
    ) -> [Int] {
        let left = indices.filter { items[$0].result == nil }
        guard isAtomic, left.count < indices.count else { return left }
        for index in left {
            items[index].result = .failure(
                CKError(.batchRequestFailed, "another record of the batch failed"))
        }
        return []
    }

    private func send(
        _ items: inout [RecordWorkItem], _ indices: [Int], _ zoneID: CKRecordZone.ID,
        _ isAtomic: Bool
    ) async throws(CKError) {
        Self.noteRoots(&items, of: indices)
        let request = RecordModifyRequest(
            operations: indices.compactMap { items[$0].operation }, zoneID: zoneID.model,
            atomic: isAtomic)
        let reply: RecordsReply
        do throws(CKError) {
            reply = try await ask { database throws(CloudError) in
                try await database.modifyRecords(request)
            }
        } catch {
            guard error.isMissingZone else { throw error }
            for index in indices { items[index].result = .failure(error) }
            return
        }
        guard reply.records.count == indices.count else {
            throw CKError(.internalError, "the server answered for other records")
        }
        for (index, item) in zip(indices, reply.records) {
            items[index].result =
                switch item {
                case .record(let record):
                    items[index].saved(make(record, items[index].recordID))
                case .deleted: .success(nil)
                case .failure(_, let error):
                    .failure(itemError(error, items[index].newShare == nil ? .item : .newShare))
                }
        }
    }

    /// The same things, gathered by zone, in the order of their first.
    static func byZone<Thing>(
        _ things: [Thing], _ zoneID: (Thing) -> CKRecordZone.ID
    ) -> [(CKRecordZone.ID, [Thing])] {
        var groups: [(zoneID: CKRecordZone.ID, things: [Thing])] = []
        var places: [CKRecordZone.ID: Int] = [:]
        var last: (zoneID: CKRecordZone.ID, place: Int)?
        for thing in things {
            let id = zoneID(thing)
            if let last, last.zoneID === id {
                groups[last.place].things.append(thing)
                continue
            }
            let place = places[id] ?? groups.count
            if place == groups.count {
                groups.append((id, []))
                places[id] = place
            }
            groups[place].things.append(thing)
            last = (id, place)
        }
        return groups.map { ($0.zoneID, $0.things) }
    }
}
