internal import CloudModel
internal import JSON

extension CommandDecoder {
    /// IDs to look up: objects, or bare strings as OpenCloudKit sends them.
    func subscriptionLookups(_ root: JSONValue) throws(ShapeError) -> [String] {
        var names: [String] = []
        for item in try items("subscriptions", in: root, max: WireLimits.lookupsMax) {
            if let name = item.string {
                names.append(name)
            } else {
                names.append(try subscriptionID(try item.object()))
            }
        }
        return names
    }

    func subscriptionOperations(
        _ root: JSONValue
    ) throws(ShapeError) -> [Subscription.Operation] {
        let items = try items("operations", in: root)
        var operations: [Subscription.Operation] = []
        var seen: Set<String> = []
        for item in items {
            let operation = try subscriptionOperation(try item.object())
            if let id = operation.subscriptionID, !seen.insert(id).inserted {
                throw ShapeError(reason: "'\(item.path)': a second operation on one subscription")
            }
            operations.append(operation)
        }
        return operations
    }

    private func subscriptionOperation(
        _ object: JSONValue
    ) throws(ShapeError) -> Subscription.Operation {
        let type = try object.required("operationType")
        let value = try object.required("subscription").object()
        if type.isString("delete") { return .delete(try subscriptionID(value)) }
        let reader = SubscriptionReader(queries: queries)
        if type.isString("create") { return .create(try reader.subscription(value)) }
        guard type.isString("update") else {
            throw .wrong(type, expected: "create, update or delete")
        }
        _ = try subscriptionID(value)
        return .update(try reader.subscription(value))
    }

    private func subscriptionID(_ object: JSONValue) throws(ShapeError) -> String {
        guard let id = try object.filledText("subscriptionID") else {
            throw .missing("subscriptionID", in: object)
        }
        return id
    }
}

extension Subscription.Operation {
    /// The ID of the subscription that is meant; nil when the server is to choose one.
    var subscriptionID: String? {
        switch self {
        case .create(let subscription):
            subscription.subscriptionID.isEmpty ? nil : subscription.subscriptionID
        case .update(let subscription): subscription.subscriptionID
        case .delete(let id): id
        }
    }
}
