import DeletionPlanning

/// What came of planning, besides the lines in the journal.
struct Planned: Sendable {
    var facts: PlanFacts
    var kept: [RowKey: KeptCount]
    /// Places that the plan says cannot be proven.
    var unproven: Set<UnprovenPlace>
}

/// What a plan made of a look would come to.
struct PlanOutline: Sendable {
    var totals = PlanTotals()
    /// The records that would go and stay, as far as the caps want them counted.
    var census = RecordCensus()
    var kept: [RowKey: KeptCount] = [:]
    var unproven: Set<UnprovenPlace> = []
    /// Rules that keep nothing of what was seen: probably misspelled.
    var unmatchedRules: [ProtectRule] = []
    /// What the deletions would take along.
    var cascade = CascadeFinding.none
}
