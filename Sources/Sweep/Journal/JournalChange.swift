package import Basics
package import CloudModel

/// One thing to be written. Changes given together are on disk together or not at all.
package enum JournalChange: Sendable {
    /// Things seen; what is there already stays as it is.
    case seen(Look, [SeenRow])
    /// Sets `detail` of a row seen before.
    case detail(Look, SeenRow)
    /// A rule keeps these rows, seen before.
    case kept(Look, [SeenRow])
    /// References among what was seen; what is there already stays as it is.
    case links(Look, [LinkRow])
    /// Forgets what a look saw.
    case forget(Look)
    /// Record types of a container, which outlive the run; at most ``typesMax``.
    case types(Container.ID, Container.Environment, [String])
    case planLines([PlanLineRow])
    /// Forgets the plan of the run.
    case dropPlan
    /// Moves a step, and says what became of all its items.
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
    case dropNote(key: String)
    /// Zones that must not come back, whoever wants to write to them.
    case fences(Database.Address, zones: [RecordZone.ID])
    /// Marks the plan as the one that the run was approved for, and as used.
    case usePlan(digest: String, at: Timestamp)
    case subjects([String])
    /// The fingerprint of the server's key.
    case serverKey(String)
    case plan(digest: String, header: [UInt8], footer: [UInt8])
    case stage(RunRow.Stage)
    case ended(Timestamp, status: Int, report: [UInt8])
    /// Takes locks for the holder, one for each key. While a run has locks, only the journal that
    /// took them writes to it.
    case lock(keys: [String], LockHolder)
    /// Lets go of the run's locks.
    case unlock
    /// Lets go of the locks of a holder that is no run of the journal.
    case unlockAll(of: String)

    /// How many record types are kept for a container and environment.
    package static let typesMax = 10_000
}
