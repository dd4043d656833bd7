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
        info.alertBody = try object.text("alertBody")
        info.alertLocalizationKey = try object.text("alertLocalizationKey")
        info.alertLocalizationArgs = try object.texts("alertLocalizationArgs")
        info.alertActionLocalizationKey = try object.text("alertActionLocalizationKey")
        info.alertLaunchImage = try object.text("alertLaunchImage")
        info.soundName = try object.text("soundName")
        info.shouldBadge = try object.flag("shouldBadge")
        info.shouldSendContentAvailable = try object.flag("shouldSendContentAvailable")
        info.additionalFields = try object.texts("additionalFields")
        info.category = try object.text("category")
        return info
    }
}
