import Basics
import DonationStore
import Donations

/// The decision table once more, as plainly as it can be said: arrays, and loops over them that
/// follow each pointer. Shares no code with the store or with the selectors' predicates.
struct NaiveModel {
    /// A stored row; `serial` is the donation's number, which the store keeps as the action's name.
    var rows: [Donation] = []
    private var privateKeys = 0

    mutating func donate(_ donation: Donation, at now: Timestamp) {
        rows.removeAll { $0.kind == donation.kind && $0.identifier == donation.identifier }
        var row = donation
        row.donatedAt = now
        rows.append(row)
    }

    mutating func donateActivity(_ activity: Donation, at now: Timestamp) {
        if let item = activity.relatedIdentifier, !items.contains(where: { $0.identifier == item })
        {
            return
        }
        var event = activity
        event.donatedAt = now
        privateKeys += 1
        event.savedKey = event.persistentIdentifier.map { "p:" + $0 } ?? "k:\(privateKeys)"
        rows.append(event)
        rows.removeAll { $0.kind == .savedActivity && $0.savedKey == event.savedKey }
        event.kind = .savedActivity
        rows.append(event)
    }

    mutating func index(_ item: Donation, at now: Timestamp) {
        donate(item, at: now)
        if rows[rows.count - 1].expiration == nil {
            rows[rows.count - 1].expiration = now.advanced(by: .seconds(30 * 86_400))
        }
    }

    private var items: [Donation] { rows.filter { $0.kind == .searchableItem } }

    /// Deletes and says how many rows of each kind went.
    mutating func delete(_ selector: DonationSelector) -> [DonationKind: Int] {
        let before = rows
        switch selector {
        case .interactions(let names):
            rows.removeAll { $0.kind == .interaction && names.contains($0.identifier) }
        case .interactionGroup(let group):
            rows.removeAll { $0.kind == .interaction && $0.group == group && group != "" }
        case .allInteractions:
            rows.removeAll { $0.kind == .interaction && !$0.isFromSiri }
        case .activities(let names):
            rows.removeAll { isActivity($0) && names.contains($0.persistentIdentifier ?? "none") }
            scrub { names.contains($0 ?? "none") }
        case .allActivities:
            rows.removeAll { isActivity($0) }
            scrub { _ in true }
        case .searchableItems(let names, let index):
            removeItems { names.contains($0.identifier) && (index == nil || $0.indexName == index) }
        case .searchableDomains(let domains, let index):
            removeItems {
                isInside($0.domain, domains) && (index == nil || $0.indexName == index)
            }
            if index == nil { rows.removeAll { isActivity($0) && isInside($0.domain, domains) } }
        case .allSearchableItems(let index):
            removeItems { index == nil || $0.indexName == index }
            rows.removeAll { $0.kind == .interaction }
        case .appIntents(let names):
            rows.removeAll { $0.kind == .appIntent && names.contains($0.identifier) }
        case .appIntentType(let type, let entity):
            rows.removeAll {
                $0.kind == .appIntent && $0.type == type
                    && (entity == nil || $0.entityIdentifier == entity)
            }
        case .appEntities(let type, let names):
            removeItems {
                $0.entityType == type
                    && (names == nil || names!.contains($0.entityIdentifier ?? ""))
            }
        case .activityType(let type): rows.removeAll { isActivity($0) && $0.type == type }
        case .intentClass(let type):
            rows.removeAll { ($0.kind == .interaction || $0.kind == .appIntent) && $0.type == type }
        case .donated(let from, let until, let withItems):
            removeAnything { row in
                (row.kind != .searchableItem || withItems)
                    && ((row.donatedAt.milliseconds >= from && row.donatedAt.milliseconds < until)
                        || (row.begin.milliseconds >= from && row.begin.milliseconds < until))
            }
        case .linked(let part):
            removeAnything { row in
                guard let link = row.link, link.container == part.container else { return false }
                if let zone = part.zone, zone != link.zone { return false }
                return part.record == nil || part.record == link.record
            }
        case .expired(let moment): expire(at: moment)
        case .everything: rows = []
        default: break
        }
        var gone: [DonationKind: Int] = [:]
        for row in before { gone[row.kind, default: 0] += 1 }
        for row in rows { gone[row.kind, default: 0] -= 1 }
        return gone.filter { $0.value > 0 }
    }

    /// Items, and then the activities that point at them.
    private mutating func removeItems(_ isMeant: (Donation) -> Bool) {
        for item in items where isMeant(item) {
            rows.removeAll { $0.kind == .searchableItem && $0.identifier == item.identifier }
            rows.removeAll { isActivity($0) && $0.relatedIdentifier == item.identifier }
        }
    }

    private mutating func removeAnything(_ isMeant: (Donation) -> Bool) {
        rows.removeAll { $0.kind != .searchableItem && isMeant($0) }
        removeItems(isMeant)
    }

    private mutating func scrub(_ isMeant: (String?) -> Bool) {
        for index in rows.indices where rows[index].kind == .interaction {
            if let nested = rows[index].nestedActivity, isMeant(nested.persistentIdentifier) {
                rows[index].nestedActivity = nil
            }
        }
    }

    private mutating func expire(at moment: Int64) {
        func isOver(_ row: Donation) -> Bool {
            row.expiration.map { $0.milliseconds <= moment } ?? false
        }
        let saved = rows.filter { $0.kind == .savedActivity }
        rows.removeAll { event in
            guard event.kind == .activity else { return false }
            return isOver(saved.first { $0.savedKey == event.savedKey } ?? event)
        }
        rows.removeAll { $0.kind == .savedActivity && isOver($0) }
        removeAnything { $0.kind != .activity && $0.kind != .savedActivity && isOver($0) }
    }

    /// The rows that carry a name as one of their keys.
    func mentions(_ name: String) -> Int {
        rows.filter { row in
            [
                row.identifier, row.group, row.persistentIdentifier, row.relatedIdentifier,
                row.weakRelatedIdentifier, row.entityIdentifier,
                row.nestedActivity?.persistentIdentifier, row.link?.zone,
                row.link?.record,
            ].contains(name) || isInside(row.domain, [name]) || (row.title ?? "").contains(name)
        }.count
    }

    /// What the rows are, in words that can be compared.
    var contents: [String] { rows.map(\.summary).sorted() }
}

extension Donation {
    /// Whether it is the same row of a history.
    func isNamed(like other: Donation) -> Bool { kind == other.kind && actionID == other.actionID }

    /// What tells this row from all others of a history.
    var summary: String { "\(kind) \(actionID ?? "")\(nestedActivity == nil ? "" : " nested")" }
}

private func isActivity(_ row: Donation) -> Bool {
    row.kind == .activity || row.kind == .savedActivity
}

private func isInside(_ domain: String?, _ parents: [String]) -> Bool {
    guard let domain else { return false }
    return parents.contains { domain == $0 || domain.hasPrefix($0 + ".") }
}
