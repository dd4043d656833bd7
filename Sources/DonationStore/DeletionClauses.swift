import Donations
import SQLite

/// A selector as conditions on the tables: the same rules as `DonationSelector.matches`, in the
/// same order. Names in lists are in the table `temp.keys` (see ``keys``).
struct DeletionClauses {
    typealias Part = (rule: DonationReceipt.Rule, clause: Clause)

    let selector: DonationSelector
    /// The names that the conditions look up in `temp.keys`.
    let keys: [String]

    init(_ selector: DonationSelector) {
        self.selector = selector
        keys =
            switch selector {
            case .interactions(let names), .activities(let names), .appIntents(let names),
                .searchableItems(let names, _):
                names
            case .interactionGroup(let group): [group]
            case .searchableDomains(let domains, _): DomainName.outermost(domains)
            case .appEntities(_, let identifiers): identifiers ?? []
            default: []
            }
    }

    /// In the order of deletion: what looks at other rows goes before them.
    static let order: [DonationKind] = [
        .activity, .savedActivity, .searchableItem, .interaction, .appIntent,
    ]

    /// The conditions on the rows of a kind; of those that hold the first one counts.
    func parts(_ kind: DonationKind) -> [Part] {
        switch kind {
        case .searchableItem: item.map { [$0] } ?? []
        case .activity, .savedActivity: activityAlone(kind) + (related.map { [$0] } ?? [])
        case .interaction: interaction.map { [$0] } ?? []
        case .appIntent: appIntent.map { [$0] } ?? []
        default: []
        }
    }

    /// Interactions whose nested activity is taken out (A14).
    var scrubbed: Clause? {
        switch selector {
        case .activities: Clause(Self.isKey("nested_pid"))
        case .allActivities: Clause("nested = 1")
        default: nil
        }
    }

    // MARK: Kinds

    private var item: Part? {
        switch selector {
        case .searchableItems(_, let index):
            (.direct, Clause(Self.isKey("identifier")).and(inIndex(index)))
        case .searchableDomains(_, let index):
            (.domain, Self.inDomain(.searchableItem).and(inIndex(index)))
        case .allSearchableItems(let index): (.direct, inIndex(index))
        case .appEntities(let type, let identifiers):
            type.isEmpty
                ? nil
                : (
                    .direct,
                    Clause("entity_type = ?", .text(type)).and(
                        identifiers == nil ? .all : Clause(Self.isKey("entity")))
                )
        case .donated(let from, let until, includingItems: true):
            (.direct, happened(from, until))
        case .linked(let part): (.content, linked(part))
        case .expired(let moment): (.expiry, Clause("expires <= ?", .integer(moment)))
        case .everything: (.direct, .all)
        default: nil
        }
    }

    private func activityAlone(_ kind: DonationKind) -> [Part] {
        switch selector {
        case .activities: [(.persistentIdentifier, Clause(Self.isKey("pid")))]
        case .searchableDomains(_, nil): [(.domain, Self.inDomain(kind))]
        case .activityType(let type):
            type.isEmpty ? [] : [(.direct, Clause("type = ?", .text(type)))]
        case .donated(let from, let until, _): [(.direct, happened(from, until))]
        case .linked(let part): [(.content, linked(part))]
        case .expired(let moment): expired(kind, moment)
        case .allActivities, .everything: [(.direct, .all)]
        default: []
        }
    }

    private func expired(_ kind: DonationKind, _ moment: Int64) -> [Part] {
        let isOver = Clause("expires <= ?", .integer(moment))
        guard kind == .activity else { return [(.expiry, isOver)] }
        return [
            (
                .savedActivity,
                Clause(
                    "saved_key IN (SELECT saved_key FROM saved WHERE expires <= ?)",
                    .integer(moment))
            ),
            (
                .expiry,
                isOver.and(
                    Clause(
                        "NOT EXISTS (SELECT 1 FROM saved WHERE saved.saved_key ="
                            + " activities.saved_key)"))
            ),
        ]
    }

    /// D6 for each item that goes.
    private var related: Part? {
        switch selector {
        case .searchableItems(_, nil): return (.relatedItem, Clause(Self.isKey("related")))
        case .allSearchableItems(nil): return (.relatedItem, Clause("related IS NOT NULL"))
        case .everything: return nil
        default: break
        }
        guard let item else { return nil }
        return (
            .relatedItem,
            Clause(
                "related IN (SELECT identifier FROM items WHERE \(item.clause.sql))",
                values: item.clause.values)
        )
    }

    private var interaction: Part? {
        switch selector {
        case .interactions: (.direct, Clause(Self.isKey("identifier")))
        case .interactionGroup: (.direct, Clause(Self.isKey("grp")))
        case .allInteractions: (.direct, Clause("siri = 0"))
        case .allSearchableItems: (.allItemsInteractions, .all)
        default: both
        }
    }

    private var appIntent: Part? {
        switch selector {
        case .appIntents: return (.direct, Clause(Self.isKey("identifier")))
        case .appIntentsAbout(let type, let identifier):
            guard !type.isEmpty, !identifier.isEmpty else { return nil }
            return (
                .direct, Clause("entity_type = ? AND entity = ?", .text(type), .text(identifier))
            )
        case .appIntentType(let type, let identifier):
            guard !type.isEmpty else { return nil }
            let isType = Clause("type = ?", .text(type))
            return (
                .direct, identifier.map { isType.and(Clause("entity = ?", .text($0))) } ?? isType
            )
        default: return both
        }
    }

    /// What interactions and App Intents records have in common.
    private var both: Part? {
        switch selector {
        case .intentClass(let type):
            type.isEmpty ? nil : (.direct, Clause("type = ?", .text(type)))
        case .donated(let from, let until, _): (.direct, happened(from, until))
        case .linked(let part): (.content, linked(part))
        case .expired(let moment): (.expiry, Clause("expires <= ?", .integer(moment)))
        case .everything: (.direct, .all)
        default: nil
        }
    }

    // MARK: Conditions

    private static func isKey(_ column: String) -> String {
        "\(column) IN (SELECT key FROM temp.keys)"
    }

    /// Rows whose domain is one of the keys or lies below it. "/" is the byte after ".".
    static func inDomain(_ kind: DonationKind) -> Clause {
        Clause(
            "id IN (SELECT t.id FROM temp.keys CROSS JOIN \(kind.table) t WHERE t.domain >= key"
                + " AND t.domain < key || '/' AND (t.domain = key OR t.domain >= key || '.'))")
    }

    private func inIndex(_ name: String?) -> Clause {
        name.map { Clause("index_name = ?", .text($0)) } ?? .all
    }

    private func happened(_ from: Int64, _ until: Int64) -> Clause {
        Clause(
            "(donated >= ? AND donated < ?) OR (begun >= ? AND begun < ?)", .integer(from),
            .integer(until), .integer(from), .integer(until))
    }

    private func linked(_ part: ContentLink) -> Clause {
        var clause = Clause("container = ?", .text(part.container))
        if let scope = part.scope { clause = clause.and(Clause("scope = ?", .text(scope))) }
        guard let zone = part.zone else { return clause }
        clause = clause.and(
            Clause(
                "zone = ? AND ifnull(owner, '') = ?", .text(zone), .text(part.zoneOwner ?? "")))
        return part.record.map { clause.and(Clause("record = ?", .text($0))) } ?? clause
    }
}
