/// What deleting the planned records would take along by `DELETE_SELF` references, although it
/// is kept or belongs to other people.
package struct CascadeFinding: Sendable, Hashable {
    /// Kept things that would go along.
    package var kept: Int
    /// Other people's records that would go along, as far as they could be listed.
    package var others: Int
    /// Those of them that the policy does not give up.
    package var othersRefused: Int
    /// The shortest chain for each of the first few, in words: for the person at the screen only.
    package var chains: [String]

    package init(
        kept: Int = 0, others: Int = 0, othersRefused: Int = 0, chains: [String] = []
    ) {
        self.kept = kept
        self.others = others
        self.othersRefused = othersRefused
        self.chains = chains
    }

    /// Nothing goes along.
    package static let none = CascadeFinding()
}
