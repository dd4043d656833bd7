import CloudModel
public import Foundation

extension CKSubscription {
    /// How the push of a subscription looks.
    // Unchecked: apps set it up before they save the subscription.
    public final class NotificationInfo: NSObject, @unchecked Sendable {
        /// The text of the alert.
        public var alertBody: String?
        /// The key of the alert's text in the app's strings.
        public var alertLocalizationKey: String?
        /// The fields that stand in that text.
        public var alertLocalizationArgs: [CKRecord.FieldKey]?
        /// The key of the button's text.
        public var alertActionLocalizationKey: String?
        /// The picture shown when the app starts.
        public var alertLaunchImage: String?
        /// The sound.
        public var soundName: String?
        /// The fields that the push brings along.
        public var desiredKeys: [CKRecord.FieldKey]?
        /// Whether the app's badge counts it.
        public var shouldBadge = false
        /// Whether it is silent and wakes the app.
        public var shouldSendContentAvailable = false
        /// The category of the app's actions.
        public var category: String?
        /// The title. Kept and not sent: the web services have no place for it.
        public var title: String?
        /// The key of the title in the app's strings. Kept and not sent.
        public var titleLocalizationKey: String?
        /// The fields that stand in the title. Kept and not sent.
        public var titleLocalizationArgs: [CKRecord.FieldKey]?
        /// The second title. Kept and not sent.
        public var subtitle: String?
        /// The key of the second title in the app's strings. Kept and not sent.
        public var subtitleLocalizationKey: String?
        /// The fields that stand in the second title. Kept and not sent.
        public var subtitleLocalizationArgs: [CKRecord.FieldKey]?
        /// Whether an extension of the app may change the push. Kept and not sent.
        public var shouldSendMutableContent = false
        /// The field whose value makes later pushes replace earlier ones. Kept and not sent.
        public var collapseIDKey: String?

        /// A push without an alert.
        public override init() {}

        convenience init(_ info: Subscription.NotificationInfo) {
            self.init()
            alertBody = info.alertBody
            alertLocalizationKey = info.alertLocalizationKey
            alertLocalizationArgs = info.alertLocalizationArgs
            alertActionLocalizationKey = info.alertActionLocalizationKey
            alertLaunchImage = info.alertLaunchImage
            soundName = info.soundName
            desiredKeys = info.additionalFields
            shouldBadge = info.shouldBadge ?? false
            shouldSendContentAvailable = info.shouldSendContentAvailable ?? false
            category = info.category
        }

        var model: Subscription.NotificationInfo {
            var info = Subscription.NotificationInfo()
            info.alertBody = alertBody
            info.alertLocalizationKey = alertLocalizationKey
            info.alertLocalizationArgs = alertLocalizationArgs
            info.alertActionLocalizationKey = alertActionLocalizationKey
            info.alertLaunchImage = alertLaunchImage
            info.soundName = soundName
            info.additionalFields = desiredKeys
            info.shouldBadge = shouldBadge ? true : nil
            info.shouldSendContentAvailable = shouldSendContentAvailable ? true : nil
            info.category = category
            return info
        }
    }
}

extension CKSubscription.NotificationInfo {
    /// A push as it is wanted.
    public convenience init(
        alertBody: String? = nil, alertLocalizationKey: String? = nil,
        alertLocalizationArgs: [CKRecord.FieldKey] = [], title: String? = nil,
        titleLocalizationKey: String? = nil, titleLocalizationArgs: [CKRecord.FieldKey] = [],
        subtitle: String? = nil, subtitleLocalizationKey: String? = nil,
        subtitleLocalizationArgs: [CKRecord.FieldKey] = [],
        alertActionLocalizationKey: String? = nil, alertLaunchImage: String? = nil,
        soundName: String? = nil, desiredKeys: [CKRecord.FieldKey] = [],
        shouldBadge: Bool = false, shouldSendContentAvailable: Bool = false,
        shouldSendMutableContent: Bool = false, category: String? = nil,
        collapseIDKey: String? = nil
    ) {
        self.init()
        self.alertBody = alertBody
        self.alertLocalizationKey = alertLocalizationKey
        self.alertLocalizationArgs = alertLocalizationArgs.isEmpty ? nil : alertLocalizationArgs
        self.title = title
        self.titleLocalizationKey = titleLocalizationKey
        self.titleLocalizationArgs = titleLocalizationArgs.isEmpty ? nil : titleLocalizationArgs
        self.subtitle = subtitle
        self.subtitleLocalizationKey = subtitleLocalizationKey
        self.subtitleLocalizationArgs =
            subtitleLocalizationArgs.isEmpty ? nil : subtitleLocalizationArgs
        self.alertActionLocalizationKey = alertActionLocalizationKey
        self.alertLaunchImage = alertLaunchImage
        self.soundName = soundName
        self.desiredKeys = desiredKeys.isEmpty ? nil : desiredKeys
        self.shouldBadge = shouldBadge
        self.shouldSendContentAvailable = shouldSendContentAvailable
        self.shouldSendMutableContent = shouldSendMutableContent
        self.category = category
        self.collapseIDKey = collapseIDKey
    }
}

/// The older name of ``CKSubscription/NotificationInfo``.
public typealias CKNotificationInfo = CKSubscription.NotificationInfo
