import Foundation

/// Saves and deletes subscriptions.
///
/// The result block reports success when single ones failed; the older completion block then has
/// `partialFailure`, with the errors by ID.
// Unchecked, as its superclass: apps set it up before they enqueue it.
public final class CKModifySubscriptionsOperation: CKDatabaseOperation, @unchecked Sendable {
    /// Subscriptions to save; ones with the same IDs are replaced.
    public var subscriptionsToSave: [CKSubscription]?
    /// Subscriptions to delete.
    public var subscriptionIDsToDelete: [CKSubscription.ID]?
    /// Called for each subscription to save.
    public var perSubscriptionSaveBlock:
        ((CKSubscription.ID, Result<CKSubscription, any Error>) -> Void)?
    /// Called for each subscription to delete.
    public var perSubscriptionDeleteBlock: ((CKSubscription.ID, Result<Void, any Error>) -> Void)?
    /// Called at the end.
    public var modifySubscriptionsResultBlock: ((Result<Void, any Error>) -> Void)?
    /// Called at the end with what was saved and what deleted. Apple calls it deprecated.
    public var modifySubscriptionsCompletionBlock:
        (([CKSubscription]?, [CKSubscription.ID]?, (any Error)?) -> Void)?

    /// An operation without work yet.
    public override init() {}

    /// An operation that saves some subscriptions and deletes others.
    public convenience init(
        subscriptionsToSave: [CKSubscription]? = nil,
        subscriptionIDsToDelete: [CKSubscription.ID]? = nil
    ) {
        self.init()
        self.subscriptionsToSave = subscriptionsToSave
        self.subscriptionIDsToDelete = subscriptionIDsToDelete
    }

    override func run() async {
        do throws(CKError) {
            let changes = try await target().modify(
                subscriptionsToSave ?? [], subscriptionIDsToDelete ?? [])
            for (id, result) in changes.saved { perSubscriptionSaveBlock?(id, result.erased) }
            for (id, result) in changes.deleted { perSubscriptionDeleteBlock?(id, result.erased) }
            modifySubscriptionsResultBlock?(.success(()))
            modifySubscriptionsCompletionBlock?(
                changes.saved.compactMap { $0.result.value },
                changes.deleted.compactMap { $0.result.failure == nil ? $0.id : nil },
                changes.partialFailure)
        } catch {
            let error = reported(error)
            modifySubscriptionsResultBlock?(.failure(error))
            modifySubscriptionsCompletionBlock?(nil, nil, error)
        }
    }
}
