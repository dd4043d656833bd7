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
    /// - Returns: Why the row goes, by the first rule that holds; nil when the row stays.
    package func matches(
        _ row: Donation, _ beside: Surroundings = Surroundings()
    ) -> DonationReceipt.Rule? {
        kind.rules.first { rule in
            rule.kinds.contains(row.kind) && isIn(rule.index, row) && holds(rule.test, row, beside)
        }?.reason
    }

    /// Whether an interaction stays, but the activity in its response is taken out (A14).
    package func scrubs(_ row: Donation) -> Bool {
        guard row.kind == .interaction, let nested = row.nestedActivity, let test = kind.scrubs
        else { return false }
        guard case .isNamed = test else { return true }
        return nested.persistentIdentifier.map { names?.has([$0]) ?? false } ?? false
    }

    private func isIn(_ rule: DeletionRule.IndexRule, _ row: Donation) -> Bool {
        switch rule {
        case .ignored: true
        case .isSame: index.map { $0.isSame(as: row.indexName) } ?? true
        case .isNamed: index != nil
        case .isUnnamed: index == nil
        }
    }

    private func holds(
        _ test: DeletionRule.Test, _ row: Donation, _ beside: Surroundings
    ) -> Bool {
        switch test {
        case .anyRow: true
        case .isFromApp: !row.isFromSiri
        case .isNamed(let keys):
            names.map { names in
                keys.contains(names.key) && row.words(names.key).map(names.has) ?? false
            } ?? false
        case .happened:
            span.map { span in
                [row.donatedAt, row.begin].contains { span.contains($0.milliseconds) }
            } ?? false
        case .isLinked:
            if case .linked(let part) = self { row.link.map(part.contains) ?? false } else { false }
        case .isExpired: (row.kind != .activity || beside.savedActivity == nil) && isOver(row)
        case .savedActivityIsExpired: beside.savedActivity.map(isOver) ?? false
        case .hasItem: row.relatedIdentifier != nil
        case .itemGoes:
            row.relatedIdentifier != nil && beside.relatedItem.map { matches($0) != nil } ?? false
        }
    }

    private func isOver(_ row: Donation) -> Bool {
        guard case .expired(let moment) = self else { return false }
        return row.isExpired(at: moment)
    }
}

extension DonationSelector.Names {
    /// Whether a row's words are one of these names.
    fileprivate func has(_ words: [String]) -> Bool {
        guard let last = words.last, !last.isEmpty, type.map({ $0.isSame(as: words[0]) }) ?? true
        else { return false }
        return list.contains { key == .domain ? last.isDomain(inside: $0) : $0.isSame(as: last) }
    }
}

extension Donation {
    /// Whether its time is over.
    package func isExpired(at moment: Int64) -> Bool {
        expiration.map { $0.milliseconds <= moment } ?? false
    }
}
