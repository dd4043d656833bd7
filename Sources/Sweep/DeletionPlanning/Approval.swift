/// A person's or an automation's yes to one plan.
package enum Approval: Sendable, Hashable {
    /// The plan's digest, as `--approve` gives it.
    case digest(String)
    /// What was typed at the question.
    case typed(String)
    /// The digest that the journal noted when the run was approved, before it was interrupted.
    /// The plan's own digest is computed anew from its lines and must be the same.
    case resumed(digest: String)
}
