import CloudModel
import Foundation

extension CKDatabase {
    /// The first request of a query.
    func request(
        _ query: CKQuery, _ zoneID: CKRecordZone.ID?
    ) throws(CKError) -> RecordQueryRequest {
        RecordQueryRequest(
            query: try query.model(), zoneID: zoneID?.model,
            zoneWide: zoneID == nil && databaseScope != .public)
    }

    /// One page of a query.
    func page(
        _ request: RecordQueryRequest, _ desiredKeys: [CKRecord.FieldKey]?, _ limit: Int
    ) async throws(CKError) -> (
        found: ItemResults<CKRecord.ID, CKRecord>, cursor: CKQueryOperation.Cursor?
    ) {
        var request = request
        request.desiredKeys = desiredKeys
        request.limit = limit > 0 ? limit : nil
        let asked = request
        let page = try await ask { database throws(CloudError) in
            try await database.records(matching: asked)
        }
        let zoneID = request.zoneID.map { CKRecordZone.ID($0, in: databaseScope) } ?? .default
        var found: ItemResults<CKRecord.ID, CKRecord> = []
        found.reserveCapacity(page.records.count)
        for item in page.records {
            switch item {
            case .record(let record):
                let zone = CKRecordZone.ID(record.id.zoneID, in: databaseScope)
                let id = CKRecord.ID(recordName: record.id.recordName, zoneID: zone)
                found.append((id, .success(make(record, id))))
            case .deleted: continue
            case .failure(let name, let error):
                let id = CKRecord.ID(recordName: name, zoneID: zoneID)
                found.append((id, .failure(itemError(error))))
            }
        }
        found = await fetchFiles(found)
        guard let marker = page.continuationMarker else { return (found, nil) }
        request.continuationMarker = marker
        return (found, CKQueryOperation.Cursor(request))
    }

    /// What a query finds: one page, and a cursor for the next.
    ///
    /// Without a zone all zones are searched, without `desiredKeys` all fields fetched; the page
    /// has at most `resultsLimit` records.
    public func records(
        matching query: CKQuery, inZoneWith zoneID: CKRecordZone.ID? = nil,
        desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults
    ) async throws -> (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
        queryCursor: CKQueryOperation.Cursor?
    ) {
        let page = try await page(request(query, zoneID), desiredKeys, resultsLimit)
        return (page.found.map { ($0.id, $0.result.erased) }, page.cursor)
    }

    /// The next page of a query.
    public func records(
        continuingMatchFrom queryCursor: CKQueryOperation.Cursor,
        desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults
    ) async throws -> (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
        queryCursor: CKQueryOperation.Cursor?
    ) {
        let page = try await page(queryCursor.request, desiredKeys, resultsLimit)
        return (page.found.map { ($0.id, $0.result.erased) }, page.cursor)
    }

    /// The first page of what a query finds. Apple calls it deprecated.
    public func perform(
        _ query: CKQuery, inZoneWith zoneID: CKRecordZone.ID?
    ) async throws -> [CKRecord] {
        try await page(request(query, zoneID), nil, CKQueryOperation.maximumResults).found
            .compactMap { $0.result.value }
    }

    /// What a query finds: one page, and a cursor for the next.
    @preconcurrency public func fetch(
        withQuery query: CKQuery, inZoneWith zoneID: CKRecordZone.ID? = nil,
        desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults,
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
                        queryCursor: CKQueryOperation.Cursor?
                    ), any Error
                >
            ) -> Void
    ) {
        enqueueResult(completionHandler) {
            try await $0.records(
                matching: query, inZoneWith: zoneID, desiredKeys: desiredKeys,
                resultsLimit: resultsLimit)
        }
    }

    /// The next page of a query.
    @preconcurrency public func fetch(
        withCursor queryCursor: CKQueryOperation.Cursor, desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults,
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
                        queryCursor: CKQueryOperation.Cursor?
                    ), any Error
                >
            ) -> Void
    ) {
        enqueueResult(completionHandler) {
            try await $0.records(
                continuingMatchFrom: queryCursor, desiredKeys: desiredKeys,
                resultsLimit: resultsLimit)
        }
    }

    /// The first page of what a query finds. Apple calls it deprecated.
    @preconcurrency public func perform(
        _ query: CKQuery, inZoneWith zoneID: CKRecordZone.ID?,
        completionHandler: @escaping @Sendable ([CKRecord]?, (any Error)?) -> Void
    ) {
        enqueue(completionHandler) { try await $0.perform(query, inZoneWith: zoneID) }
    }
}
