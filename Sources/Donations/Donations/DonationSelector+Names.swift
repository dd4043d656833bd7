extension DonationSelector {
    /// What kind of selector this is: nothing of the person's.
    package enum Kind: String, Sendable, CaseIterable, Codable {
        case interactions, interactionGroup, allInteractions, activities, allActivities
        case searchableItems, searchableDomains, allSearchableItems
        case appIntents, appIntentsAbout, appIntentType, appEntities
        case activityType, intentClass, donated, donatedWithItems, linked, everything
        case list, expired
    }

    /// The names that a selector lists.
    package struct Names: Sendable {
        package let key: DonationKey
        /// The first word of each name, where names have two.
        package var type: String?
        package let list: [String]

        fileprivate init(_ key: DonationKey, type: String? = nil, _ list: [String]) {
            self.key = key
            self.type = type
            self.list = list
        }
    }

    package var kind: Kind {
        switch self {
        case .interactions: .interactions
        case .interactionGroup: .interactionGroup
        case .allInteractions: .allInteractions
        case .activities: .activities
        case .allActivities: .allActivities
        case .searchableItems: .searchableItems
        case .searchableDomains: .searchableDomains
        case .allSearchableItems: .allSearchableItems
        case .appIntents: .appIntents
        case .appIntentsAbout: .appIntentsAbout
        case .appIntentType: .appIntentType
        case .appEntities: .appEntities
        case .activityType: .activityType
        case .intentClass: .intentClass
        case .donated(_, _, let includesItems): includesItems ? .donatedWithItems : .donated
        case .linked: .linked
        case .list: .list
        case .expired: .expired
        case .everything: .everything
        }
    }

    /// The names it lists; nil for a selector that lists none.
    package var names: Names? {
        switch self {
        case .interactions(let names): Names(.interaction, names)
        case .interactionGroup(let name): Names(.group, [name])
        case .activities(let names): Names(.persistentIdentifier, names)
        case .searchableItems(let names, _): Names(.item, names)
        case .searchableDomains(let names, _): Names(.domain, names)
        case .appIntents(let names): Names(.appIntent, names)
        case .appIntentsAbout(let type, let name): Names(.entity, type: type, [name])
        case .appIntentType(let type, nil): Names(.intentType, [type])
        case .appIntentType(let type, let name?): Names(.intentAbout, type: type, [name])
        case .appEntities(let type, nil): Names(.entityType, [type])
        case .appEntities(let type, let names?): Names(.entity, type: type, names)
        case .activityType(let type): Names(.activityType, [type])
        case .intentClass(let type): Names(.intentClass, [type])
        default: nil
        }
    }

    /// The named index it is limited to; nil: none.
    package var index: String? {
        switch self {
        case .searchableItems(_, let index), .searchableDomains(_, let index),
            .allSearchableItems(let index):
            index
        default: nil
        }
    }

    /// The milliseconds in which rows were done or donated; nil for a selector without a time.
    package var span: Range<Int64>? {
        guard case .donated(let from, let until, _) = self else { return nil }
        return from..<max(from, until)
    }
}
