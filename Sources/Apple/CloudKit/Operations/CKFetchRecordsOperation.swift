import CloudModel
import Foundation

/// Fetches records by ID.
// Unchecked, as its superclass: apps set it up before they enqueue it.
public final class CKFetchRecordsOperation: CKDatabaseOperation, @unchecked Sendable {
    /// Which records.
    public var recordIDs: [CKRecord.ID]?
    /// The fields to fetch; nil: all.
    public var desiredKeys: [CKRecord.FieldKey]?
    /// Called for each record with its progress: while its files come, and with 1 when it is there.
    public var perRecordProgressBlock: ((CKRecord.ID, Double) -> Void)?
    /// Called for each record.
    public var perRecordResultBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?
    /// Called at the end; success even when single records failed.
    public var fetchRecordsResultBlock: ((Result<Void, any Error>) -> Void)?
    /// Called for each record. Apple calls it deprecated.
    public var perRecordCompletionBlock: ((CKRecord?, CKRecord.ID?, (any Error)?) -> Void)?
    /// Called at the end with the records by ID. Apple calls it deprecated.
    public var fetchRecordsCompletionBlock: (([CKRecord.ID: CKRecord]?, (any Error)?) -> Void)?
    var isForCurrentUser = false

    /// An operation without work yet.
    public override init() {}

    /// An operation that fetches the records of some IDs.
    public convenience init(recordIDs: [CKRecord.ID]) {
        self.init()
        self.recordIDs = recordIDs
    }

    /// An operation that fetches the current user's record.
    public class func fetchCurrentUserRecordOperation() -> CKFetchRecordsOperation {
        let operation = CKFetchRecordsOperation()
        operation.isForCurrentUser = true
        return operation
    }

    override func run() async {
        do throws(CKError) {
            let database = try target()
            var ids = recordIDs ?? []
            if isForCurrentUser {
                let user = try await database.ask { database throws(CloudError) in
                    try await database.caller()
                }
                ids = [CKRecord.ID(recordName: user.userRecordName)]
            }
            let (keys, all) = (desiredKeys, ids)
            let tells = perRecordProgressBlock != nil
            let found = try await TransferProgress.following(tells) { item, fraction in
                self.perRecordProgressBlock?(all[item], fraction)
            } _: { progress throws(CKError) in
                try await database.records(all, keys, progress)
            }
            report(found)
        } catch {
            let error = reported(error)
            fetchRecordsResultBlock?(.failure(error))
            fetchRecordsCompletionBlock?(nil, error)
        }
    }

    private func report(_ found: ItemResults<CKRecord.ID, CKRecord>) {
        for (id, result) in found {
            if result.failure == nil { perRecordProgressBlock?(id, 1) }
            perRecordResultBlock?(id, result.erased)
            perRecordCompletionBlock?(result.value, id, result.failure)
        }
        fetchRecordsResultBlock?(.success(()))
        let records = found.compactMap { $0.result.value }
        fetchRecordsCompletionBlock?(
            Dictionary(records.map { ($0.recordID, $0) }) { $1 },
            CKError.partialFailure(of: found, "fetch some records"))
    }
}
