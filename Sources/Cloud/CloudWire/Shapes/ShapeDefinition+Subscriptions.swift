import CloudModel

extension ShapeDefinition {
    static let subscriptions: [ShapeDefinition] = [
        ShapeDefinition("NotificationInfo", Subscription.NotificationInfo.shape),
        ShapeDefinition(
            "Subscription",
            [
                .text("subscriptionID"),
                Shape.Member("subscriptionType", .choice(of: Subscription.Kind.self)).required,
                .named("query", "Query"), .named("zoneID", "ZoneID"),
                Shape.Member("firesOn", .list(.choice(of: Subscription.Event.self), max: nil)),
                .flag("firesOnce"), .flag("zoneWide"),
                .named("notificationInfo", "NotificationInfo"),
            ]),
        ShapeDefinition("DeletedSubscription", [.text("subscriptionID").required, isDeleted]),
        failure("SubscriptionError", [.text("subscriptionID")]),
        ShapeDefinition(
            "Subscriptions",
            [
                .list(
                    "subscriptions",
                    of: .oneOf(["Subscription", "DeletedSubscription", "SubscriptionError"])
                ).required
            ]),
        ShapeDefinition("SubscriptionID", [.text("subscriptionID").required]),
        ShapeDefinition(
            "SubscriptionsLookupRequest",
            [.list("subscriptions", of: "SubscriptionID", max: WireLimits.lookupsMax).required]),
        ShapeDefinition(
            "SubscriptionOperation",
            [
                .choice("operationType", ["create", "update", "delete"]).required,
                Shape.Member("subscription", .oneOf(["Subscription", "SubscriptionID"])).required,
            ]),
        ShapeDefinition(
            "SubscriptionsModifyRequest",
            [
                .list("operations", of: "SubscriptionOperation", max: WireLimits.operationsMax)
                    .required
            ]),
    ]
}
