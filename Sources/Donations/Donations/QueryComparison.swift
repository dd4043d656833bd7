/// One comparison of an attribute with a constant.
package struct QueryComparison: Sendable, Hashable {
    /// How the two are compared.
    package enum Operator: String, Sendable, CaseIterable {
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }
    /// Which attributes are meant.
    package enum Subject: Hashable, Sendable {
        /// The attribute of this name.
        case attribute(String)
        /// Every attribute that full-text search covers, written `**`.
        case searchableText
        /// Every attribute, written `*`.
        case anything
    }
    /// What it is compared with.
    package enum Constant: Hashable, Sendable {
        case pattern(QueryPattern)
        case number(Double)
        /// Seconds since 1 January 1970, UTC.
        case date(Double)
    }

    /// The attribute or attributes.
    package let subject: Subject
    /// How they are compared.
    package let comparison: Operator
    /// With what.
    package let constant: Constant

    /// Makes a comparison.
    package init(_ subject: Subject, _ comparison: Operator, _ constant: Constant) {
        self.subject = subject
        self.comparison = comparison
        self.constant = constant
    }

    /// Whether one of `values` compares as asked; for `!=`, whether none is equal, so that an
    /// attribute that is not set differs from everything.
    package func holds(for values: [QueryValue]) -> Bool {
        if comparison == .notEqual { return !values.contains(where: isEqual) }
        return values.contains(where: compares)
    }

    private func isEqual(_ value: QueryValue) -> Bool {
        switch (value, constant) {
        case (.text(let text), .pattern(let pattern)): pattern.matches(text)
        case (.number(let left), .number(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        default: false
        }
    }

    private func compares(_ value: QueryValue) -> Bool {
        switch (value, constant) {
        case (.text(let text), .pattern(let pattern)):
            comparison == .equal
                ? pattern.matches(text)
                : orders(Array(text.utf8), Array(pattern.literal.utf8)) {
                    $0.lexicographicallyPrecedes($1)
                }
        case (.number(let left), .number(let right)): orders(left, right, by: <)
        case (.date(let left), .date(let right)): orders(left, right, by: <)
        default: false
        }
    }

    private func orders<Ordered: Equatable>(
        _ left: Ordered, _ right: Ordered, by precedes: (Ordered, Ordered) -> Bool
    ) -> Bool {
        switch comparison {
        case .equal: left == right
        case .notEqual: left != right
        case .less: precedes(left, right)
        case .lessOrEqual: left == right || precedes(left, right)
        case .greater: precedes(right, left)
        case .greaterOrEqual: left == right || precedes(right, left)
        }
    }
}
