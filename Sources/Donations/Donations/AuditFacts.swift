/// What a store says about the donations of one kind and type, in numbers.
package struct AuditSubject: Sendable, Hashable {
    package let kind: DonationKind
    /// The activity type or intent class.
    package let type: String
    package var rows = 0
    /// Rows that no key but their own made-up name can reach: an interaction with neither group
    /// nor link whose identifier is a default UUID, an activity with neither persistent
    /// identifier, related item, domain nor link.
    package var withoutKey = 0
    /// Rows that name the act they tell of.
    package var withAction = 0
    /// Acts that more than one row tells of.
    package var repeatedActions = 0
    /// Rows that are the fifth or later of the same pattern within one second.
    package var inLoops = 0

    package init(kind: DonationKind, type: String) {
        self.kind = kind
        self.type = type
    }
}

/// What a store remembers of its deletions and refusals.
package struct AuditFacts: Sendable, Hashable {
    package var subjects: [AuditSubject] = []
    /// Deletions that removed something.
    package var deletions = 0
    /// Deletions that named identifiers and removed nothing.
    package var emptyDeletions = 0
    /// Refusals, by outcome.
    package var refusals: [DonationOutcome: Int] = [:]
    /// Rows from other devices that wait for the item they belong to.
    package var parked = 0

    package init() {}
}
