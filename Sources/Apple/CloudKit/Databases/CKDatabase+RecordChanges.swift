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

// What the methods and the operations that change records have in common.
extension CKDatabase {
    /// Saves and deletes records, item by item; all or none of each custom zone when `atomically`.
    ///
    /// - Throws: Only when nothing was stored: afterwards each item has a result of its own.
    func modify(
        _ records: [CKRecord], _ deletions: [CKRecord.ID],
        _ policy: CKModifyRecordsOperation.RecordSavePolicy, atomically: Bool,
        _ progress: TransferProgress? = nil
    ) async throws(CKError) -> RecordChanges {
        try Self.checkCount(records.count + deletions.count)
        let ids = records.map { $0.recordID }
        try Self.checkOnce(ids + deletions, "a record")
        var items = zip(records, ids).map { RecordWorkItem(recordID: $1, record: $0) }
        items += deletions.map { RecordWorkItem(recordID: $0, record: nil) }
        for index in items.indices { items[index].prepare(policy) }
        Self.checkShares(&items, in: databaseScope)
        try Self.checkSize(items)
        let order = try RecordGraph.order(items)
        for (zoneID, indices) in Self.byZone(Array(items.indices), { items[$0].recordID.zoneID }) {
            let isAtomic = atomically && databaseScope != .public && !zoneID.isDefault
            do throws(CKError) {
                try await modify(&items, indices, order, zoneID, isAtomic, progress)
            } catch {
                guard items.contains(where: \.isDone) else { throw error }
                for index in items.indices where items[index].result == nil {
                    items[index].result = .failure(error)
                }
                break
            }
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

    /// The records of one zone.
    ///
    /// The web services take half of a native batch at a time. Of an atomic batch in several requests
    /// each is atomic, and after one that failed no other is sent.
    ///
    /// - Parameter order: All items in the order in which they can be stored one after the other.
    private func modify(
        _ items: inout [RecordWorkItem], _ all: [Int], _ order: [Int], _ zoneID: CKRecordZone.ID,
        _ isAtomic: Bool, _ progress: TransferProgress?
    ) async throws(CKError) {
        var indices = Self.unfailed(all, of: &items, isAtomic)
        if isAtomic, Self.parts(indices, of: items).count > 1 {
            try await findConflicts(&items, indices)
            indices = Self.unfailed(indices, of: &items, isAtomic)
        }
        try await sendFiles(of: &items, indices, zoneID, progress)
        indices = Self.unfailed(indices, of: &items, isAtomic)
        var parts = Self.parts(Self.sharesLast(indices, of: items), of: items)
        if parts.count > 1 {
            let here = Set(indices)
            indices = order.filter { here.contains($0) }
            indices = try await childrenFirst(indices, of: items)
            parts = Self.parts(Self.sharesLast(indices, of: items), of: items)
        }
        var failure: CKError?
        for part in parts {
            do throws(CKError) { try await send(&items, part, zoneID, isAtomic) } catch {
                failure = error
                break
            }
            if isAtomic, part.contains(where: { !items[$0].isDone }) {
                _ = Self.unfailed(indices, of: &items, isAtomic)
                break
            }
        }
        await explainConflicts(&items, all)
        if let failure { throw failure }
    }

    /// The same items with deletions of children before those of their parents.
    ///
    /// One request may have them in any order, several may not.
    private func childrenFirst(
        _ indices: [Int], of items: [RecordWorkItem]
    ) async throws(CKError) -> [Int] {
        let deletions = indices.filter { items[$0].record == nil }
        guard deletions.count > 1 else { return indices }
        let ids = deletions.map { items[$0].recordID }
        var parents: [CKRecord.ID: CKRecord.ID] = [:]
        for (id, result) in try await recordsWithoutFiles(ids, []) {
            // A record that cannot be read has no order to keep: its deletion has a result of its own.
            parents[id] = result.value?.parent?.recordID
        }
        guard let order = RecordGraph.order(deleting: ids, parents: parents) else {
            return indices
        }
        return indices.filter { items[$0].record != nil } + order.map { deletions[$0] }
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
            throw CKError(.internalError, "the response is for other records")
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
