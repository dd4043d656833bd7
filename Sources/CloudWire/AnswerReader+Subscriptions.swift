internal import CloudModel
internal import JSON

extension AnswerReader {
    private var reader: SubscriptionReader {
        SubscriptionReader(queries: QueryReader(fields: fields), keepsOddities: true)
    }

    func subscriptionList() throws(ShapeError) -> CloudReply? {
        guard let items = try items("subscriptions") else { return nil }
        var subscriptions: [Subscription.Item] = []
        for item in items { subscriptions.append(try subscriptionItem(item, id: nil)) }
        return .subscriptions(subscriptions)
    }

    func subscriptionLookup(_ ids: [String]) throws(ShapeError) -> CloudReply? {
        guard let items = try subscriptionItems(for: ids) else { return nil }
        var subscriptions: [Subscription.Item] = []
        for (item, id) in zip(items, ids) {
            subscriptions.append(try subscriptionItem(item, id: id))
        }
        return .subscriptions(subscriptions)
    }

    /// The service answers a deletion with the dictionary: no error means deleted.
    func subscriptionModify(
        _ operations: [Subscription.Operation]
    ) throws(ShapeError) -> CloudReply? {
        guard let items = try subscriptionItems(for: operations.map(\.subscriptionID)) else {
            return nil
        }
        var subscriptions: [Subscription.Item] = []
        for (item, operation) in zip(items, operations) {
            if case .delete(let id) = operation {
                let error = errors.error(in: item)
                subscriptions.append(error.map { .failure(id, $0) } ?? .deleted(id))
            } else {
                subscriptions.append(try subscriptionItem(item, id: operation.subscriptionID))
            }
        }
        return .subscriptions(subscriptions)
    }

    private func subscriptionItems(for ids: [String?]) throws(ShapeError) -> [JSONValue]? {
        let asked = ids.map { id in id.map { Subject(name: $0) } }
        return try items("subscriptions", for: asked) { item throws(ShapeError) in
            try item.text("subscriptionID").map { Subject(name: $0) }
        }
    }

    private func subscriptionItem(
        _ item: JSONValue, id: String?
    ) throws(ShapeError) -> Subscription.Item {
        let said = try item.filledText("subscriptionID") ?? id
        if let error = errors.error(in: item) { return .failure(said ?? "", error) }
        if try item.flag("deleted") == true {
            guard let said else { throw .missing("subscriptionID", in: item) }
            return .deleted(said)
        }
        var subscription = try reader.subscription(item)
        guard let said else { throw .missing("subscriptionID", in: item) }
        subscription.subscriptionID = said
        return .subscription(subscription)
    }
}
