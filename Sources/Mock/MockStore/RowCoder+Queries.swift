import CloudModel

/// Queries, and subscriptions, which hold them.
extension RowCoder {
    mutating func query(_ query: inout Query) {
        string(&query.recordType)
        list(&query.filters, Query.Filter(.equals, .anyField, .int64(0))) { $0.filter(&$1) }
        list(&query.sorts, Query.Sort(.anyField)) { $0.sort(&$1) }
    }

    private mutating func filter(_ filter: inout Query.Filter) {
        name(&filter.comparator)
        key(&filter.key)
        value(&filter.value)
        flag(&filter.isTyped)
        optional(&filter.distance, 0) { $0.double(&$1) }
    }

    private mutating func sort(_ sort: inout Query.Sort) {
        key(&sort.key)
        flag(&sort.ascending)
        optional(&sort.relativeLocation, Location(latitude: 0, longitude: 0)) { $0.location(&$1) }
    }

    private mutating func key(_ key: inout Query.Key) {
        var (code, text): (UInt8, String) =
            switch key {
            case .field(let name): (0, name)
            case .system(let field): (1, field.rawValue)
            case .anyField: (2, "")
            }
        byte(&code)
        if code < 2 { string(&text) }
        switch code {
        case 0: key = .field(text)
        case 1:
            if let field = Query.SystemField(rawValue: text) {
                key = .system(field)
            } else {
                fail()
            }
        default: key = .anyField
        }
    }

    mutating func subscription(_ subscription: inout Subscription) {
        version(1)
        string(&subscription.subscriptionID)
        name(&subscription.kind)
        optional(&subscription.query, Query(recordType: "")) { $0.query(&$1) }
        optional(&subscription.zoneID, .default) { $0.zoneID(&$1) }
        flag(&subscription.zoneWide)
        list(&subscription.firesOn, .create) { $0.name(&$1) }
        flag(&subscription.firesOnce)
        optional(&subscription.notificationInfo, Subscription.NotificationInfo()) { coder, info in
            coder.notificationInfo(&info)
        }
    }

    private mutating func notificationInfo(_ info: inout Subscription.NotificationInfo) {
        optionalString(&info.alertBody)
        optionalString(&info.alertLocalizationKey)
        optionalString(&info.alertActionLocalizationKey)
        optionalString(&info.alertLaunchImage)
        optionalString(&info.soundName)
        optionalString(&info.category)
        optional(&info.alertLocalizationArgs, []) { $0.list(&$1, "") { $0.string(&$1) } }
        optional(&info.additionalFields, []) { $0.list(&$1, "") { $0.string(&$1) } }
        optional(&info.shouldBadge, false) { $0.flag(&$1) }
        optional(&info.shouldSendContentAvailable, false) { $0.flag(&$1) }
    }
}
