import Donations

/// Which rows a deletion means, said a second time and as plainly as can be: what the code under
/// test decides by digests is decided here by the words themselves.
enum PlainModel {
    enum Match {
        case no
        /// Only where the item is in the index that an activity is related to.
        case perhaps
        case yes

        init(_ yes: Bool) { self = yes ? .yes : .no }
    }

    static func match(_ selector: DonationSelector, _ row: Donation) -> Match {
        switch row.kind {
        case .interaction: Match(meansInteraction(selector, row))
        case .appIntent: Match(meansAppIntent(selector, row))
        case .searchableItem: Match(meansItem(selector, row))
        case .activity, .savedActivity: meansActivity(selector, row)
        default: .no
        }
    }

    private static func meansInteraction(_ selector: DonationSelector, _ row: Donation) -> Bool {
        switch selector {
        case .interactions(let names): names.contains(row.identifier)
        case .interactionGroup(let group): !group.isEmpty && row.group == group
        case .allInteractions: !row.isFromSiri
        case .allSearchableItems: true
        case .intentClass(let type): row.type == type
        default: meansAnything(selector, row)
        }
    }

    private static func meansAppIntent(_ selector: DonationSelector, _ row: Donation) -> Bool {
        switch selector {
        case .appIntents(let names): names.contains(row.identifier)
        case .appIntentsAbout(let type, let name):
            row.entityType == type && row.entityIdentifier == name
        case .appIntentType(let type, let name):
            row.type == type && (name == nil || row.entityIdentifier == name)
        case .intentClass(let type): row.type == type
        default: meansAnything(selector, row)
        }
    }

    private static func meansItem(_ selector: DonationSelector, _ row: Donation) -> Bool {
        switch selector {
        case .searchableItems(let names, let index):
            names.contains(row.identifier) && (index == nil || row.indexName == index)
        case .searchableDomains(let domains, let index):
            domains.contains { isInside(row.domain, $0) }
                && (index == nil || row.indexName == index)
        case .allSearchableItems(let index): index == nil || row.indexName == index
        case .appEntities(let type, let names):
            row.entityType == type
                && (names == nil || names?.contains(row.entityIdentifier ?? "") == true)
        case .donated(let from, let until, let includingItems):
            includingItems && happened(row, from, until)
        default: meansAnything(selector, row)
        }
    }

    private static func meansActivity(_ selector: DonationSelector, _ row: Donation) -> Match {
        let direct =
            switch selector {
            case .activities(let names): names.contains(row.persistentIdentifier ?? "")
            case .allActivities: true
            case .activityType(let type): row.type == type
            case .searchableItems(let names, nil): names.contains(row.relatedIdentifier ?? "")
            case .allSearchableItems(nil): row.relatedIdentifier != nil
            case .searchableDomains(let domains, nil):
                domains.contains { isInside(row.domain, $0) }
            default: meansAnything(selector, row)
            }
        if direct { return .yes }
        guard row.relatedIdentifier != nil else { return .no }
        switch selector {
        case .searchableItems, .searchableDomains, .allSearchableItems, .appEntities, .linked,
            .donated:
            return .perhaps
        default: return .no
        }
    }

    private static func meansAnything(_ selector: DonationSelector, _ row: Donation) -> Bool {
        switch selector {
        case .everything: true
        case .donated(let from, let until, _):
            row.kind != .searchableItem && happened(row, from, until)
        case .linked(let part): row.link.map { isInside($0, part) } ?? false
        default: false
        }
    }

    private static func isInside(_ domain: String?, _ other: String) -> Bool {
        guard let domain, !other.isEmpty else { return false }
        return domain == other || domain.hasPrefix(other + ".")
    }

    private static func isInside(_ link: ContentLink, _ part: ContentLink) -> Bool {
        link.container == part.container && (part.scope == nil || part.scope == link.scope)
            && (part.zone == nil || part.zone == link.zone && part.zoneOwner == link.zoneOwner)
            && (part.record == nil || part.record == link.record)
    }

    private static func happened(_ row: Donation, _ from: Int64, _ until: Int64) -> Bool {
        let moments = [row.donatedAt.milliseconds, row.begin.milliseconds]
        return moments.contains { $0 >= from && $0 < until }
    }
}
