/// Which of a run's looks saw a row.
package enum Look: Int, Sendable, CaseIterable {
    /// What the approved plan was made of.
    case planned = 0
    /// What is there just before deleting.
    case fresh = 1
    /// What a pass of the verification sees; forgotten before the next pass.
    case verification = 2
}
