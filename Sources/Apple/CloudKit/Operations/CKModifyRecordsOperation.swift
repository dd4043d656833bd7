public import Foundation

/// Saves and deletes records.
///
/// The result block reports success when single records failed; the older completion block then
/// has `partialFailure`, with the errors by record ID.
// Unchecked, as its superclass: apps set it up before they enqueue it.
public final class CKModifyRecordsOperation: CKDatabaseOperation, @unchecked Sendable {
    /// What counts when the server's record is newer.
    public enum RecordSavePolicy: Int, Sendable {
        /// The save fails.
        case ifServerRecordUnchanged = 0
        /// The changed fields are written all the same.
        case changedKeys = 1
        /// All fields that the client has are written all the same.
        case allKeys = 2
    }

    /// Records to save.
    public var recordsToSave: [CKRecord]?
    /// Records to delete.
    public var recordIDsToDelete: [CKRecord.ID]?
    /// What counts when the server's record is newer.
    public var savePolicy = RecordSavePolicy.ifServerRecordUnchanged
    /// Whether all or none of each custom zone are stored.
    public var isAtomic = true
    /// Kept and not sent: the web services have no place for it.
    public var clientChangeTokenData: Data?
    /// Called for each record with its progress: while its files are sent, and with 1 when it is saved.
    public var perRecordProgressBlock: ((CKRecord, Double) -> Void)?
    /// Called for each record to save.
    public var perRecordSaveBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?
    /// Called for each record to delete.
    public var perRecordDeleteBlock: ((CKRecord.ID, Result<Void, any Error>) -> Void)?
    /// Called at the end.
    public var modifyRecordsResultBlock: ((Result<Void, any Error>) -> Void)?
    /// Called for each record to save. Apple calls it deprecated.
    public var perRecordCompletionBlock: ((CKRecord, (any Error)?) -> Void)?
    /// Called at the end with what was saved and what deleted. Apple calls it deprecated.
    public var modifyRecordsCompletionBlock: (([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)?

    /// An operation without work yet.
    public override init() {}

    /// An operation that saves some records and deletes others.
    public convenience init(
        recordsToSave: [CKRecord]? = nil, recordIDsToDelete: [CKRecord.ID]? = nil
    ) {
        self.init()
        self.recordsToSave = recordsToSave
        self.recordIDsToDelete = recordIDsToDelete
    }

    override func run() async {
        do throws(CKError) {
            let records = recordsToSave ?? []
            let (deletions, policy, isAtomic) = (recordIDsToDelete ?? [], savePolicy, isAtomic)
            let database = try target()
            let tells = perRecordProgressBlock != nil
            let changes = try await TransferProgress.following(tells) { item, fraction in
                self.perRecordProgressBlock?(records[item], fraction)
            } _: { progress throws(CKError) in
                try await database.modify(
                    records, deletions, policy, atomically: isAtomic, progress)
            }
            report(changes, of: records)
        } catch {
            let error = reported(error)
            modifyRecordsResultBlock?(.failure(error))
            modifyRecordsCompletionBlock?(nil, nil, error)
        }
    }

    private func report(_ changes: RecordChanges, of records: [CKRecord]) {
        for (record, (id, result)) in zip(records, changes.saved) {
            if result.failure == nil { perRecordProgressBlock?(record, 1) }
            perRecordSaveBlock?(id, result.erased)
            perRecordCompletionBlock?(result.value ?? record, result.failure)
        }
        for (id, result) in changes.deleted { perRecordDeleteBlock?(id, result.erased) }
        modifyRecordsResultBlock?(.success(()))
        modifyRecordsCompletionBlock?(
            changes.saved.compactMap { $0.result.value },
            changes.deleted.compactMap { $0.result.failure == nil ? $0.id : nil },
            changes.partialFailure)
    }
}
