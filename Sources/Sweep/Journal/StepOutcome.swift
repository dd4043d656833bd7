/// What became of a step's items so far: absolute, so that writing it twice changes nothing.
package struct StepOutcome: Sendable, Hashable {
    /// Requests sent for it.
    package var attempts: Int
    /// One for each item, in the order of the step's line.
    package var items: [ItemOutcome]

    package init(attempts: Int = 0, items: [ItemOutcome]) {
        self.attempts = attempts
        self.items = items
    }

    /// Nothing is known of `count` items.
    package init(pending count: Int) {
        self.init(items: [ItemOutcome](repeating: .pending, count: count))
    }

    package var counts: ItemCounts { ItemCounts(items) }
}
