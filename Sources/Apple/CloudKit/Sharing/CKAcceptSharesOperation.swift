import Foundation

/// Accepts shares: their zones then are in the shared database.
///
/// The result block reports success when single shares failed; the older completion block then
/// has `partialFailure`, with the errors by metadata.
// Unchecked, as its superclass: apps set it up before they enqueue it.
public final class CKAcceptSharesOperation: CKOperation, @unchecked Sendable {
    /// What the shares' addresses lead to.
    public var shareMetadatas: [CKShare.Metadata]?
    /// Called for each share.
    public var perShareResultBlock: ((CKShare.Metadata, Result<CKShare, any Error>) -> Void)?
    /// Called at the end.
    public var acceptSharesResultBlock: ((Result<Void, any Error>) -> Void)?
    /// Called for each share. Apple calls it deprecated.
    public var perShareCompletionBlock: ((CKShare.Metadata, CKShare?, (any Error)?) -> Void)?
    /// Called at the end. Apple calls it deprecated.
    public var acceptSharesCompletionBlock: (((any Error)?) -> Void)?

    /// An operation without work yet.
    public override init() {}

    /// An operation that accepts some shares.
    public convenience init(shareMetadatas: [CKShare.Metadata]) {
        self.init()
        self.shareMetadatas = shareMetadatas
    }

    override func run() async {
        do throws(CKError) {
            let found = try await targetContainer().accepted(shareMetadatas ?? [])
            for (metadata, result) in found {
                perShareResultBlock?(metadata, result.erased)
                perShareCompletionBlock?(metadata, result.value, result.failure)
            }
            acceptSharesResultBlock?(.success(()))
            acceptSharesCompletionBlock?(CKError.partialFailure(of: found, "accept some shares"))
        } catch {
            let error = reported(error)
            acceptSharesResultBlock?(.failure(error))
            acceptSharesCompletionBlock?(error)
        }
    }
}
