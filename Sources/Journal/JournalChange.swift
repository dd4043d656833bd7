package import CloudModel

/// One thing to be written. Changes given together are on disk together or not at all.
package enum JournalChange: Sendable {
    /// Things seen; what is there already stays as it is.
    case seen(pass: Int, [SeenRow])
    /// Sets `detail` of a row seen before.
    case detail(pass: Int, SeenRow)
    /// Forgets what a pass saw.
    case forget(pass: Int)
    case planLines([PlanLineRow])
    /// Forgets the plan of the run.
    case dropPlan
    case step(number: Int, to: StepState, StepOutcome)
    /// All acknowledged steps were verified.
    case allVerified
    case failures([FailureRow])
    /// Forgets failures noted before, for a new try.
    case dropFailures
    /// An event of the evidence chain: canonical JSON without names or tokens.
    case event([UInt8])
    case note(key: String, value: [UInt8])
    /// A note that stays as it was first written.
    case noteOnce(key: String, value: [UInt8])
    case fences(container: Container.ID, Container.Environment, Database.Scope, zones: [String])
    /// Takes the fence of one zone away.
    case liftFence(Database.Address, zone: String)
    /// Marks the plan as used by this run.
    case usePlan(digest: String, at: Timestamp)
    case subjects([String])
    case plan(digest: String, header: [UInt8], footer: [UInt8])
    case stage(RunRow.Stage)
    case ended(Timestamp, status: Int, report: [UInt8])
    /// Takes locks for this run, one for each key.
    case lock(keys: [String], LockHolder)
    case unlock
    /// Lets go of the locks of a holder that is no run of the journal.
    case unlockAll(of: String)
}
