/// What a query may say about the known attributes.
package enum QueryAttributes {
    /// What kind of value an attribute holds.
    package enum Kind: Sendable, Hashable {
        case text, number, date
    }

    /// The attributes that full-text search covers, as they are named in a query.
    package static let searchable = ["title", "displayName", "keywords", "contentDescription"]

    /// The kind of an attribute; nil for one that only the app knows.
    package static func kind(of name: String) -> Kind? { kinds[name] }

    /// The name used here for an attribute that may be written in the form `kMDItemTitle`.
    package static func canonicalName(_ name: String) -> String {
        if let other = aliases[name] { return other }
        for prefix in ["kMDItem", "_kMDItem"] where name.hasPrefix(prefix) {
            let rest = name.dropFirst(prefix.count)
            guard let first = rest.first else { return name }
            let plain = first.lowercased() + rest.dropFirst()
            return kinds[plain] == nil ? name : plain
        }
        return name
    }

    private static let aliases = [
        "kMDItemDescription": "contentDescription",
        "kMDItemIdentifier": "identifier",
        "kMDItemExternalID": "identifier",
        "_kMDItemExternalID": "identifier",
        "_kMDItemDomainIdentifier": "domainIdentifier",
        "kMDItemDisplayName": "displayName",
        "uniqueIdentifier": "identifier",
    ]

    private static let texts = [
        "identifier", "domainIdentifier", "title", "displayName", "alternateNames", "keywords",
        "contentDescription", "textContent", "contentType", "contentTypeTree", "subject", "theme",
        "comment", "kind", "identifierType", "path", "contentURL", "thumbnailURL",
        "authorNames", "authorEmailAddresses", "recipientNames", "recipientEmailAddresses",
        "phoneNumbers", "emailAddresses", "mailboxIdentifiers", "accountIdentifier",
        "accountHandles", "creator", "organizations", "languages", "rights", "namedLocation",
        "city", "stateOrProvince", "country", "fullyFormattedAddress", "postalCode",
        "relatedUniqueIdentifier", "weakRelatedUniqueIdentifier", "containerTitle",
        "containerDisplayName", "containerIdentifier", "artist", "album", "composer", "genre",
        "version", "projects", "contactKeywords", "publishers", "contributors",
    ]
    private static let numbers = [
        "rankingHint", "latitude", "longitude", "altitude", "duration", "rating", "fileSize",
        "pageCount", "supportsPhoneCall", "supportsNavigation", "userCreated", "userOwned",
        "userCurated", "allDay", "playCount", "isUserCreated",
    ]
    private static let dates = [
        "contentCreationDate", "contentModificationDate", "addedDate", "dueDate", "startDate",
        "endDate", "completionDate", "lastUsedDate", "metadataModificationDate", "downloadedDate",
        "expirationDate", "timestamp",
    ]

    private static let kinds: [String: Kind] = {
        var kinds: [String: Kind] = [:]
        for name in texts { kinds[name] = .text }
        for name in numbers { kinds[name] = .number }
        for name in dates { kinds[name] = .date }
        return kinds
    }()
}
