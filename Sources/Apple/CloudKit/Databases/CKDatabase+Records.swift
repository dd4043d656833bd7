import Foundation

// Records, with `async`
extension CKDatabase {
    /// A record.
    public func record(for recordID: CKRecord.ID) async throws -> CKRecord {
        guard let found = try await records([recordID], nil).first else { throw Self.noAnswer }
        return try found.result.get()
    }

    /// Records by ID; each has a result of its own.
    ///
    /// Without `desiredKeys` all fields are fetched.
    public func records(
        for ids: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]? = nil
    ) async throws -> [CKRecord.ID: Result<CKRecord, any Error>] {
        byID(try await records(ids, desiredKeys))
    }

    /// Saves a record, unless the server's is newer.
    ///
    /// The record gets the server's change tag and times. The result is another object, with all of
    /// the server's fields.
    @discardableResult
    public func save(_ record: CKRecord) async throws -> CKRecord {
        let changes = try await modify([record], [], .ifServerRecordUnchanged, atomically: false)
        guard let saved = changes.saved.first else { throw Self.noAnswer }
        return try saved.result.get()
    }

    /// Deletes a record; one that is not there counts as deleted.
    @discardableResult
    public func deleteRecord(withID recordID: CKRecord.ID) async throws -> CKRecord.ID {
        let changes = try await modify([], [recordID], .allKeys, atomically: false)
        guard let deleted = changes.deleted.first else { throw Self.noAnswer }
        try deleted.result.get()
        return recordID
    }

    /// Saves and deletes records; each has a result of its own.
    ///
    /// With `atomically` all or none of each custom zone are stored.
    @discardableResult
    public func modifyRecords(
        saving recordsToSave: [CKRecord], deleting recordIDsToDelete: [CKRecord.ID],
        savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged,
        atomically: Bool = true
    ) async throws -> (
        saveResults: [CKRecord.ID: Result<CKRecord, any Error>],
        deleteResults: [CKRecord.ID: Result<Void, any Error>]
    ) {
        let changes = try await modify(
            recordsToSave, recordIDsToDelete, savePolicy, atomically: atomically)
        return (byID(changes.saved), byID(changes.deleted))
    }
}

// Records, with completion handlers
extension CKDatabase {
    /// A record.
    @preconcurrency public func fetch(
        withRecordID recordID: CKRecord.ID,
        completionHandler: @escaping @Sendable (CKRecord?, (any Error)?) -> Void
    ) {
        enqueue(completionHandler) { try await $0.record(for: recordID) }
    }

    /// Records by ID; each has a result of its own.
    @preconcurrency public func fetch(
        withRecordIDs recordIDs: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]? = nil,
        completionHandler:
            @escaping @Sendable (
                Result<[CKRecord.ID: Result<CKRecord, any Error>], any Error>
            ) -> Void
    ) {
        enqueueResult(completionHandler) {
            try await $0.records(for: recordIDs, desiredKeys: desiredKeys)
        }
    }

    /// Saves a record, unless the server's is newer.
    @preconcurrency public func save(
        _ record: CKRecord,
        completionHandler: @escaping @Sendable (CKRecord?, (any Error)?) -> Void
    ) {
        enqueue(completionHandler) { try await $0.save(record) }
    }

    /// Deletes a record; one that is not there counts as deleted.
    @preconcurrency public func delete(
        withRecordID recordID: CKRecord.ID,
        completionHandler: @escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void
    ) {
        enqueue(completionHandler) { try await $0.deleteRecord(withID: recordID) }
    }

    /// Saves and deletes records; each has a result of its own.
    @preconcurrency public func modifyRecords(
        saving recordsToSave: [CKRecord], deleting recordIDsToDelete: [CKRecord.ID],
        savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged,
        atomically: Bool = true,
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        saveResults: [CKRecord.ID: Result<CKRecord, any Error>],
                        deleteResults: [CKRecord.ID: Result<Void, any Error>]
                    ), any Error
                >
            ) -> Void
    ) {
        enqueueResult(completionHandler) {
            try await $0.modifyRecords(
                saving: recordsToSave, deleting: recordIDsToDelete, savePolicy: savePolicy,
                atomically: atomically)
        }
    }
}
