import Foundation

/// Fetches subscriptions, all or by ID.
// Unchecked, as its superclass: apps set it up before they enqueue it.
public final class CKFetchSubscriptionsOperation: CKDatabaseOperation, @unchecked Sendable {
    /// Which subscriptions; nil: all of the database.
    public var subscriptionIDs: [CKSubscription.ID]?
    /// Called for each subscription.
    public var perSubscriptionResultBlock:
        ((CKSubscription.ID, Result<CKSubscription, any Error>) -> Void)?
    /// Called at the end; success even when single ones failed.
    public var fetchSubscriptionsResultBlock: ((Result<Void, any Error>) -> Void)?
    /// Called at the end with the subscriptions by ID. Apple calls it deprecated.
    public var fetchSubscriptionCompletionBlock:
        (([CKSubscription.ID: CKSubscription]?, (any Error)?) -> Void)?

    /// An operation that fetches all subscriptions.
    public override init() {}

    /// An operation that fetches the subscriptions of some IDs.
    public convenience init(subscriptionIDs: [CKSubscription.ID]) {
        self.init()
        self.subscriptionIDs = subscriptionIDs
    }

    /// An operation that fetches all subscriptions of the user in a database.
    public class func fetchAllSubscriptionsOperation() -> CKFetchSubscriptionsOperation {
        CKFetchSubscriptionsOperation()
    }

    override func run() async {
        do throws(CKError) {
            let found = try await target().subscriptions(subscriptionIDs)
            for (id, result) in found { perSubscriptionResultBlock?(id, result.erased) }
            fetchSubscriptionsResultBlock?(.success(()))
            let subscriptions = found.compactMap { $0.result.value }
            fetchSubscriptionCompletionBlock?(
                Dictionary(subscriptions.map { ($0.subscriptionID, $0) }) { $1 },
                CKError.partialFailure(of: found, "fetch some subscriptions"))
        } catch {
            let error = reported(error)
            fetchSubscriptionsResultBlock?(.failure(error))
            fetchSubscriptionCompletionBlock?(nil, error)
        }
    }
}
