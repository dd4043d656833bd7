import Configuration
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
    /// Rules that keep nothing of what was seen.
    var unmatchedRules: [ProtectRule] = []
    /// Those of them that are probably misspelled.
    var misspellings: [Misspelling] = []
    /// What the deletions would take along.
    var cascade = CascadeFinding.none
}

extension PlanOutline {
    /// Why the first misspelled rule is an error; nil: none is misspelled.
    var misspelledRule: String? {
        guard let first = misspellings.first else { return nil }
        let more = misspellings.count - 1
        return "a protect rule names \"\(first.written)\", which does not exist here, but "
            + "\"\(first.meant)\" does: correct the rule, or protect both"
            + (more == 0 ? "" : " (and \(more) more)")
    }
}
