/// How a command ended, as the process tells it. Any other code is a failure too.
package enum ExitStatus: Int32, Sendable, CaseIterable {
    /// Done, and verified empty everywhere in scope. (`plan`: nothing to delete.)
    case done = 0
    case internalError = 1
    /// Usage or configuration error.
    case usage = 2
    /// Refused by a guard; the command deleted nothing.
    case refused = 3
    /// Something in scope could not be listed; the command deleted nothing.
    case discoveryIncomplete = 4
    /// Some deletions failed after all retries, or were allowed to be partial.
    case partlyFailed = 5
    /// Deletions were accepted, but verification still finds data.
    case dataLeft = 6
    /// Not signed in, token invalid, or container forbidden.
    case notSignedIn = 7
    /// The maximum duration was reached; `resume` continues.
    case outOfTime = 8
    /// Another run holds the lock.
    case locked = 9
    /// `plan` found something to delete.
    case somethingToDelete = 10
    case evidenceInvalid = 11
    /// Done and verified; what was to follow it, a restriction or a hook, failed.
    case followUpFailed = 12
    /// Interrupted (SIGINT); the journal is safe.
    case interrupted = 130
    /// Terminated (SIGTERM); the journal is safe.
    case terminated = 143
}
