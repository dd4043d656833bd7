import CloudModel
public import Foundation

/// Fetches which records of some zones changed since a token.
///
/// Keep a token together with what came before it; after an error go on from the last one.
// Unchecked, as its superclass: apps set it up before they enqueue it.
public final class CKFetchRecordZoneChangesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// Where a zone's changes begin, and what of them is wanted.
    // Unchecked: apps set it up before they enqueue the operation.
    public final class ZoneConfiguration: NSObject, NSCopying, @unchecked Sendable {
        /// Where to begin; nil: from the beginning.
        public var previousServerChangeToken: CKServerChangeToken?
        /// How many records a page has at most; 0: as many as the server gives.
        public var resultsLimit: Int
        /// The fields to fetch; nil: all.
        public var desiredKeys: [CKRecord.FieldKey]?

        /// From a token on.
        public init(
            previousServerChangeToken: CKServerChangeToken? = nil, resultsLimit: Int? = nil,
            desiredKeys: [CKRecord.FieldKey]? = nil
        ) {
            self.previousServerChangeToken = previousServerChangeToken
            self.resultsLimit = resultsLimit ?? 0
            self.desiredKeys = desiredKeys
        }

        /// Another object with the same settings.
        public func copy(with zone: NSZone? = nil) -> Any {
            ZoneConfiguration(
                previousServerChangeToken: previousServerChangeToken, resultsLimit: resultsLimit,
                desiredKeys: desiredKeys)
        }
    }

    /// The older name of ``ZoneConfiguration``.
    public typealias ZoneOptions = ZoneConfiguration

    /// Which zones.
    public var recordZoneIDs: [CKRecordZone.ID]?
    /// Where each zone's changes begin; zones left out begin at the beginning.
    public var configurationsByRecordZoneID: [CKRecordZone.ID: ZoneConfiguration]?
    /// The older name of ``configurationsByRecordZoneID``.
    public var optionsByRecordZoneID: [CKRecordZone.ID: ZoneOptions]? {
        get { configurationsByRecordZoneID }
        set { configurationsByRecordZoneID = newValue }
    }
    /// Whether to go on until there is nothing more.
    public var fetchAllChanges = true
    /// Called for each record that is new or changed.
    public var recordWasChangedBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?
    /// Called for each record that is new or changed. Apple calls it deprecated.
    public var recordChangedBlock: ((CKRecord) -> Void)?
    /// Called for each record that went; the web services do not tell its type, which is empty.
    public var recordWithIDWasDeletedBlock: ((CKRecord.ID, CKRecord.RecordType) -> Void)?
    /// Called after each page of a zone but the last, with the token to keep.
    public var recordZoneChangeTokensUpdatedBlock:
        ((CKRecordZone.ID, CKServerChangeToken?, Data?) -> Void)?
    /// Called at the end of each zone.
    public var recordZoneFetchResultBlock:
        (
            (
                CKRecordZone.ID,
                Result<
                    (
                        serverChangeToken: CKServerChangeToken, clientChangeTokenData: Data?,
                        moreComing: Bool
                    ), any Error
                >
            ) -> Void
        )?
    /// Called at the end of each zone. Apple calls it deprecated.
    public var recordZoneFetchCompletionBlock:
        ((CKRecordZone.ID, CKServerChangeToken?, Data?, Bool, (any Error)?) -> Void)?
    /// Called at the end; success even when single zones failed.
    public var fetchRecordZoneChangesResultBlock: ((Result<Void, any Error>) -> Void)?
    /// Called at the end. Apple calls it deprecated.
    public var fetchRecordZoneChangesCompletionBlock: (((any Error)?) -> Void)?

    /// An operation without work yet.
    public override init() {}

    /// An operation that fetches the changes of some zones.
    public convenience init(
        recordZoneIDs: [CKRecordZone.ID]? = nil,
        configurationsByRecordZoneID: [CKRecordZone.ID: ZoneConfiguration]? = nil
    ) {
        self.init()
        self.recordZoneIDs = recordZoneIDs
        self.configurationsByRecordZoneID = configurationsByRecordZoneID
    }

    /// An operation that fetches the changes of some zones. Apple calls it deprecated.
    public convenience init(
        recordZoneIDs: [CKRecordZone.ID], optionsByRecordZoneID: [CKRecordZone.ID: ZoneOptions]?
    ) {
        self.init(
            recordZoneIDs: recordZoneIDs, configurationsByRecordZoneID: optionsByRecordZoneID)
    }

    override func run() async {
        var errors: [AnyHashable: any Error] = [:]
        do throws(CKError) {
            try await fetch(&errors)
            fetchRecordZoneChangesResultBlock?(.success(()))
            fetchRecordZoneChangesCompletionBlock?(
                errors.isEmpty ? nil : .some(CKError.partialFailure(errors, "fetch some changes")))
        } catch {
            let error = reported(error)
            fetchRecordZoneChangesResultBlock?(.failure(error))
            fetchRecordZoneChangesCompletionBlock?(error)
        }
    }

    private func fetch(_ errors: inout [AnyHashable: any Error]) async throws(CKError) {
        let zones = recordZoneIDs ?? configurationsByRecordZoneID.map { Array($0.keys) } ?? []
        var requests = zones.map { zoneID in
            let configuration = configurationsByRecordZoneID?[zoneID]
            return ZoneChangesRequest(
                zoneID: zoneID.model, token: configuration?.previousServerChangeToken?.model,
                limit: CKDatabase.limit(configuration?.resultsLimit),
                desiredKeys: configuration?.desiredKeys)
        }
        for _ in 0..<CKDatabase.pagesMax {
            if requests.isEmpty { return }
            let pages = try await target().changes(requests)
            var next: [ZoneChangesRequest] = []
            for (request, (zoneID, result)) in zip(requests, pages) {
                switch result {
                case .failure(let error):
                    errors[AnyHashable(zoneID)] = error
                    recordZoneFetchResultBlock?(zoneID, .failure(error))
                    recordZoneFetchCompletionBlock?(zoneID, nil, nil, false, error)
                case .success(let page):
                    guard tell(page, of: zoneID) else { continue }
                    var request = request
                    request.token = page.token.model
                    next.append(request)
                }
            }
            requests = next
        }
        throw CKError(.internalError, "the changes have no end")
    }

    /// Tells a page to the blocks.
    ///
    /// - Returns: Whether to go on with the zone.
    private func tell(_ page: ZonePageOfChanges, of zoneID: CKRecordZone.ID) -> Bool {
        for (id, result) in page.changed {
            recordWasChangedBlock?(id, result.erased)
            if let record = result.value { recordChangedBlock?(record) }
        }
        for id in page.deleted { recordWithIDWasDeletedBlock?(id, "") }
        if page.moreComing, fetchAllChanges {
            recordZoneChangeTokensUpdatedBlock?(zoneID, page.token, nil)
            return true
        }
        recordZoneFetchResultBlock?(zoneID, .success((page.token, nil, page.moreComing)))
        recordZoneFetchCompletionBlock?(zoneID, page.token, nil, page.moreComing, nil)
        return false
    }
}
