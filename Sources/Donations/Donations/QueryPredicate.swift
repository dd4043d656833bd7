/// A condition on a searchable item, parsed from a query string.
package indirect enum QueryPredicate: Sendable, Hashable {
    case comparison(QueryComparison)
    /// Holds when all of them do.
    case all([QueryPredicate])
    /// Holds when one of them does.
    case any([QueryPredicate])

    /// How long a query may be, in Unicode scalars.
    package static let lengthMax = 8_192
    /// How deep parentheses may nest.
    package static let depthMax = 64
    /// How many comparisons a query may have.
    package static let comparisonCountMax = 256

    /// Parses a query string.
    ///
    /// - Parameter now: What `$time.now` stands for, in seconds since 1 January 1970.
    /// - Throws: ``QueryError`` with the place of the first mistake.
    package init(parsing query: String, now: Double) throws(QueryError) {
        var parser = QueryParser(query, now: now)
        self = try parser.parse()
    }

    /// Whether an item fulfils the condition.
    ///
    /// - Parameter values: Gives what the item holds for a subject; empty where it is not set.
    package func holds(_ values: (QueryComparison.Subject) -> [QueryValue]) -> Bool {
        switch self {
        case .comparison(let comparison): comparison.holds(for: values(comparison.subject))
        case .all(let parts): parts.allSatisfy { $0.holds(values) }
        case .any(let parts): parts.contains { $0.holds(values) }
        }
    }
}
