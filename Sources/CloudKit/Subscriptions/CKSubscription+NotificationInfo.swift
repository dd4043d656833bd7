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

        /// A push without an alert.
        public override init() {}

        /// A push with a text, a sound or a badge.
        public convenience init(
            alertBody: String? = nil, soundName: String? = nil, shouldBadge: Bool = false,
            shouldSendContentAvailable: Bool = false
        ) {
            self.init()
            self.alertBody = alertBody
            self.soundName = soundName
            self.shouldBadge = shouldBadge
            self.shouldSendContentAvailable = shouldSendContentAvailable
        }

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

/// The older name of ``CKSubscription/NotificationInfo``.
public typealias CKNotificationInfo = CKSubscription.NotificationInfo
