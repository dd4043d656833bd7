/// What may differ between two servers that behave alike.
enum ValueKind: Sendable, Hashable {
    /// It must be the same.
    case plain
    /// It names somebody or something: another name, and always that one.
    case name
    /// It is new each time: a tag, a token, an address.
    case fresh
    /// A point in time.
    case time

    private static let nameKeys: Set = [
        "userRecordName", "ownerRecordName", "ownerName", "emailAddress", "phoneNumber",
        "givenName", "familyName", "middleName", "nickname", "firstName", "lastName",
        "shortGUID", "protectedFullToken",
    ]
    private static let freshKeys: Set = [
        "recordChangeTag", "zoneChangeTag", "etag", "syncToken", "metaSyncToken",
        "continuationMarker",
        "uuid", "downloadURL", "redirectURL", "webcourierURL", "url", "apnsToken", "receipt",
        "wrappingKey", "deviceID", "routingKey", "shortTokenHash", "encryptedPublicSharingKey",
        "redirectUrl",
    ]

    /// - Parameter keys: Those that lead to it from the outermost object.
    init(_ keys: [String]) {
        guard let key = keys.last else {
            self = .plain
            return
        }
        // What a field holds is its user's, except where assets are described.
        if Self.nameKeys.contains(key) {
            self = .name
        } else if Self.freshKeys.contains(key) {
            self = .fresh
        } else if key == "timestamp" || key == "retryAfter" {
            self = .time
        } else if key == "reason" {
            // Nobody may depend on its words.
            self = .fresh
        } else if key == "value", keys.dropLast().last?.hasPrefix("shortGUID") == true {
            self = .name
        } else {
            self = .plain
        }
    }
}
