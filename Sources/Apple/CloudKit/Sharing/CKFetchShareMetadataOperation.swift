public import Foundation

/// Fetches what shares' addresses lead to.
///
/// The result block reports success when single addresses failed; the older completion block then
/// has `partialFailure`, with the errors by address.
// Unchecked, as its superclass: apps set it up before they enqueue it.
public final class CKFetchShareMetadataOperation: CKOperation, @unchecked Sendable {
    /// The addresses.
    public var shareURLs: [URL]?
    /// Whether the roots are fetched, too.
    public var shouldFetchRootRecord = false
    /// The fields of the roots to fetch; nil: all.
    public var rootRecordDesiredKeys: [CKRecord.FieldKey]?
    /// Called for each address.
    public var perShareMetadataResultBlock: ((URL, Result<CKShare.Metadata, any Error>) -> Void)?
    /// Called at the end.
    public var fetchShareMetadataResultBlock: ((Result<Void, any Error>) -> Void)?
    /// Called for each address. Apple calls it deprecated.
    public var perShareMetadataBlock: ((URL, CKShare.Metadata?, (any Error)?) -> Void)?
    /// Called at the end. Apple calls it deprecated.
    public var fetchShareMetadataCompletionBlock: (((any Error)?) -> Void)?

    /// An operation without work yet.
    public override init() {}

    /// An operation that fetches what addresses lead to.
    public convenience init(shareURLs: [URL]) {
        self.init()
        self.shareURLs = shareURLs
    }

    override func run() async {
        do throws(CKError) {
            let found = try await targetContainer().metadatas(
                of: shareURLs ?? [], rootKeys: rootRecordDesiredKeys,
                fetchesRoot: shouldFetchRootRecord)
            for (url, result) in found {
                perShareMetadataResultBlock?(url, result.erased)
                perShareMetadataBlock?(url, result.value, result.failure)
            }
            fetchShareMetadataResultBlock?(.success(()))
            fetchShareMetadataCompletionBlock?(
                CKError.partialFailure(of: found, "fetch some share metadata"))
        } catch {
            let error = reported(error)
            fetchShareMetadataResultBlock?(.failure(error))
            fetchShareMetadataCompletionBlock?(error)
        }
    }
}
