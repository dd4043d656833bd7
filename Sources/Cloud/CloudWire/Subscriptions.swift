internal import CloudModel
internal import JSON

/// Reads subscription dictionaries.
struct SubscriptionReader {
    var queries = QueryReader()
    /// Whether what cannot be read is left out instead of refused: for answers, where an odd
    /// subscription must still be listed to be deleted.
    var keepsOddities = false

    func subscription(_ value: JSONValue) throws(ShapeError) -> Subscription {
        let object = try value.object()
        var subscription = Subscription(
            subscriptionID: try object.text("subscriptionID") ?? "", kind: try kind(object))
        do throws(ShapeError) {
            subscription.query = try object.optional("query").map(queries.query)
            subscription.zoneID = try object.optional("zoneID").map(RecordZone.ID.init(_:))
            try readOptions(object, into: &subscription)
        } catch {
            guard keepsOddities else { throw error }
        }
        return subscription
    }

    private func readOptions(
        _ object: JSONValue, into subscription: inout Subscription
    ) throws(ShapeError) {
        if subscription.kind == .query, subscription.query == nil {
            throw .missing("query", in: object)
        }
        if subscription.kind == .zone, subscription.zoneID == nil {
            throw .missing("zoneID", in: object)
        }
        subscription.zoneWide = try object.flag("zoneWide") ?? true
        subscription.firesOnce = try object.flag("firesOnce") ?? false
        if let names = try object.list("firesOn") {
            for name in names {
                guard let event = Subscription.Event(rawValue: try name.text().lowercased()) else {
                    throw .wrong(name, expected: "create, update or delete")
                }
                subscription.firesOn.append(event)
            }
        }
        subscription.notificationInfo = try object.optional("notificationInfo").map(notification)
    }

    private func kind(_ object: JSONValue) throws(ShapeError) -> Subscription.Kind {
        guard let name = try object.filledText("subscriptionType") else {
            if object.optional("query") != nil { return .query }
            if object.optional("zoneID") != nil { return .zone }
            if keepsOddities { return .database }
            throw .missing("subscriptionType", in: object)
        }
        guard let kind = Subscription.Kind(rawValue: name.lowercased()) else {
            if keepsOddities { return .database }
            throw .wrong(
                try object.required("subscriptionType"), expected: "query, zone or database")
        }
        return kind
    }

    private func notification(
        _ value: JSONValue
    ) throws(ShapeError) -> Subscription.NotificationInfo {
        let object = try value.object()
        var info = Subscription.NotificationInfo()
        for (name, path) in Subscription.NotificationInfo.texts {
            info[keyPath: path] = try object.text(name)
        }
        for (name, path) in Subscription.NotificationInfo.lists {
            info[keyPath: path] = try object.texts(name)
        }
        for (name, path) in Subscription.NotificationInfo.flags {
            info[keyPath: path] = try object.flag(name)
        }
        return info
    }
}

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
        if type.isString("delete") {
            // To delete one its ID is enough, in whatever wrapping.
            let value = object.optional("subscription") ?? object
            if let id = value.string, !id.isEmpty { return .delete(id) }
            return .delete(try subscriptionID(try value.object()))
        }
        let value = try object.required("subscription").object()
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

extension JSONWriter {
    mutating func subscriptionOperation(_ operation: Subscription.Operation) {
        beginObject()
        switch operation {
        case .create: member("operationType", "create")
        case .update: member("operationType", "update")
        case .delete: member("operationType", "delete")
        }
        key("subscription")
        switch operation {
        case .create(let subscription), .update(let subscription): self.subscription(subscription)
        case .delete(let id): object { $0.member("subscriptionID", id) }
        }
        endObject()
    }

    /// A subscription dictionary.
    ///
    /// - Parameter caller: In answers, who stands for a zone owner of nil; nil in requests.
    mutating func subscription(_ subscription: Subscription, caller: String? = nil) {
        beginObject()
        if !subscription.subscriptionID.isEmpty {
            member("subscriptionID", subscription.subscriptionID)
        }
        member("subscriptionType", subscription.kind.rawValue)
        query(subscription.query)
        zoneID(subscription.zoneID, caller: caller)
        member("firesOn", subscription.firesOn.map(\.rawValue))
        member("firesOnce", subscription.firesOnce)
        member("zoneWide", subscription.zoneWide)
        if let info = subscription.notificationInfo {
            object("notificationInfo") { json in
                for (name, path) in Subscription.NotificationInfo.texts {
                    json.member(name, info[keyPath: path])
                }
                for (name, path) in Subscription.NotificationInfo.lists {
                    json.member(name, info[keyPath: path])
                }
                for (name, path) in Subscription.NotificationInfo.flags {
                    json.member(name, info[keyPath: path])
                }
            }
        }
        endObject()
    }
}

extension Subscription.NotificationInfo {
    /// The members of a notification's dictionary, for reading and writing.
    fileprivate static var texts: [(name: String, path: WritableKeyPath<Self, String?>)] {
        [
            ("alertBody", \.alertBody), ("alertLocalizationKey", \.alertLocalizationKey),
            ("alertActionLocalizationKey", \.alertActionLocalizationKey),
            ("alertLaunchImage", \.alertLaunchImage), ("soundName", \.soundName),
            ("category", \.category),
        ]
    }
    fileprivate static var lists: [(name: String, path: WritableKeyPath<Self, [String]?>)] {
        [
            ("alertLocalizationArgs", \.alertLocalizationArgs),
            ("additionalFields", \.additionalFields),
        ]
    }
    fileprivate static var flags: [(name: String, path: WritableKeyPath<Self, Bool?>)] {
        [
            ("shouldBadge", \.shouldBadge),
            ("shouldSendContentAvailable", \.shouldSendContentAvailable),
        ]
    }
}

extension Subscription.NotificationInfo {
    /// Its members, for the document of operations.
    static var shape: [Shape.Member] {
        texts.map { .text($0.name) } + lists.map { .list($0.name, of: .text) }
            + flags.map { .flag($0.name) }
    }
}

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

extension JSONWriter {
    mutating func subscriptions(_ items: [Subscription.Item], _ form: ReplyForm) {
        array("subscriptions", items) { json, item in
            switch item {
            case .subscription(let subscription):
                json.subscription(subscription, caller: form.caller)
            case .deleted(let id):
                json.object { json in
                    json.member("subscriptionID", id)
                    json.member("deleted", true)
                }
            case .failure(let id, let error):
                json.object { json in
                    json.member("subscriptionID", id)
                    json.error(error, form)
                }
            }
        }
    }
}
