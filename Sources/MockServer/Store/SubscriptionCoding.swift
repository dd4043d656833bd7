import CloudModel

/// Subscriptions in the store's row format.
extension ByteWriter {
    mutating func subscription(_ subscription: Subscription) {
        byte(1)
        string(subscription.subscriptionID)
        string(subscription.kind.rawValue)
        optional(subscription.query) { $0.query($1) }
        optional(subscription.zoneID) { $0.zoneID($1) }
        byte(subscription.zoneWide ? 1 : 0)
        list(subscription.firesOn) { $0.string($1.rawValue) }
        byte(subscription.firesOnce ? 1 : 0)
        optional(subscription.notificationInfo) { $0.notificationInfo($1) }
    }

    private mutating func notificationInfo(_ info: Subscription.NotificationInfo) {
        for text in [
            info.alertBody, info.alertLocalizationKey, info.alertActionLocalizationKey,
            info.alertLaunchImage, info.soundName, info.category,
        ] {
            optional(text) { $0.string($1) }
        }
        for texts in [info.alertLocalizationArgs, info.additionalFields] {
            optional(texts) { $0.list($1) { $0.string($1) } }
        }
        for flag in [info.shouldBadge, info.shouldSendContentAvailable] {
            optional(flag) { $0.byte($1 ? 1 : 0) }
        }
    }
}

extension ByteReader {
    /// nil when the row is damaged.
    mutating func subscription() -> Subscription? {
        guard byte() == 1 else { return nil }
        let name = string()
        guard let kind = Subscription.Kind(rawValue: string()) else { return nil }
        var subscription = Subscription(subscriptionID: name, kind: kind)
        subscription.query = optional { $0.query() }
        subscription.zoneID = optional { $0.zoneID() }
        subscription.zoneWide = byte() != 0
        subscription.firesOn = list { Subscription.Event(rawValue: $0.string()) ?? .create }
        subscription.firesOnce = byte() != 0
        subscription.notificationInfo = optional { $0.notificationInfo() }
        return isAtEnd ? subscription : nil
    }

    private mutating func notificationInfo() -> Subscription.NotificationInfo {
        var info = Subscription.NotificationInfo()
        info.alertBody = optional { $0.string() }
        info.alertLocalizationKey = optional { $0.string() }
        info.alertActionLocalizationKey = optional { $0.string() }
        info.alertLaunchImage = optional { $0.string() }
        info.soundName = optional { $0.string() }
        info.category = optional { $0.string() }
        info.alertLocalizationArgs = optional { $0.list { $0.string() } }
        info.additionalFields = optional { $0.list { $0.string() } }
        info.shouldBadge = optional { $0.byte() != 0 }
        info.shouldSendContentAvailable = optional { $0.byte() != 0 }
        return info
    }
}
