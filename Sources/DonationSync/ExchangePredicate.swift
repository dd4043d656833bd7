import Donations

/// A travelling selector, ready to be asked about many rows: the rules of
/// `DonationSelector.matches` over digests, and equal to them for every row.
struct ExchangePredicate {
    let selector: ExchangeSelector
    private let keys: Set<String>

    init(_ selector: ExchangeSelector) {
        self.selector = selector
        keys = Set(selector.keys)
    }

    /// Whether a row is meant.
    ///
    /// - Parameter item: The item that an activity is strongly related to, when it is here.
    func matches(_ row: inout ExchangeRowKeys, item: inout ExchangeRowKeys?) -> Bool {
        switch row.row.kind {
        case .searchableItem: return matches(item: &row)
        case .interaction, .appIntent: return matches(interaction: &row)
        case .activity, .savedActivity:
            if matches(activityAlone: &row) { return true }
            guard row.row.relatedIdentifier != nil else { return false }
            switch selector.kind {
            case .searchableItems where selector.indexKey == nil:
                if row.has(.item, keys) { return true }
            case .allSearchableItems where selector.indexKey == nil: return true
            default: break
            }
            guard var related = item else { return false }
            defer { item = related }
            return related.row.kind == .searchableItem && matches(item: &related)
        default: return false
        }
    }

    /// Whether an interaction stays, but the activity in its response is taken out (A14).
    func scrubs(_ row: Donation, _ digests: ExchangeKeys) -> Bool {
        guard row.kind == .interaction, let nested = row.nestedActivity else { return false }
        switch selector.kind {
        case .allActivities: return true
        case .activities:
            guard let name = nested.persistentIdentifier, !name.isEmpty else { return false }
            return keys.contains(digests(.persistentIdentifier, name))
        default: return false
        }
    }

    private func matches(item row: inout ExchangeRowKeys) -> Bool {
        switch selector.kind {
        case .searchableItems: isInIndex(&row) && row.has(.item, keys)
        case .searchableDomains: isInIndex(&row) && row.isInDomain(keys)
        case .allSearchableItems: isInIndex(&row)
        case .appEntities: row.has(.entityType, keys) || row.has(.entity, keys)
        case .donatedWithItems: happened(row.row)
        case .linked: row.isLinked(keys)
        case .everything: true
        default: false
        }
    }

    private func matches(activityAlone row: inout ExchangeRowKeys) -> Bool {
        switch selector.kind {
        case .activities: row.has(.persistentIdentifier, keys)
        case .searchableDomains: selector.indexKey == nil && row.isInDomain(keys)
        case .activityType: row.has(.activityType, keys)
        case .donated, .donatedWithItems: happened(row.row)
        case .linked: row.isLinked(keys)
        case .allActivities, .everything: true
        default: false
        }
    }

    private func matches(interaction row: inout ExchangeRowKeys) -> Bool {
        let isInteraction = row.row.kind == .interaction
        switch selector.kind {
        case .interactions: return isInteraction && row.has(.interaction, keys)
        case .interactionGroup: return isInteraction && row.has(.group, keys)
        case .allInteractions: return isInteraction && !row.row.isFromSiri
        case .allSearchableItems: return isInteraction
        case .appIntents: return !isInteraction && row.has(.appIntent, keys)
        case .appIntentsAbout: return !isInteraction && row.has(.entity, keys)
        case .appIntentType:
            return !isInteraction && (row.has(.intentType, keys) || row.has(.intentAbout, keys))
        case .intentClass: return row.has(.intentClass, keys)
        case .donated, .donatedWithItems: return happened(row.row)
        case .linked: return row.isLinked(keys)
        case .everything: return true
        default: return false
        }
    }

    private func isInIndex(_ row: inout ExchangeRowKeys) -> Bool {
        selector.indexKey.map { $0 == row.key(.index) } ?? true
    }

    private func happened(_ row: Donation) -> Bool {
        [row.donatedAt.milliseconds, row.begin.milliseconds].contains {
            $0 >= selector.from && $0 < selector.until
        }
    }
}
