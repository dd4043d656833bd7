public import Foundation

/// What a push says. Mirrors Apple's `CKNotification`.
///
/// A push is a hint that may come late, twice or never: fetch changes after it.
// Unchecked: constants only; fields of a record in a push are texts and numbers.
public class CKNotification: NSObject, _CKRemoteNotification, @unchecked Sendable {
    /// What kind of subscription has fired.
    public enum NotificationType: Int, Sendable {
        /// A query's: ``CKQueryNotification``.
        case query = 1
        /// A zone's: ``CKRecordZoneNotification``.
        case recordZone = 2
        /// Apple no longer sends it.
        case readNotification = 3
        /// A database's: ``CKDatabaseNotification``.
        case database = 4
    }

    /// What kind of subscription has fired.
    public let notificationType: CKNotification.NotificationType
    /// Identifies the push.
    public let notificationID: CKNotification.ID?
    /// The container of the subscription.
    public let containerIdentifier: String?
    /// The subscription.
    public let subscriptionID: CKSubscription.ID?
    /// Whose subscription it is, where the service says so.
    public let subscriptionOwnerUserRecordID: CKRecord.ID?
    /// Whether something was left out because the push would have been too long.
    public let isPruned: Bool
    let payload: NotificationPayload

    required init(_ payload: NotificationPayload) {
        self.payload = payload
        notificationType =
            switch payload.kind {
            case .query: .query
            case .recordZone: .recordZone
            case .database: .database
            }
        notificationID = payload.notificationID.map { CKNotificationID($0) }
        containerIdentifier = payload.containerIdentifier
        subscriptionID = payload.subscriptionID
        subscriptionOwnerUserRecordID = payload.ownerRecordName.map {
            CKRecord.ID(recordName: $0)
        }
        isPruned = payload.isPruned
    }

    /// What kind it is, and which subscription has fired.
    public override var description: String {
        "<\(type(of: self)): subscriptionID=\(subscriptionID ?? "nil")>"
    }

    // MARK: - How it looks

    /// The alert's title.
    public var title: String? { payload.alert("title") }
    /// The key of the title in the app's strings.
    public var titleLocalizationKey: String? { payload.alert("title-loc-key") }
    /// What stands in that title.
    public var titleLocalizationArgs: [String]? { payload.alertList("title-loc-args") }
    /// The alert's second title.
    public var subtitle: String? { payload.alert("subtitle") }
    /// The key of the second title in the app's strings.
    public var subtitleLocalizationKey: String? { payload.alert("subtitle-loc-key") }
    /// What stands in that title.
    public var subtitleLocalizationArgs: [String]? { payload.alertList("subtitle-loc-args") }
    /// The category of the app's actions.
    public var category: String? { payload.appearance("category") }
    /// The alert's text. Apple calls it deprecated.
    public var alertBody: String? { payload.alert("body") }
    /// The key of the text in the app's strings. Apple calls it deprecated.
    public var alertLocalizationKey: String? { payload.alert("loc-key") }
    /// What stands in that text. Apple calls it deprecated.
    public var alertLocalizationArgs: [String]? { payload.alertList("loc-args") }
    /// The key of the button's text. Apple calls it deprecated.
    public var alertActionLocalizationKey: String? { payload.alert("action-loc-key") }
    /// The picture shown when the app starts. Apple calls it deprecated.
    public var alertLaunchImage: String? { payload.alert("launch-image") }
    /// The app's badge. Apple calls it deprecated.
    public var badge: NSNumber? { payload.badge }
    /// The sound. Apple calls it deprecated.
    public var soundName: String? { payload.appearance("sound") }
}

/// Lets an initialiser answer an object of a subclass, as Apple's does.
public protocol _CKRemoteNotification {}

extension _CKRemoteNotification {
    /// Reads a push's dictionary, as apps are handed it.
    ///
    /// `CKNotification` answers an object of the class for the push's kind; such a class answers nil
    /// for pushes of another kind, and all do for pushes that are not CloudKit's.
    public init?(fromRemoteNotificationDictionary notificationDictionary: [AnyHashable: Any]) {
        guard let payload = NotificationPayload(notificationDictionary) else { return nil }
        let made: CKNotification =
            switch payload.kind {
            case .query: CKQueryNotification(payload)
            case .recordZone: CKRecordZoneNotification(payload)
            case .database: CKDatabaseNotification(payload)
            }
        guard let made = made as? Self else { return nil }
        self = made
    }
}
