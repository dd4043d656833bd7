internal import CloudModel
internal import JSON

extension JSONWriter {
    /// A query dictionary.
    mutating func query(_ query: Query) {
        beginObject()
        pair("recordType", query.recordType)
        if !query.filters.isEmpty {
            key("filterBy")
            beginArray()
            for filter in query.filters { self.filter(filter) }
            endArray()
        }
        if !query.sorts.isEmpty {
            key("sortBy")
            beginArray()
            for sort in query.sorts { self.sort(sort) }
            endArray()
        }
        endObject()
    }

    private mutating func filter(_ filter: Query.Filter) {
        beginObject()
        pair("comparator", filter.comparator.rawValue)
        queryKey(filter.key)
        key("fieldValue")
        field(filter.value, isTyped: filter.isTyped)
        pair("distance", filter.distance)
        endObject()
    }

    private mutating func sort(_ sort: Query.Sort) {
        beginObject()
        queryKey(sort.key)
        pair("ascending", sort.ascending)
        if let place = sort.relativeLocation {
            key("relativeLocation")
            field(.location(place), isTyped: true)
        }
        endObject()
    }

    private mutating func queryKey(_ key: Query.Key) {
        switch key {
        case .field(let name): pair("fieldName", name)
        case .system(let field): pair("systemFieldName", field.rawValue)
        case .anyField: break
        }
    }

    /// A subscription dictionary.
    ///
    /// - Parameter caller: In answers, who stands for a zone owner of nil; nil in requests.
    mutating func subscription(_ subscription: Subscription, caller: String? = nil) {
        beginObject()
        if !subscription.subscriptionID.isEmpty {
            pair("subscriptionID", subscription.subscriptionID)
        }
        pair("subscriptionType", subscription.kind.rawValue)
        if let query = subscription.query {
            key("query")
            self.query(query)
        }
        if let zoneID = subscription.zoneID {
            key("zoneID")
            if let caller { self.zoneID(zoneID, caller: caller) } else { self.zoneID(zoneID) }
        }
        pair("firesOn", subscription.firesOn.map(\.rawValue))
        pair("firesOnce", subscription.firesOnce)
        pair("zoneWide", subscription.zoneWide)
        if let info = subscription.notificationInfo {
            key("notificationInfo")
            notification(info)
        }
        endObject()
    }

    private mutating func notification(_ info: Subscription.NotificationInfo) {
        beginObject()
        pair("alertBody", info.alertBody)
        pair("alertLocalizationKey", info.alertLocalizationKey)
        pair("alertLocalizationArgs", info.alertLocalizationArgs)
        pair("alertActionLocalizationKey", info.alertActionLocalizationKey)
        pair("alertLaunchImage", info.alertLaunchImage)
        pair("soundName", info.soundName)
        pair("shouldBadge", info.shouldBadge)
        pair("shouldSendContentAvailable", info.shouldSendContentAvailable)
        pair("additionalFields", info.additionalFields)
        pair("category", info.category)
        endObject()
    }
}
