package import Basics
package import CloudModel

/// The sweep's ledger: what is meant, what was sent, what came of it. Decides nothing.
///
/// A write returns when it is on disk. Where a value was damaged, reading it is an error, never a
/// default. Every method throws ``JournalError``.
package protocol Journal: Sendable {
    // MARK: Writing

    /// Begins a run, together with its first changes.
    func begin(
        _ start: RunStart, _ changes: [JournalChange]
    ) async throws(JournalError) -> RunRow

    /// Writes changes of one run, all or none, and returns when they are on disk.
    ///
    /// After a failed write nothing more is written; a lock held by others, and a limit that would
    /// be exceeded, undo these changes alone.
    func write(_ changes: [JournalChange], run: Int64) async throws(JournalError)

    /// Writes changes of one run, all or none, without waiting for the disk.
    ///
    /// When it returns, the changes outlive the process, however it ends, but not the machine: they
    /// are on disk when a later ``write(_:run:)`` or ``flush()`` returns, and never without all
    /// that was written before them. For what need not be on disk before a request is sent, because
    /// the approved plan is.
    func note(_ changes: [JournalChange], run: Int64) async throws(JournalError)

    /// Returns when everything written before is on disk.
    func flush() async throws(JournalError)

    /// Takes the names and texts of runs that have ended out of the journal for good: what they saw,
    /// their plans, failures, notes and reports. Their rows, counts, evidence chains and fences
    /// stay. Can be called again.
    ///
    /// - Parameter runs: The runs, and what takes the place of each report; nil: nothing.
    /// - Throws: `unfinished` when a run is under way or can be continued, with what to do; none is
    ///   forgotten then. `busy` when another process kept the file from being written anew.
    func forget(_ runs: [(run: Int64, report: [UInt8]?)]) async throws(JournalError)

    /// Removes runs that ended before a time, or were cut off before it without anything to
    /// continue, as thoroughly. Fences, record types and the digests of used plans stay.
    ///
    /// - Returns: the runs that were removed.
    func prune(before time: Timestamp) async throws(JournalError) -> [String]

    /// Lets go of the file and of every lock. Nothing is written after that.
    func close() async

    // MARK: Runs

    /// The runs, newest first.
    ///
    /// - Parameter limit: nil: all of them.
    func runs(limit: Int?) async throws(JournalError) -> [RunRow]
    /// A run by its identifier.
    func run(id: String) async throws(JournalError) -> RunRow
    /// A run by its key.
    func run(key: Int64) async throws(JournalError) -> RunRow
    /// The run that used the plan; nil: it was not used yet.
    func run(usingPlan digest: String) async throws(JournalError) -> RunRow?
    /// The plan that the run was approved for, and when; nil: it was not yet.
    func approval(run: Int64) async throws(JournalError) -> (digest: String, at: Timestamp)?
    /// The report as it was when the run last ended; nil while it never did.
    func report(run: Int64) async throws(JournalError) -> [UInt8]?
    /// A note left under `key`.
    func note(run: Int64, key: String) async throws(JournalError) -> [UInt8]?
    /// The notes that runs left under `key`, by the run; of all runs that have one.
    func notes(_ key: String) async throws(JournalError) -> [Int64: [UInt8]]
    /// A secret of this journal, made at the first use: 32 bytes that stay on this machine.
    func secret(_ name: String) async throws(JournalError) -> [UInt8]

    // MARK: What was seen

    /// Up to `limit` rows of a look after `row`, sorted by container, database, kind, zone, type
    /// and name.
    func seen(
        run: Int64, in look: Look, after row: SeenRow?, limit: Int
    ) async throws(JournalError) -> [SeenRow]
    /// How many rows of each sort a look saw, kept ones too.
    func seenCounts(run: Int64, in look: Look) async throws(JournalError) -> [SeenCount]
    /// Those of `rows` that the look saw and that no rule keeps: what may be sent.
    func deletable(
        _ rows: [SeenRow], run: Int64, in look: Look
    ) async throws(JournalError) -> [SeenRow]
    /// Those of `rows` that the look saw, kept or not.
    func seen(
        _ rows: [SeenRow], run: Int64, in look: Look
    ) async throws(JournalError) -> [SeenRow]
    /// What the verification saw of what was planned and no rule keeps: still there.
    func leftOfPlan(run: Int64) async throws(JournalError) -> [SeenCount]
    /// What the fresh look saw that could be planned and no rule keeps, and that the planned look
    /// did not see or that a rule kept then. Empty: the approved plan covers what is there.
    func unplanned(run: Int64) async throws(JournalError) -> [SeenCount]
    /// What deleting every record of the look that no rule keeps would take along although a rule
    /// keeps it, or although it is another person's: the first `limit` rows, and how many there
    /// are in each database.
    ///
    /// References are followed through kept records and other people's, too; those in a zone that
    /// goes as a whole are not looked at.
    func cascade(
        run: Int64, in look: Look, limit: Int
    ) async throws(JournalError) -> (rows: [CascadeRow], counts: [CascadeCount])
    /// Every record type ever known of a container, sorted; at most ``JournalChange/typesMax``.
    func types(
        of container: Container.ID, _ environment: Container.Environment
    ) async throws(JournalError) -> [String]

    // MARK: Plan and steps

    /// Up to `limit` lines of the plan from `number` on.
    func planLines(
        run: Int64, from number: Int, limit: Int
    ) async throws(JournalError) -> [PlanLineRow]
    /// Up to `limit` steps of one database from `number` on, in these states.
    func steps(
        run: Int64, container: Int, scope: Database.Scope, from number: Int,
        in states: Set<StepState>, limit: Int
    ) async throws(JournalError) -> [StepRow]
    /// Moves up to `limit` planned steps of one database to intended, for this journal alone, as
    /// ``note(_:run:)`` does: whoever asks next gets others.
    ///
    /// - Returns: the steps as they were.
    func claim(
        run: Int64, container: Int, scope: Database.Scope, limit: Int
    ) async throws(JournalError) -> [StepRow]
    /// The steps of a run, added up by database and kind.
    func stepSums(run: Int64) async throws(JournalError) -> [StepSum]
    /// The first `limit` failures of a run, and how many there are.
    func failures(
        run: Int64, limit: Int
    ) async throws(JournalError) -> (rows: [FailureRow], count: Int)

    // MARK: Evidence

    /// Up to `limit` events from `number` on.
    func events(
        run: Int64, from number: Int, limit: Int
    ) async throws(JournalError) -> [EventRow]
    /// Recomputes the chain of a run, and holds it against the count and head that were stored
    /// with it.
    ///
    /// - Returns: the hash of the last event and how many there are.
    /// - Throws: `chainBroken` when an event is missing, at the end too, or was changed.
    func verifyChain(run: Int64) async throws(JournalError) -> (count: Int, head: [UInt8])

    // MARK: Fences

    /// Every fence with the run that put it up, database by database.
    func fences(limit: Int) async throws(JournalError) -> [FenceRow]
    /// The fences around these zones, with their names, also where the journal forgot them.
    func fences(
        around zones: [RecordZone.ID], at address: Database.Address
    ) async throws(JournalError) -> [FenceRow]
    /// What changes whenever a fence is put up or lifted.
    func fenceMark() async throws(JournalError) -> String
    /// Takes a fence away, because a person says that data may be there again.
    ///
    /// - Returns: Whether there was one.
    func unfence(
        _ zone: RecordZone.ID, at address: Database.Address
    ) async throws(JournalError) -> Bool
}

extension Journal {
    /// Whether a fence stands around a zone, its name forgotten or not.
    package func isFenced(
        _ zone: RecordZone.ID, at address: Database.Address
    ) async throws(JournalError) -> Bool {
        try await !fences(around: [zone], at: address).isEmpty
    }
}
