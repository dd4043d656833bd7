/// A person's or an automation's yes to one plan.
package enum Approval: Sendable, Hashable {
    /// The plan's digest, as `--approve` gives it.
    case digest(String)
    /// What was typed at the question.
    case typed(String)
    /// The journal says that this very plan was approved before, and its run was interrupted.
    case resumed(digest: String)
}
