internal import CloudModel
internal import JSON

extension AnswerReader {
    private var reader: SubscriptionReader {
        SubscriptionReader(queries: QueryReader(fields: fields), keepsOddities: true)
    }

    func subscriptionList() throws(ShapeError) -> CloudReply? {
        guard let items = try items("subscriptions", max: ReplyCheck.listMax) else { return nil }
        try checkIsWhole()
        var subscriptions: [Subscription.Item] = []
        for item in items { subscriptions.append(try subscriptionItem(item)) }
        return .subscriptions(subscriptions)
    }

    func subscriptionLookup(_ ids: [String]) throws(ShapeError) -> CloudReply? {
        guard let items = try subscriptionItems(for: ids) else { return nil }
        var subscriptions: [Subscription.Item] = []
        for item in items { subscriptions.append(try subscriptionItem(item)) }
        return .subscriptions(subscriptions)
    }

    /// The service answers a deletion with the dictionary: neither an error nor `deleted: false`
    /// means deleted.
    func subscriptionModify(
        _ operations: [Subscription.Operation]
    ) throws(ShapeError) -> CloudReply? {
        guard let items = try subscriptionItems(for: operations.map(\.subscriptionID)) else {
            return nil
        }
        var subscriptions: [Subscription.Item] = []
        for (item, operation) in zip(items, operations) {
            if case .delete = operation {
                subscriptions.append(try deletedItem(item))
                continue
            }
            let read = try subscriptionItem(item, mayBeNameless: operation.subscriptionID == nil)
            if case .deleted(let id) = read {
                subscriptions.append(.failure(id, Self.notConfirmed))
            } else {
                subscriptions.append(read)
            }
        }
        return .subscriptions(subscriptions)
    }

    private func deletedItem(_ item: JSONValue) throws(ShapeError) -> Subscription.Item {
        guard let id = try item.filledText("subscriptionID") else {
            throw .missing("subscriptionID", in: item)
        }
        if let error = errors.error(in: item) { return .failure(id, error) }
        if try item.flag("deleted") == false { return .failure(id, Self.notConfirmed) }
        return .deleted(id)
    }

    private func subscriptionItems(for ids: [String?]) throws(ShapeError) -> [JSONValue]? {
        let asked = ids.map { id in id.map { Subject(name: $0) } }
        return try items("subscriptions", for: asked) { item throws(ShapeError) in
            try item.text("subscriptionID").map { Subject(name: $0) }
        }
    }

    /// One item: an error, a deletion or a subscription.
    ///
    /// - Parameter mayBeNameless: Whether a failure may leave out the name: nobody has chosen one.
    private func subscriptionItem(
        _ item: JSONValue, mayBeNameless: Bool = false
    ) throws(ShapeError) -> Subscription.Item {
        let said = try item.filledText("subscriptionID")
        if let error = errors.error(in: item), said != nil || mayBeNameless {
            return .failure(said ?? "", error)
        }
        guard let said else { throw .missing("subscriptionID", in: item) }
        if try item.flag("deleted") == true { return .deleted(said) }
        var subscription = try reader.subscription(item)
        subscription.subscriptionID = said
        return .subscription(subscription)
    }
}
