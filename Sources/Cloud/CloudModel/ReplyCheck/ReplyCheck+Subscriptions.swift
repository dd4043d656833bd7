extension ReplyCheck {
    /// The answer to `subscriptions/list`: subscriptions, and nothing else.
    func checkList(_ items: [Subscription.Item]) throws(Mismatch) {
        guard items.count <= Self.listMax else { throw .tooMany }
        var seen: Set<String> = []
        for item in items {
            switch item {
            case .subscription(let subscription):
                let id = subscription.subscriptionID
                try checkID(id)
                guard seen.insert(id).inserted else { throw .twice }
            case .deleted: throw .tombstone
            case .failure: throw .errorItem
            }
        }
    }

    /// The answer to `subscriptions/lookup`: what is not there fails, and is not a deletion.
    func check(_ items: [Subscription.Item], lookedUp ids: [String]) throws(Mismatch) {
        try checkCount(items.count, ids.count)
        for (item, id) in zip(items, ids) {
            guard item.subscriptionID == id else { throw .notAsked }
            if case .deleted = item { throw .tombstone }
        }
    }

    /// The answer to `subscriptions/modify`.
    func check(
        _ items: [Subscription.Item], _ operations: [Subscription.Operation]
    ) throws(Mismatch) {
        try checkCount(items.count, operations.count)
        for (item, operation) in zip(items, operations) {
            switch (operation, item) {
            case (.create(let sent), .subscription(let saved)),
                (.update(let sent), .subscription(let saved)):
                // An empty identifier leaves the choice to the server.
                try checkID(saved.subscriptionID)
                guard sent.subscriptionID.isEmpty || saved.subscriptionID == sent.subscriptionID
                else { throw .notAsked }
            case (.delete(let id), .deleted(let said)), (.delete(let id), .failure(let said, _)):
                guard said == id else { throw .notAsked }
            case (.create(let sent), .failure(let said, _)),
                (.update(let sent), .failure(let said, _)):
                guard sent.subscriptionID.isEmpty || said == sent.subscriptionID else {
                    throw .notAsked
                }
            case (.create, .deleted), (.update, .deleted), (.delete, .subscription):
                throw .otherOutcome
            }
        }
    }

    private func checkID(_ id: String) throws(Mismatch) {
        guard (1...Self.subscriptionBytesMax).contains(id.utf8.count) else { throw .noName }
    }
}

extension Subscription.Item {
    fileprivate var subscriptionID: String {
        switch self {
        case .subscription(let subscription): subscription.subscriptionID
        case .deleted(let id), .failure(let id, _): id
        }
    }
}
