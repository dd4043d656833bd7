import Foundation

/// Fetches which zones changed since a token.
// Unchecked, as its superclass: apps set it up before they enqueue it.
public final class CKFetchDatabaseChangesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// Where to begin; nil: from the beginning.
    public var previousServerChangeToken: CKServerChangeToken?
    /// How many zones a page has at most; 0: as many as the server gives.
    public var resultsLimit = 0
    /// Whether to go on until there is nothing more.
    public var fetchAllChanges = true
    /// Called for each zone that is new or has changes.
    public var recordZoneWithIDChangedBlock: ((CKRecordZone.ID) -> Void)?
    /// Called for each zone that went.
    public var recordZoneWithIDWasDeletedBlock: ((CKRecordZone.ID) -> Void)?
    /// Called for each zone that the user erased, where the server tells; without a block, the one
    /// for deleted zones is.
    public var recordZoneWithIDWasPurgedBlock: ((CKRecordZone.ID) -> Void)?
    /// Called for each zone that went with a reset of encrypted data, where the server tells;
    /// without a block, the one for deleted zones is.
    public var recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock:
        ((CKRecordZone.ID) -> Void)?
    /// Called after each page but the last.
    public var changeTokenUpdatedBlock: ((CKServerChangeToken) -> Void)?
    /// Called at the end.
    public var fetchDatabaseChangesResultBlock:
        (
            (
                Result<(serverChangeToken: CKServerChangeToken, moreComing: Bool), any Error>
            ) -> Void
        )?
    /// Called at the end. Apple calls it deprecated.
    public var fetchDatabaseChangesCompletionBlock:
        ((CKServerChangeToken?, Bool, (any Error)?) -> Void)?

    /// An operation that begins at the beginning.
    public override init() {}

    /// An operation that begins at a token.
    public convenience init(previousServerChangeToken: CKServerChangeToken?) {
        self.init()
        self.previousServerChangeToken = previousServerChangeToken
    }

    override func run() async {
        do throws(CKError) {
            let end = try await fetch()
            fetchDatabaseChangesResultBlock?(.success((end.token, end.moreComing)))
            fetchDatabaseChangesCompletionBlock?(end.token, end.moreComing, nil)
        } catch {
            let error = reported(error)
            fetchDatabaseChangesResultBlock?(.failure(error))
            fetchDatabaseChangesCompletionBlock?(nil, false, error)
        }
    }

    private func fetch() async throws(CKError) -> DatabasePageOfChanges {
        var token = previousServerChangeToken
        for _ in 0..<CKDatabase.pagesMax {
            let page = try await target().changes(
                since: token, limit: CKDatabase.limit(resultsLimit))
            for zone in page.changed { recordZoneWithIDChangedBlock?(zone) }
            for zone in page.deleted { tell(zone) }
            guard page.moreComing, fetchAllChanges else { return page }
            token = page.token
            changeTokenUpdatedBlock?(page.token)
        }
        throw CKError(.internalError, "the changes have no end")
    }
    /// Tells of a zone that went, to the block for its reason.
    private func tell(_ zone: CKDatabase.DatabaseChange.Deletion) {
        let special =
            switch zone.reason {
            case .deleted: recordZoneWithIDWasDeletedBlock
            case .purged: recordZoneWithIDWasPurgedBlock
            case .encryptedDataReset:
                recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock
            }
        (special ?? recordZoneWithIDWasDeletedBlock)?(zone.zoneID)
    }
}
