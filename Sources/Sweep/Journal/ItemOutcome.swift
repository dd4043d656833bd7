/// What became of one item of a step.
package enum ItemOutcome: UInt8, Sendable, CaseIterable {
    /// Not known: not sent, or sent without an answer.
    case pending = 0
    case deleted = 1
    case alreadyGone = 2
    /// Refused after all retries.
    case failed = 3
    /// Waits for other records to go first.
    case deferred = 4
    /// Not to be sent any more: a rule keeps it now, or there is nothing to be said of it.
    case spared = 5
}
