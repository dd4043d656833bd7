extension DonationSelector {
    /// The rows that a rule looks at beside the one in question.
    package struct Surroundings: Sendable {
        /// The item that an activity is strongly related to, when it is in the index.
        package var relatedItem: Donation?
        /// The saved form of an event's activity, when there is one.
        package var savedActivity: Donation?

        /// The rows beside the one in question.
        package init(relatedItem: Donation? = nil, savedActivity: Donation? = nil) {
            self.relatedItem = relatedItem
            self.savedActivity = savedActivity
        }
    }

    /// Says whether a row is meant, and by which rule.
    ///
    /// Names are compared byte by byte, domains by part.
    ///
    /// - Returns: The first rule that holds; nil when the row stays.
    package func matches(
        _ row: Donation, _ beside: Surroundings = Surroundings()
    ) -> DonationReceipt.Rule? {
        switch row.kind {
        case .searchableItem: matches(item: row)
        case .activity, .savedActivity: matches(activity: row, beside)
        case .interaction, .appIntent: matches(interaction: row)
        default: nil
        }
    }

    private func matches(item row: Donation) -> DonationReceipt.Rule? {
        switch self {
        case .searchableItems(let identifiers, let index):
            row.isIn(index: index) && identifiers.names(row.identifier) ? .direct : nil
        case .searchableDomains(let domains, let index):
            row.isIn(index: index) && domains.contains { row.isIn(domain: $0) } ? .domain : nil
        case .allSearchableItems(let index): row.isIn(index: index) ? .direct : nil
        case .appEntities(let type, let identifiers):
            row.isEntity(of: type, identifiers) ? .direct : nil
        case .donated(let from, let until, includingItems: true):
            row.happened(from: from, until: until) ? .direct : nil
        case .linked(let part): row.isLinked(into: part) ? .content : nil
        case .expired(let moment): row.isExpired(at: moment) ? .expiry : nil
        case .everything: .direct
        default: nil
        }
    }

    private func matches(
        activity row: Donation, _ beside: Surroundings
    ) -> DonationReceipt.Rule? {
        if let own = matches(activityAlone: row, beside.savedActivity) { return own }
        // D6 for each item that goes.
        guard let related = row.relatedIdentifier else { return nil }
        switch self {
        case .searchableItems(let identifiers, nil) where identifiers.names(related):
            return .relatedItem
        case .allSearchableItems(nil): return .relatedItem
        default: break
        }
        guard let item = beside.relatedItem, matches(item: item) != nil else { return nil }
        return .relatedItem
    }

    private func matches(
        activityAlone row: Donation, _ saved: Donation?
    ) -> DonationReceipt.Rule? {
        switch self {
        case .activities(let identifiers):
            identifiers.names(row.persistentIdentifier) ? .persistentIdentifier : nil
        case .searchableDomains(let domains, nil):
            domains.contains { row.isIn(domain: $0) } ? .domain : nil
        case .activityType(let type): !type.isEmpty && type.isSame(as: row.type) ? .direct : nil
        case .donated(let from, let until, _):
            row.happened(from: from, until: until) ? .direct : nil
        case .linked(let part): row.isLinked(into: part) ? .content : nil
        case .expired(let moment):
            if row.kind == .activity, let saved {
                saved.isExpired(at: moment) ? .savedActivity : nil
            } else {
                row.isExpired(at: moment) ? .expiry : nil
            }
        case .allActivities, .everything: .direct
        default: nil
        }
    }

    private func matches(interaction row: Donation) -> DonationReceipt.Rule? {
        let isInteraction = row.kind == .interaction
        switch self {
        case .interactions(let identifiers):
            return isInteraction && identifiers.names(row.identifier) ? .direct : nil
        case .interactionGroup(let group):
            return isInteraction && [group].names(row.group) ? .direct : nil
        case .allInteractions: return isInteraction && !row.isFromSiri ? .direct : nil
        case .allSearchableItems: return isInteraction ? .allItemsInteractions : nil
        case .appIntents(let identifiers):
            return !isInteraction && identifiers.names(row.identifier) ? .direct : nil
        case .appIntentsAbout(let type, let identifier):
            return !isInteraction && row.isEntity(of: type, [identifier]) ? .direct : nil
        case .appIntentType(let type, let identifier):
            guard !isInteraction, !type.isEmpty, type.isSame(as: row.type) else { return nil }
            return identifier.map { $0.isSame(as: row.entityIdentifier) } ?? true ? .direct : nil
        case .intentClass(let type):
            return !type.isEmpty && type.isSame(as: row.type) ? .direct : nil
        case .donated(let from, let until, _):
            return row.happened(from: from, until: until) ? .direct : nil
        case .linked(let part): return row.isLinked(into: part) ? .content : nil
        case .expired(let moment): return row.isExpired(at: moment) ? .expiry : nil
        case .everything: return .direct
        default: return nil
        }
    }

    /// Whether an interaction stays, but the activity in its response is taken out (A14).
    package func scrubs(_ row: Donation) -> Bool {
        guard row.kind == .interaction, let nested = row.nestedActivity else { return false }
        switch self {
        case .activities(let identifiers): return identifiers.names(nested.persistentIdentifier)
        case .allActivities: return true
        default: return false
        }
    }
}

extension [String] {
    /// Whether a name is one of these, byte by byte; an empty one names nothing.
    fileprivate func names(_ name: String?) -> Bool {
        guard let name, !name.isEmpty else { return false }
        return contains { $0.isSame(as: name) }
    }
}

extension Donation {
    fileprivate func isIn(index name: String?) -> Bool {
        name.map { $0.isSame(as: indexName) } ?? true
    }

    fileprivate func isIn(domain name: String) -> Bool {
        domain?.isDomain(inside: name) ?? false
    }

    fileprivate func isEntity(of type: String, _ identifiers: [String]?) -> Bool {
        guard !type.isEmpty, type.isSame(as: entityType) else { return false }
        return identifiers?.names(entityIdentifier) ?? true
    }

    fileprivate func isLinked(into part: ContentLink) -> Bool {
        link.map { part.contains($0) } ?? false
    }

    fileprivate func happened(from start: Int64, until end: Int64) -> Bool {
        [donatedAt.milliseconds, begin.milliseconds].contains { $0 >= start && $0 < end }
    }

    /// Whether its time is over.
    package func isExpired(at moment: Int64) -> Bool {
        expiration.map { $0.milliseconds <= moment } ?? false
    }
}
