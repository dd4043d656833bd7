package import Donations

/// Where a walk through the items stands.
package struct SearchCursor: Sendable, Hashable {
    /// What every item to be seen holds; nil: all items are seen.
    let fullText: String?
    /// The place, or the row, after which it goes on.
    let after: Int64

    /// The beginning of a walk that sees every item that can fulfil a condition.
    package init(for predicate: QueryPredicate) {
        fullText = QueryFullText(for: predicate, column: SearchIndex.column)?.expression
        // By words it goes downwards.
        after = fullText == nil ? 0 : .max
    }

    init(fullText: String?, after: Int64) {
        self.fullText = fullText
        self.after = after
    }
}

/// Some items, and where to go on.
package struct SearchPage: Sendable {
    /// Visible items; fewer than asked for only at the end.
    package let items: [Donation]
    /// Nil at the end.
    package let next: SearchCursor?
}
