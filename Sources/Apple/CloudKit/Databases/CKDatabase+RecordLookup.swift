import CloudModel

// What the methods and the operations that look records up have in common.
extension CKDatabase {
    /// Records by ID with the files of their assets, item by item.
    func records(
        _ ids: [CKRecord.ID], _ desiredKeys: [CKRecord.FieldKey]?,
        _ progress: TransferProgress? = nil
    ) async throws(CKError) -> ItemResults<CKRecord.ID, CKRecord> {
        await fetchFiles(try await recordsWithoutFiles(ids, desiredKeys), progress)
    }

    /// Records by ID, item by item.
    func recordsWithoutFiles(
        _ ids: [CKRecord.ID], _ desiredKeys: [CKRecord.FieldKey]?
    ) async throws(CKError) -> ItemResults<CKRecord.ID, CKRecord> {
        try Self.checkCount(ids.count)
        var results: [CKRecord.ID: Result<CKRecord, CKError>] = [:]
        var known: [CKRecord.ID] = []
        for id in ids {
            if let problem = id.problem {
                results[id] = .failure(CKError(badName: problem, "the record was not fetched:"))
            } else {
                known.append(id)
            }
        }
        for (zoneID, some) in Self.byZone(known, { $0.zoneID }) {
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
}
