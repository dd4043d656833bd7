import Foundation

/// Creates and deletes zones. A deleted zone takes its records with it, for good.
///
/// The result block reports success when single zones failed; the older completion block then has
/// `partialFailure`, with the errors by zone ID.
// Unchecked, as its superclass: apps set it up before they enqueue it.
public final class CKModifyRecordZonesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// Zones to create; existing ones stay as they are.
    public var recordZonesToSave: [CKRecordZone]?
    /// Zones to delete.
    public var recordZoneIDsToDelete: [CKRecordZone.ID]?
    /// Called for each zone to create.
    public var perRecordZoneSaveBlock: ((CKRecordZone.ID, Result<CKRecordZone, any Error>) -> Void)?
    /// Called for each zone to delete.
    public var perRecordZoneDeleteBlock: ((CKRecordZone.ID, Result<Void, any Error>) -> Void)?
    /// Called at the end.
    public var modifyRecordZonesResultBlock: ((Result<Void, any Error>) -> Void)?
    /// Called at the end with what was created and what deleted. Apple calls it deprecated.
    public var modifyRecordZonesCompletionBlock:
        (([CKRecordZone]?, [CKRecordZone.ID]?, (any Error)?) -> Void)?

    /// An operation without work yet.
    public override init() {}

    /// An operation that creates some zones and deletes others.
    public convenience init(
        recordZonesToSave: [CKRecordZone]? = nil, recordZoneIDsToDelete: [CKRecordZone.ID]? = nil
    ) {
        self.init()
        self.recordZonesToSave = recordZonesToSave
        self.recordZoneIDsToDelete = recordZoneIDsToDelete
    }

    override func run() async {
        do throws(CKError) {
            let outcome = try await target().modify(
                recordZonesToSave ?? [], recordZoneIDsToDelete ?? [])
            report(outcome)
        } catch {
            let error = reported(error)
            modifyRecordZonesResultBlock?(.failure(error))
            modifyRecordZonesCompletionBlock?(nil, nil, error)
        }
    }

    private func report(_ outcome: ZoneChanges) {
        for (id, result) in outcome.saved { perRecordZoneSaveBlock?(id, result.erased) }
        for (id, result) in outcome.deleted { perRecordZoneDeleteBlock?(id, result.erased) }
        modifyRecordZonesResultBlock?(.success(()))
        modifyRecordZonesCompletionBlock?(
            outcome.saved.compactMap { $0.result.value },
            outcome.deleted.compactMap { $0.result.failure == nil ? $0.id : nil },
            outcome.partialFailure)
    }
}
