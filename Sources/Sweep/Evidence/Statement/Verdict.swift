/// What a statement says in one word. The signer derives it; no caller hands one in.
package enum Verdict: String, Sendable, CaseIterable {
    /// Everything in scope is gone from Apple's service, but for what a rule keeps, and was looked
    /// at again.
    case complete
    /// Something is left, or could not be looked at, or was not proven gone.
    case partial
    /// It happened at another service than Apple's, and says nothing about anybody's data.
    case rehearsal
}
