/// A column of rows in which deletion rules look for names, spelled as in the store's tables.
package enum DonationColumn: String, Sendable {
    case identifier
    case group = "grp"
    case persistentIdentifier = "pid"
    case related
    case domain
    case indexName = "index_name"
    case type
    case entityType = "entity_type"
    case entity
}

/// What the names of a selector stand for.
///
/// The number is part of every digest that devices exchange, and must not change.
package enum DonationKey: UInt8, Sendable, CaseIterable {
    case interaction = 1
    case group, persistentIdentifier, item, domain, appIntent, entityType, entity
    case intentType, intentAbout, activityType, intentClass, index, link

    /// Where rows of a kind have it: one column for each word of a name. A link has none; see
    /// ``ContentLink/contains(_:)``.
    package func columns(_ kind: DonationKind) -> [DonationColumn] {
        switch self {
        case .interaction, .appIntent: [.identifier]
        case .item: kind == .searchableItem ? [.identifier] : [.related]
        case .group: [.group]
        case .persistentIdentifier: [.persistentIdentifier]
        case .domain: [.domain]
        case .index: [.indexName]
        case .entityType: [.entityType]
        case .entity: [.entityType, .entity]
        case .intentType, .activityType, .intentClass: [.type]
        case .intentAbout: [.type, .entity]
        case .link: []
        }
    }
}

extension Donation {
    /// The row's words for a key; nil when one is missing or empty, because an empty name is no name.
    package func words(_ key: DonationKey) -> [String]? {
        var words: [String] = []
        for column in key.columns(kind) {
            guard let word = self[column]?.orNil else { return nil }
            words.append(word)
        }
        return words
    }

    private subscript(column: DonationColumn) -> String? {
        switch column {
        case .identifier: identifier
        case .group: group
        case .persistentIdentifier: persistentIdentifier
        case .related: relatedIdentifier
        case .domain: domain
        case .indexName: indexName
        case .type: type
        case .entityType: entityType
        case .entity: entityIdentifier
        }
    }
}
