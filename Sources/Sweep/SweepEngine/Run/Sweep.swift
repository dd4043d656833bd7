package import CloudCourier
import CloudModel
package import DeletionPlanning
import Journal
import OpenSSL

/// A sweep: look, plan, clear, begin, delete, settle, prove, tell.
///
/// No method throws: whatever happens is a ``SweepReport`` with the status to exit with.
package struct Sweep: Sendable {
    private let request: SweepRequest
    let world: SweepWorld

    package init(_ request: SweepRequest, in world: SweepWorld) {
        self.request = request
        self.world = world.withSteadyWallClock()
    }

    /// Apple's access controls, in the containers of this sweep.
    package var access: AccessControl { AccessControl(request, in: world) }

    var history: SweepHistory { SweepHistory(stateFolder: world.stateFolder) }

    /// Asked once everything else is in order; nil means no.
    package typealias Confirmation = @Sendable (SweepReport) async -> Approval?

    /// Where the plan comes from that a person approves.
    private enum Origin {
        /// It is made now and asked for.
        case now(Confirmation)
        /// It was written to a file before, and is asked for.
        case file(String, Confirmation)
        /// It was approved when the run began that is continued.
        case interrupted
    }

    // MARK: The order in which a person's data is touched

    /// Every verb that deletes goes this way, and no other way deletes. No stage calls back an
    /// earlier one; what throws ends the run where it is.
    private func erase(
        _ run: inout SweepRun, _ origin: Origin, _ first: ExportFirst = .none,
        on databases: @escaping WritableDatabases
    ) async throws(SweepFailure) {
        let reading: ReadableDatabases = { ReadOnlyDatabase(databases($0)) }
        // 0 take   what was approved before is only a bound: it never says what to send
        switch origin {
        case .now: break
        case .file(let path, _): try await run.take(planFile: path)
        case .interrupted: try await run.takeUpPlan()
        }
        // 1 look   every place says what it holds; what cannot be read stops everything
        try await run.look(on: reading)
        // what is to be handed out first is whole, and the plan is bound to it
        try await run.exportFirst(first, on: reading)
        // 2 plan   what was seen, the references and today's rules, and nothing else
        try await run.plan()
        // 3 clear  locked, covered by what was approved, and approved
        try await run.lock()
        let cleared: Clearance? =
            switch origin {
            case .now(let confirm), .file(_, let confirm): try await run.clear(asking: confirm)
            case .interrupted: try await run.clearAgain()
            }
        if let clearance = cleared {
            // 4 begin  the same person is still there; fences and the plan are on disk
            try await run.begin(on: reading, isResumed: run.verb == .resume)
            // 5 delete, 6 settle  donations first, then content; outcomes on disk as they come
            try await run.delete(clearance, on: databases)
        }
        // 7 prove  every place looks again, until clean so many times in a row
        try await run.prove(plannedBy: run.row, patience: request.limits.verifyTimeout, on: reading)
    }

    // MARK: Verbs

    /// Looks and plans; deletes nothing, and cannot. The plan is in the journal under the
    /// report's run, from where ``exportPlan(run:to:)`` writes it to a file.
    ///
    /// - Returns: `done` when there is nothing to delete, `somethingToDelete` when there is,
    ///   `discoveryIncomplete` when a place cannot be proven, so that no run can end with 0.
    ///
    /// - Parameter folder: Where everything in scope is written first, so that the plan can be
    ///   carried out only while that is there; nil: nowhere. See ``export(to:on:)``.
    package func plan(
        exportingFirst folder: String? = nil, on databases: @escaping ReadableDatabases
    ) async -> SweepReport {
        await conduct(.plan) { (run) async throws(SweepFailure) in
            let first = try run.writing(first: folder)
            try await run.look(on: databases)
            try await run.exportFirst(first, on: databases)
            try await run.plan()
            try run.checkPlan()
        }
    }

    /// Plans, asks, deletes and proves, in one go.
    ///
    /// - Parameter folder: Where everything in scope is written first; nothing is deleted unless
    ///   that is whole. nil: nowhere.
    package func run(
        exportingFirst folder: String? = nil, on databases: @escaping WritableDatabases,
        confirm: @escaping Confirmation
    ) async -> SweepReport {
        await conduct(.sweep) { (run) async throws(SweepFailure) in
            let first = try run.writing(first: folder)
            try await erase(&run, .now(confirm), first, on: databases)
        }
    }

    /// Carries out what a plan file and a fresh look have in common, then proves.
    ///
    /// - Parameter folder: The export that the plan was made with; nil: it was made with none.
    package func apply(
        planFile: String, afterExport folder: String? = nil,
        on databases: @escaping WritableDatabases, confirm: @escaping Confirmation
    ) async -> SweepReport {
        await conduct(.apply) { (run) async throws(SweepFailure) in
            try await erase(
                &run, .file(planFile, confirm), folder.map { .there($0) } ?? .none, on: databases)
        }
    }

    /// Continues an interrupted run; nil: the newest that can be continued.
    package func resume(
        run id: String?, on databases: @escaping WritableDatabases
    ) async -> SweepReport {
        await conduct(.resume, resuming: .some(id)) { (run) async throws(SweepFailure) in
            try await erase(&run, .interrupted, on: databases)
        }
    }

    /// Takes a fresh look at everything in scope, in several passes; deletes nothing, and cannot.
    ///
    /// - Parameter id: A run whose deleted things must still be gone, and whose kept things there.
    package func verify(
        run id: String?, on databases: @escaping ReadableDatabases
    ) async -> SweepReport {
        await conduct(.verify) { (run) async throws(SweepFailure) in
            let earlier = try await run.earlier(id)
            try await run.prove(plannedBy: earlier, patience: .zero, on: databases)
        }
    }

    /// Writes everything in scope to a folder; deletes nothing, and cannot.
    ///
    /// - Parameter folder: New, empty, or with an export that was cut off; an absolute path.
    package func export(
        to folder: String, on databases: @escaping ReadableDatabases
    ) async -> SweepReport {
        await conduct(.export) { (run) async throws(SweepFailure) in
            let claim = try run.claim(folder)
            try await run.look(on: databases)
            try await run.export(to: claim, on: databases)
        }
    }

    /// Looks again at everything that a run has swept, once, and adds to its evidence what is there;
    /// deletes nothing, and cannot.
    ///
    /// - Returns: `done` when everything is empty, `dataLeft` when something came back, with or without
    ///   data; ``SweepReport/returned`` tells which.
    package func watch(
        run id: String, on databases: @escaping ReadableDatabases
    ) async -> SweepReport {
        await conduct(.watch) { (run) async throws(SweepFailure) in
            try await run.watch(id)
            try await run.prove(plannedBy: run.watched?.row, patience: .zero, on: databases)
            try await run.lookCloser(on: databases)
        }
    }

    // MARK: Conducting

    /// Begins a run, lets `body` do its work, and ends the run with a report.
    private func conduct(
        _ verb: Verb, resuming: String?? = nil,
        _ body: (inout SweepRun) async throws(SweepFailure) -> Void
    ) async -> SweepReport {
        var run: SweepRun
        do throws(SweepFailure) {
            run = try await RunOpening(request, in: world).open(verb, resuming)
        } catch {
            return SweepReport(Conclusion.of(error, in: nil))
        }
        var failure: SweepFailure?
        do throws(SweepFailure) {
            try await body(&run)
        } catch {
            failure = error
        }
        let report = await run.tell(failure)
        await run.journal.close()
        return report
    }
}
