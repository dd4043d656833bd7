import Donations
import SQLite

/// A selector as conditions on the tables, made from the rules of its kind. Names in lists are in
/// the table `temp.keys` (see ``keys``).
struct DeletionClauses {
    typealias Part = (rule: DonationReceipt.Rule, clause: Clause)

    let selector: DonationSelector
    /// The names that the conditions look up in `temp.keys`.
    let keys: [String]
    private let names: DonationSelector.Names?

    init(_ selector: DonationSelector) {
        self.selector = selector
        names = selector.names
        let list = names?.list ?? []
        keys = names?.key == .domain ? DomainName.outermost(list) : list
    }

    /// In the order of deletion: what looks at other rows goes before them.
    static let order: [DonationKind] = [
        .activity, .savedActivity, .searchableItem, .interaction, .appIntent,
    ]

    /// The conditions on the rows of a kind; of those that hold the first one counts.
    func parts(_ kind: DonationKind) -> [Part] {
        selector.kind.rules.filter { $0.kinds.contains(kind) }.compactMap { rule in
            guard let index = condition(rule.index), let test = condition(rule.test, kind) else {
                return nil
            }
            return (rule.reason, test.and(index))
        }
    }

    /// Interactions whose nested activity is taken out (A14).
    var scrubbed: Clause? {
        selector.kind.scrubs.map { test in
            test == .anyRow ? Clause("nested = 1") : Clause(Self.isKey("nested_pid"))
        }
    }

    /// The condition of keys that no row has: an identifier that never matches is the commonest
    /// mistake (M2). Nil for names of the app's own types, and for selectors without names.
    var unmatched: Clause? {
        guard let names, names.type == nil, !names.key.isType else { return nil }
        var all = Clause.all
        for rule in selector.kind.rules {
            guard case .isNamed = rule.test, let index = condition(rule.index) else { continue }
            for kind in rule.kinds {
                let row = Self.condition(names, kind) { "\($0) = key" }.and(index)
                all = all.and(row.isFulfilledNowhere(in: kind))
            }
        }
        guard case .isNamed? = selector.kind.scrubs else { return all }
        return all.and(Clause("nested_pid = key").isFulfilledNowhere(in: .interaction))
    }

    // MARK: Rules

    private func condition(_ index: DeletionRule.IndexRule) -> Clause? {
        switch index {
        case .ignored: .all
        case .isSame: selector.index.map { Clause("index_name = ?", .text($0)) } ?? .all
        case .isNamed: selector.index == nil ? nil : .all
        case .isUnnamed: selector.index == nil ? .all : nil
        }
    }

    private func condition(_ test: DeletionRule.Test, _ kind: DonationKind) -> Clause? {
        switch test {
        case .anyRow: return .all
        case .isFromApp: return Clause("siri = 0")
        case .isNamed(let all):
            guard let names, all.contains(names.key), names.type != "" else { return nil }
            return names.key == .domain
                ? Self.inDomain(kind) : Self.condition(names, kind, Self.isKey)
        case .happened:
            return selector.span.map { span in
                let bounds = [span.lowerBound, span.upperBound].map { Value.integer($0) }
                return Clause(
                    "(donated >= ? AND donated < ?) OR (begun >= ? AND begun < ?)",
                    values: bounds + bounds)
            }
        case .isLinked:
            guard case .linked(let part) = selector else { return nil }
            return .linked(into: part)
        case .isExpired:
            let saved = "EXISTS (SELECT 1 FROM saved WHERE saved.saved_key = activities.saved_key)"
            return isOver?.butNot(kind == .activity ? [Clause(saved)] : [])
        case .savedActivityIsExpired:
            return isOver.map { over in
                Clause(
                    "saved_key IN (SELECT saved_key FROM saved WHERE \(over.sql))",
                    values: over.values)
            }
        case .hasItem: return Clause("related IS NOT NULL")
        case .itemGoes:
            return parts(.searchableItem).first.map { item in
                Clause(
                    "related IN (SELECT identifier FROM items WHERE \(item.clause.sql))",
                    values: item.clause.values)
            }
        }
    }

    private var isOver: Clause? {
        guard case .expired(let moment) = selector else { return nil }
        return Clause("expires <= ?", .integer(moment))
    }

    // MARK: Names

    private static func isKey(_ column: String) -> String {
        "\(column) IN (SELECT key FROM temp.keys)"
    }

    /// - Parameter isOne: Says of a column that it has one of the names, or the one at hand.
    private static func condition(
        _ names: DonationSelector.Names, _ kind: DonationKind, _ isOne: (String) -> String
    ) -> Clause {
        let columns = names.key.columns(kind).map(\.rawValue)
        if names.key == .domain { return Clause(inKey) }
        let last = Clause(columns.last.map(isOne) ?? "0")
        return names.type.map { Clause("\(columns[0]) = ?", .text($0)).and(last) } ?? last
    }

    /// The domain is the key at hand or lies below it. "/" is the byte after ".".
    private static let inKey =
        "domain >= key AND domain < key || '/' AND (domain = key OR domain >= key || '.')"

    /// Rows whose domain is one of the keys or lies below it.
    static func inDomain(_ kind: DonationKind) -> Clause {
        Clause("id IN (SELECT id FROM temp.keys CROSS JOIN \(kind.table) WHERE \(inKey))")
    }
}

extension Clause {
    /// Rows that are linked into a part of a container.
    static func linked(into part: ContentLink) -> Clause {
        var clause = Clause("container = ?", .text(part.container))
        if let scope = part.scope { clause = clause.and(Clause("scope = ?", .text(scope))) }
        guard let zone = part.zone else { return clause }
        clause = clause.and(
            Clause(
                "zone = ? AND ifnull(owner, '') = ?", .text(zone), .text(part.zoneOwner ?? "")))
        return part.record.map { clause.and(Clause("record = ?", .text($0))) } ?? clause
    }

    fileprivate func isFulfilledNowhere(in kind: DonationKind) -> Clause {
        Clause("NOT EXISTS (SELECT 1 FROM \(kind.table) WHERE \(sql))", values: values)
    }
}

extension DonationKey {
    /// Whether it is one of the app's own types, and says nothing of a person.
    fileprivate var isType: Bool {
        [.entityType, .intentType, .activityType, .intentClass].contains(self)
    }
}
