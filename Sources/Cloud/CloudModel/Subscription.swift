/// A wish to be told of changes. Mirrors `CKSubscription`.
package struct Subscription: Sendable, Hashable {
    /// What is watched, spelled as on the wire.
    package enum Kind: String, Sendable, CaseIterable {
        case query
        case zone
        case database
    }
    /// Which changes fire a query subscription.
    package enum Event: String, Sendable, CaseIterable {
        case create
        case update
        case delete
    }

    package var subscriptionID: String
    package var kind: Kind
    package var query: Query?
    package var zoneID: RecordZone.ID?
    package var zoneWide: Bool
    package var firesOn: [Event]
    package var firesOnce: Bool
    package var notificationInfo: NotificationInfo?

    package init(
        subscriptionID: String, kind: Kind, query: Query? = nil, zoneID: RecordZone.ID? = nil,
        zoneWide: Bool = true, firesOn: [Event] = [], firesOnce: Bool = false,
        notificationInfo: NotificationInfo? = nil
    ) {
        self.subscriptionID = subscriptionID
        self.kind = kind
        self.query = query
        self.zoneID = zoneID
        self.zoneWide = zoneWide
        self.firesOn = firesOn
        self.firesOnce = firesOnce
        self.notificationInfo = notificationInfo
    }

    /// How the push looks. Mirrors `CKSubscription.NotificationInfo`.
    package struct NotificationInfo: Sendable, Hashable {
        package var alertBody: String?
        package var alertLocalizationKey: String?
        package var alertLocalizationArgs: [String]?
        package var alertActionLocalizationKey: String?
        package var alertLaunchImage: String?
        package var soundName: String?
        package var shouldBadge: Bool?
        package var shouldSendContentAvailable: Bool?
        package var additionalFields: [String]?
        package var category: String?
        package init() {}
    }

    /// One item of a `subscriptions/modify` request.
    package enum Operation: Sendable, Hashable {
        /// The subscription's ID is empty when the server is to choose one.
        case create(Subscription)
        case update(Subscription)
        case delete(String)
    }

    /// One item of an answer about subscriptions.
    package enum Item: Sendable, Hashable {
        case subscription(Subscription)
        case deleted(String)
        case failure(String, CloudError)
    }
}
