/// Which of a run's looks saw a row.
package enum Look: Int, Sendable, CaseIterable {
    /// What the approved plan was made of.
    case planned = 0
    /// What is there just before deleting.
    case fresh = 1
    /// What a pass of the verification sees; forgotten before the next pass.
    case verification = 2
    /// The assets that any look before the verification came across; they stay with the run, whose
    /// verifications ask for them.
    case assets = 3
}
