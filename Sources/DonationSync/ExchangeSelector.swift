package import Donations

/// A selector as it travels: its kind, and digests of its words.
package struct ExchangeSelector: Sendable, Hashable, Codable {
    /// The kinds that travel, as records spell them.
    package enum Kind: String, Sendable, CaseIterable, Codable {
        case interactions, interactionGroup, allInteractions, activities, allActivities
        case searchableItems, searchableDomains, allSearchableItems
        case appIntents, appIntentsAbout, appIntentType, appEntities
        case activityType, intentClass, donated, donatedWithItems, linked, everything
    }

    package var kind: Kind
    /// One of these must be the row's; empty for kinds that name nothing.
    package var keys: [String]
    /// The digest of the index; nil: any.
    package var indexKey: String?
    /// In milliseconds since 1970; 0 for kinds without a time.
    package var from: Int64 = 0
    package var until: Int64 = 0

    /// A selector of a kind.
    package init(_ kind: Kind, keys: [String] = [], indexKey: String? = nil) {
        self.kind = kind
        self.keys = keys
        self.indexKey = indexKey
    }

    /// A selector's digests; nil for one that means nothing, and for those that do not travel:
    /// lists, and what was past its time (each device has a clock).
    package init?(_ selector: DonationSelector, _ keys: ExchangeKeys) {
        func digests(_ part: ExchangeKeys.Part, _ names: [String]) -> [String] {
            names.filter { !$0.isEmpty }.map { keys(part, $0) }
        }
        switch selector {
        case .interactions(let names): self.init(.interactions, keys: digests(.interaction, names))
        case .interactionGroup(let group):
            self.init(.interactionGroup, keys: digests(.group, [group]))
        case .allInteractions: self.init(.allInteractions)
        case .activities(let names):
            self.init(.activities, keys: digests(.persistentIdentifier, names))
        case .allActivities: self.init(.allActivities)
        case .searchableItems(let names, let index):
            self.init(
                .searchableItems, keys: digests(.item, names),
                indexKey: index.map { keys(.index, $0) })
        case .searchableDomains(let domains, let index):
            self.init(
                .searchableDomains, keys: domains.compactMap(keys.domain),
                indexKey: index.map { keys(.index, $0) })
        case .allSearchableItems(let index):
            self.init(.allSearchableItems, indexKey: index.map { keys(.index, $0) })
        case .appIntents(let names): self.init(.appIntents, keys: digests(.appIntent, names))
        case .appIntentsAbout(let type, let name):
            let means = !type.isEmpty && !name.isEmpty
            self.init(.appIntentsAbout, keys: means ? [keys(.entity, type, name)] : [])
        case .appIntentType(let type, let name):
            let key = name.map { keys(.intentAbout, type, $0) } ?? keys(.intentType, type)
            self.init(.appIntentType, keys: type.isEmpty ? [] : [key])
        case .appEntities(let type, let names):
            let all = names.map { $0.filter { !$0.isEmpty }.map { keys(.entity, type, $0) } }
            self.init(
                .appEntities, keys: type.isEmpty ? [] : all ?? [keys(.entityType, type)])
        case .activityType(let type):
            self.init(.activityType, keys: digests(.activityType, [type]))
        case .intentClass(let type): self.init(.intentClass, keys: digests(.intentClass, [type]))
        case .donated(let from, let until, let includesItems):
            self.init(includesItems ? .donatedWithItems : .donated)
            self.from = from
            self.until = until
        case .linked(let part): self.init(.linked, keys: [keys.link(into: part)])
        case .everything: self.init(.everything)
        case .list, .expired: return nil
        }
        if kind.hasKeys, self.keys.isEmpty { return nil }
    }
}

extension ExchangeSelector.Kind {
    /// Whether a selector of this kind names something.
    package var hasKeys: Bool {
        switch self {
        case .allInteractions, .allActivities, .allSearchableItems, .donated, .donatedWithItems,
            .everything:
            false
        default: true
        }
    }
}
