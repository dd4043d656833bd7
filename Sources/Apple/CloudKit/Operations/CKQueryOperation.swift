import CloudModel
import Foundation

/// Looks for records: one page, and a cursor for the next.
// Unchecked, as its superclass: apps set it up before they enqueue it.
public final class CKQueryOperation: CKDatabaseOperation, @unchecked Sendable {
    /// As many results in a page as the server gives.
    public static let maximumResults = 0

    /// What to look for.
    public var query: CKQuery?
    /// Where to go on, instead of a query.
    public var cursor: CKQueryOperation.Cursor?
    /// Where to look; nil: in all zones.
    public var zoneID: CKRecordZone.ID?
    /// How many results a page has at most.
    public var resultsLimit = CKQueryOperation.maximumResults
    /// The fields to fetch; nil: all.
    public var desiredKeys: [CKRecord.FieldKey]?
    /// Called for each record.
    public var recordMatchedBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?
    /// Called at the end, with a cursor when there is more.
    public var queryResultBlock: ((Result<CKQueryOperation.Cursor?, any Error>) -> Void)?
    /// Called for each record. Apple calls it deprecated.
    public var recordFetchedBlock: ((CKRecord) -> Void)?
    /// Called at the end. Apple calls it deprecated.
    public var queryCompletionBlock: ((CKQueryOperation.Cursor?, (any Error)?) -> Void)?

    /// An operation without work yet.
    public override init() {}

    /// An operation that looks for what a query says.
    public convenience init(query: CKQuery) {
        self.init()
        self.query = query
    }

    /// An operation that goes on where another one ended.
    public convenience init(cursor: CKQueryOperation.Cursor) {
        self.init()
        self.cursor = cursor
    }

    override func run() async {
        do throws(CKError) {
            let database = try target()
            let request: RecordQueryRequest
            if let cursor {
                request = cursor.request
            } else if let query {
                request = try database.request(query, zoneID)
            } else {
                throw CKError(.invalidArguments, "the operation has neither query nor cursor")
            }
            let page = try await database.page(request, desiredKeys, resultsLimit)
            for (id, result) in page.found {
                recordMatchedBlock?(id, result.erased)
                if let record = result.value { recordFetchedBlock?(record) }
            }
            queryResultBlock?(.success(page.cursor))
            queryCompletionBlock?(page.cursor, nil)
        } catch {
            let error = reported(error)
            queryResultBlock?(.failure(error))
            queryCompletionBlock?(nil, error)
        }
    }
}
