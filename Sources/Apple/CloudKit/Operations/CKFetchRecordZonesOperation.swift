import Foundation

/// Fetches zones, all or by ID.
// Unchecked, as its superclass: apps set it up before they enqueue it.
public final class CKFetchRecordZonesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// Which zones; nil: all of the database.
    public var recordZoneIDs: [CKRecordZone.ID]?
    /// Called for each zone.
    public var perRecordZoneResultBlock:
        ((CKRecordZone.ID, Result<CKRecordZone, any Error>) -> Void)?
    /// Called at the end; success even when single zones failed.
    public var fetchRecordZonesResultBlock: ((Result<Void, any Error>) -> Void)?
    /// Called at the end with the zones by ID. Apple calls it deprecated.
    public var fetchRecordZonesCompletionBlock:
        (([CKRecordZone.ID: CKRecordZone]?, (any Error)?) -> Void)?

    /// An operation that fetches all zones.
    public override init() {}

    /// An operation that fetches the zones of some IDs.
    public convenience init(recordZoneIDs: [CKRecordZone.ID]) {
        self.init()
        self.recordZoneIDs = recordZoneIDs
    }

    /// An operation that fetches all zones of a database.
    public class func fetchAllRecordZonesOperation() -> CKFetchRecordZonesOperation {
        CKFetchRecordZonesOperation()
    }

    override func run() async {
        do throws(CKError) {
            let found = try await target().zones(recordZoneIDs)
            for (id, result) in found { perRecordZoneResultBlock?(id, result.erased) }
            fetchRecordZonesResultBlock?(.success(()))
            let zones = found.compactMap { $0.result.value }
            fetchRecordZonesCompletionBlock?(
                Dictionary(zones.map { ($0.zoneID, $0) }) { $1 },
                CKError.partialFailure(of: found, "fetch some record zones"))
        } catch {
            let error = reported(error)
            fetchRecordZonesResultBlock?(.failure(error))
            fetchRecordZonesCompletionBlock?(nil, error)
        }
    }
}
