extension DonationReceipt {
    /// The receipt without the caller's own words: what may be shown to others, or kept.
    ///
    /// - Parameter digest: What stands for a name; for the same digests as in ``removed``, the
    ///   one of the store that made the receipt.
    public func redacted(_ digest: (String) -> String) -> DonationReceipt {
        var receipt = self
        receipt.selector = selector.redacted(digest)
        return receipt
    }
}

extension DonationSelector {
    /// The selector with digests in the place of all names but those of the app's own types,
    /// indexes and containers. It selects nothing any more.
    func redacted(_ digest: (String) -> String) -> DonationSelector {
        switch self {
        case .interactions(let names): .interactions(identifiers: names.map(digest))
        case .interactionGroup(let name): .interactionGroup(digest(name))
        case .activities(let names): .activities(persistentIdentifiers: names.map(digest))
        case .searchableItems(let names, let index):
            .searchableItems(identifiers: names.map(digest), indexName: index)
        case .searchableDomains(let names, let index):
            .searchableDomains(names.map(digest), indexName: index)
        case .appIntents(let names): .appIntents(identifiers: names.map(digest))
        case .appIntentsAbout(let type, let name):
            .appIntentsAbout(entityType: type, entityIdentifier: digest(name))
        case .appIntentType(let type, let name):
            .appIntentType(type, entityIdentifier: name.map(digest))
        case .appEntities(let type, let names):
            .appEntities(type: type, identifiers: names.map { $0.map(digest) })
        case .linked(let link):
            .linked(
                ContentLink(
                    container: link.container, scope: link.scope, zone: link.zone.map(digest),
                    zoneOwner: link.zoneOwner.map(digest), record: link.record.map(digest)))
        case .allInteractions, .allActivities, .allSearchableItems, .activityType, .intentClass,
            .donated, .list, .expired, .everything:
            self
        }
    }
}
