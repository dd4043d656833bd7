import Donations

/// A travelling selector, ready to be asked about many rows: the decision table over digests, which
/// says the same of every row as `DonationSelector.matches`.
struct ExchangePredicate {
    let selector: ExchangeSelector
    private let keys: Set<String>
    private let rules: [DeletionRule]

    init(_ selector: ExchangeSelector) {
        self.selector = selector
        keys = Set(selector.keys)
        rules = selector.kind.rules
    }

    /// Whether a row is meant.
    ///
    /// - Parameter item: The item that an activity is strongly related to, when it is here.
    func matches(_ row: inout ExchangeRowKeys, item: inout ExchangeRowKeys?) -> Bool {
        for rule in rules where rule.kinds.contains(row.row.kind) && isIn(rule.index, &row) {
            if holds(rule.test, &row, &item) { return true }
        }
        return false
    }

    /// Whether an interaction stays, but the activity in its response is taken out (A14).
    func scrubs(_ row: Donation, _ digests: ExchangeKeys) -> Bool {
        guard row.kind == .interaction, let nested = row.nestedActivity,
            let test = selector.kind.scrubs
        else { return false }
        guard case .isNamed(let all) = test else { return true }
        guard let name = nested.persistentIdentifier?.orNil else { return false }
        return all.contains { keys.contains(digests($0, name)) }
    }

    private func isIn(_ rule: DeletionRule.IndexRule, _ row: inout ExchangeRowKeys) -> Bool {
        switch rule {
        case .ignored: true
        case .isSame: selector.indexKey.map { $0 == row.key(.index) } ?? true
        case .isNamed: selector.indexKey != nil
        case .isUnnamed: selector.indexKey == nil
        }
    }

    private func holds(
        _ test: DeletionRule.Test, _ row: inout ExchangeRowKeys, _ item: inout ExchangeRowKeys?
    ) -> Bool {
        switch test {
        case .anyRow: return true
        case .isFromApp: return !row.row.isFromSiri
        case .isNamed(let all):
            for key in all where row.has(key, keys) { return true }
            return false
        case .happened:
            return [row.row.donatedAt, row.row.begin].contains {
                $0.milliseconds >= selector.from && $0.milliseconds < selector.until
            }
        case .isLinked: return row.has(.link, keys)
        case .hasItem: return row.row.relatedIdentifier != nil
        case .itemGoes:
            guard row.row.relatedIdentifier != nil, var related = item else { return false }
            defer { item = related }
            var none: ExchangeRowKeys?
            return matches(&related, item: &none)
        // Each device has a clock of its own: no such selector travels.
        case .isExpired, .savedActivityIsExpired: return false
        }
    }
}
