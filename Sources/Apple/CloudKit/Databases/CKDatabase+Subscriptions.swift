import CloudModel
import Foundation

/// What became of subscriptions to save and to delete.
struct SubscriptionChanges: Sendable {
    var saved: ItemResults<CKSubscription.ID, CKSubscription> = []
    var deleted: ItemResults<CKSubscription.ID, Void> = []

    /// What the failures add up to; nil without any.
    var partialFailure: CKError? {
        var errors: [AnyHashable: any Error] = [:]
        for item in saved { errors[AnyHashable(item.id)] = item.result.failure }
        for item in deleted { errors[AnyHashable(item.id)] = item.result.failure }
        return errors.isEmpty ? nil : .partialFailure(errors, "modify some subscriptions")
    }
}

// What the methods and the operations about subscriptions have in common.
extension CKDatabase {
    /// The subscriptions of some IDs, or all.
    func subscriptions(
        _ ids: [CKSubscription.ID]?
    ) async throws(CKError) -> ItemResults<CKSubscription.ID, CKSubscription> {
        let items = try await ask { database throws(CloudError) in
            guard let ids else { return try await database.subscriptions() }
            let request = CloudRead.lookUpSubscriptions(ids)
            guard case .subscriptions(let items) = try await database.read(request) else {
                throw .wrongReply(to: request)
            }
            return items
        }
        return items.enumerated().map { index, item in
            switch item {
            case .subscription(let found):
                return (found.subscriptionID, .success(.native(found, in: databaseScope)))
            case .deleted(let id):
                return (id, .failure(CKError(.unknownItem, "the subscription was deleted")))
            case .failure(let id, let error):
                let asked = ids.map { index < $0.count ? $0[index] : id }
                return (asked ?? id, .failure(itemError(error)))
            }
        }
    }

    /// Saves and deletes subscriptions, item by item. One that exists is replaced.
    func modify(
        _ subscriptions: [CKSubscription], _ deletions: [CKSubscription.ID]
    ) async throws(CKError) -> SubscriptionChanges {
        guard subscriptions.count + deletions.count <= Self.itemsPerRequest else {
            throw CKError(
                .limitExceeded, "more than \(Self.itemsPerRequest) subscriptions in one operation")
        }
        let ids = subscriptions.map { $0.subscriptionID }
        try Self.checkOnce(ids + deletions, "a subscription")
        // The web services tell creating from changing.
        var known: Set<String> = []
        if !ids.isEmpty {
            for (id, result) in try await self.subscriptions(ids) where result.failure == nil {
                known.insert(id)
            }
        }
        var operations: [Subscription.Operation] = []
        for subscription in subscriptions {
            let model = try subscription.model()
            operations.append(
                known.contains(subscription.subscriptionID) ? .update(model) : .create(model))
        }
        operations += deletions.map { .delete($0) }
        let sent = operations
        let items = try await ask { database throws(CloudError) in
            try await database.modifySubscriptions(sent)
        }
        guard items.count == sent.count else {
            throw CKError(.internalError, "the response is for other subscriptions")
        }
        var changes = SubscriptionChanges()
        for (index, item) in items.enumerated() {
            if index < subscriptions.count {
                let result: Result<CKSubscription, CKError> =
                    switch item {
                    case .subscription(let saved): .success(.native(saved, in: databaseScope))
                    case .deleted: .failure(Self.noAnswer)
                    case .failure(_, let error): .failure(itemError(error))
                    }
                changes.saved.append((ids[index], result))
            } else {
                var result: Result<Void, CKError> = .success(())
                if case .failure(_, let error) = item { result = .failure(itemError(error)) }
                changes.deleted.append((deletions[index - subscriptions.count], result))
            }
        }
        return changes
    }
}

// Subscriptions, with `async`
extension CKDatabase {
    /// All subscriptions of the user in the database.
    public func allSubscriptions() async throws -> [CKSubscription] {
        try await subscriptions(nil).compactMap { $0.result.value }
    }

    /// A subscription.
    public func subscription(
        for subscriptionID: CKSubscription.ID
    ) async throws -> CKSubscription {
        guard let found = try await subscriptions([subscriptionID]).first else {
            throw Self.noAnswer
        }
        return try found.result.get()
    }

    /// Subscriptions by ID; each has a result of its own.
    public func subscriptions(
        for ids: [CKSubscription.ID]
    ) async throws -> [CKSubscription.ID: Result<CKSubscription, any Error>] {
        byID(try await subscriptions(ids))
    }

    /// Saves a subscription; one with the same ID is replaced.
    @discardableResult
    public func save(_ subscription: CKSubscription) async throws -> CKSubscription {
        guard let saved = try await modify([subscription], []).saved.first else {
            throw Self.noAnswer
        }
        return try saved.result.get()
    }

    /// Deletes a subscription.
    @discardableResult
    public func deleteSubscription(
        withID subscriptionID: CKSubscription.ID
    ) async throws -> CKSubscription.ID {
        guard let deleted = try await modify([CKSubscription](), [subscriptionID]).deleted.first
        else { throw Self.noAnswer }
        try deleted.result.get()
        return subscriptionID
    }

    /// Saves and deletes subscriptions; each has a result of its own.
    @discardableResult
    public func modifySubscriptions(
        saving subscriptionsToSave: [CKSubscription],
        deleting subscriptionIDsToDelete: [CKSubscription.ID]
    ) async throws -> (
        saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
        deleteResults: [CKSubscription.ID: Result<Void, any Error>]
    ) {
        let changes = try await modify(subscriptionsToSave, subscriptionIDsToDelete)
        return (byID(changes.saved), byID(changes.deleted))
    }
}

// Subscriptions, with completion handlers
extension CKDatabase {
    /// All subscriptions of the user in the database.
    @preconcurrency public func fetchAllSubscriptions(
        completionHandler: @escaping @Sendable ([CKSubscription]?, (any Error)?) -> Void
    ) {
        enqueue(completionHandler) { try await $0.allSubscriptions() }
    }

    /// A subscription.
    @preconcurrency public func fetch(
        withSubscriptionID subscriptionID: CKSubscription.ID,
        completionHandler: @escaping @Sendable (CKSubscription?, (any Error)?) -> Void
    ) {
        enqueue(completionHandler) { try await $0.subscription(for: subscriptionID) }
    }

    /// Subscriptions by ID; each has a result of its own.
    @preconcurrency public func fetch(
        withSubscriptionIDs subscriptionIDs: [CKSubscription.ID],
        completionHandler:
            @escaping @Sendable (
                Result<[CKSubscription.ID: Result<CKSubscription, any Error>], any Error>
            ) -> Void
    ) {
        enqueueResult(completionHandler) { try await $0.subscriptions(for: subscriptionIDs) }
    }

    /// Saves a subscription; one with the same ID is replaced.
    @preconcurrency public func save(
        _ subscription: CKSubscription,
        completionHandler: @escaping @Sendable (CKSubscription?, (any Error)?) -> Void
    ) {
        enqueue(completionHandler) { try await $0.save(subscription) }
    }

    /// Deletes a subscription.
    @preconcurrency public func delete(
        withSubscriptionID subscriptionID: CKSubscription.ID,
        completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void
    ) {
        enqueue(completionHandler) { try await $0.deleteSubscription(withID: subscriptionID) }
    }

    /// Saves and deletes subscriptions; each has a result of its own.
    @preconcurrency public func modifySubscriptions(
        saving subscriptionsToSave: [CKSubscription],
        deleting subscriptionIDsToDelete: [CKSubscription.ID],
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
                        deleteResults: [CKSubscription.ID: Result<Void, any Error>]
                    ), any Error
                >
            ) -> Void
    ) {
        enqueueResult(completionHandler) {
            try await $0.modifySubscriptions(
                saving: subscriptionsToSave, deleting: subscriptionIDsToDelete)
        }
    }
}
