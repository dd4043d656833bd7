import CloudModel
package import DeletionPlanning
import Journal
import OpenSSL

/// A sweep: inventory, plan, clearance, deletion, verification, evidence.
///
/// No method throws: whatever happens is a ``SweepReport`` with the status to exit with.
package struct Sweep: Sendable {
    private let request: SweepRequest
    private let world: SweepWorld

    package init(_ request: SweepRequest, in world: SweepWorld) {
        self.request = request
        self.world = world
    }

    var history: SweepHistory { SweepHistory(stateFolder: world.stateFolder) }

    /// Asked once everything else is in order; nil means no.
    package typealias Confirmation = @Sendable (SweepReport) async -> Approval?

    /// Looks and plans; deletes nothing, and cannot. The plan is in the journal under the
    /// report's run, from where ``exportPlan(run:to:)`` writes it to a file.
    ///
    /// - Returns: `done` when there is nothing to delete, `somethingToDelete` when there is.
    package func plan(on databases: @escaping ReadableDatabases) async -> SweepReport {
        await conduct("plan") { (run) async throws(SweepFailure) in
            try await run.takeInventory(pass: SweepRun.plannedPass, on: databases)
            try run.checkDiscovery()
            try await run.plan()
            try await run.decideDonations()
        }
    }

    /// Plans, asks, deletes and verifies, in one go.
    package func run(
        on databases: @escaping WritableDatabases, confirm: @escaping Confirmation
    ) async -> SweepReport {
        await conduct("sweep") { (run) async throws(SweepFailure) in
            try await run.takeInventory(
                pass: SweepRun.plannedPass, on: { ReadOnlyDatabase(databases($0)) })
            try run.checkDiscovery()
            try await run.lock()
            try await run.plan()
            try run.checkRules()
            try await run.carryOut(unplanned: 0, on: databases, confirm: confirm)
        }
    }

    /// Carries out a plan file, then verifies.
    package func apply(
        planFile: String, on databases: @escaping WritableDatabases,
        confirm: @escaping Confirmation
    ) async -> SweepReport {
        await conduct("apply") { (run) async throws(SweepFailure) in
            try await run.importPlan(planFile)
            try await run.takeInventory(
                pass: SweepRun.freshPass, on: { ReadOnlyDatabase(databases($0)) })
            try run.checkDiscovery()
            try await run.lock()
            try await run.checkRulesAnew()
            let unplanned = try await run.unplanned()
            try await run.carryOut(unplanned: unplanned, on: databases, confirm: confirm)
        }
    }

    /// Continues an interrupted run; nil: the newest that can be continued.
    package func resume(
        run id: String?, on databases: @escaping WritableDatabases
    ) async -> SweepReport {
        await conduct("resume", resuming: .some(id)) { (run) async throws(SweepFailure) in
            try await run.takeUpPlan()
            try await run.keep([.forget(pass: SweepRun.freshPass), .dropFailures])
            try await run.takeInventory(
                pass: SweepRun.freshPass, on: { ReadOnlyDatabase(databases($0)) })
            try run.checkDiscovery()
            try await run.lock()
            try await run.checkRulesAnew()
            try await run.carryOn(on: databases)
        }
    }

    /// Takes a fresh look at everything in scope, in two passes; deletes nothing, and cannot.
    ///
    /// - Parameter id: A run whose deleted zones must still be gone.
    package func verify(
        run id: String?, on databases: @escaping ReadableDatabases
    ) async -> SweepReport {
        await conduct("verify") { (run) async throws(SweepFailure) in
            let zones = try await run.zonesOwner(id)
            try await run.verify(zonesOf: zones, patience: .zero, on: databases)
        }
    }

    // MARK: Conducting

    /// Begins a run, lets `body` do its work, and ends the run with a report.
    private func conduct(
        _ verb: String, resuming: String?? = nil,
        _ body: (inout SweepRun) async throws(SweepFailure) -> Void
    ) async -> SweepReport {
        var run: SweepRun
        do throws(SweepFailure) {
            run = try await begin(verb, resuming)
        } catch {
            let (status, explanation) = Conclusion.of(error, in: nil)
            return SweepReport(status: status, explanation: explanation)
        }
        var failure: SweepFailure?
        do throws(SweepFailure) {
            try await body(&run)
        } catch {
            failure = error
        }
        return await run.end(verb: verb, failure)
    }

    private func begin(_ verb: String, _ resuming: String??) async throws(SweepFailure) -> SweepRun
    {
        guard !request.targets.isEmpty, !request.scopes.isEmpty else {
            throw .unusable("there is no container or no database to sweep")
        }
        guard Set(request.targets.map(\.container)).count == request.targets.count else {
            throw .unusable("a container is named twice")
        }
        let journal = Journal(
            folder: world.stateFolder, hash: { SHA256.hash($0) }, isAlive: world.isAlive,
            hook: world.journalHook)
        do throws(JournalError) {
            let key = try await journal.secret("pseudonyms") { SecureRandom.bytes(32) }
            let row: RunRow
            var request = request
            if let id = resuming {
                row = try await resumable(id, journal)
                // Before anything of the run is touched: its own process may still be at work.
                let holder = LockHolder(
                    run: row.id, process: world.process, since: world.wallClock.now)
                try await journal.write(
                    [.lock(keys: [SweepRun.lockKey(ofRun: row.id)], holder)], run: row.key)
                request.allowPartial = request.allowPartial ?? row.allowPartial
            } else {
                row = try await journal.begin(
                    RunStart(
                        id: newRunID(), verb: verb, environment: request.environment,
                        containers: request.targets.map(\.container),
                        began: world.wallClock.now, allowPartial: request.allowPartial), [])
            }
            return SweepRun(request, world, journal, Pseudonyms(key: key), row)
        } catch {
            throw .journal(error)
        }
    }

    private func resumable(_ id: String?, _ journal: Journal) async throws(JournalError) -> RunRow {
        let wanted = request.targets.map(\.container)
        if let id {
            let row = try await journal.run(id: id)
            guard row.canResume else {
                throw JournalError(
                    .noSuchRun, "run \(id) has nothing to continue: it \(Self.ending(of: row))")
            }
            guard row.environment == request.environment, row.containers == wanted else {
                throw JournalError(.noSuchRun, "run \(id) is about other containers")
            }
            return row
        }
        let rows = try await journal.runs(limit: 1000).filter {
            $0.environment == request.environment && $0.containers == wanted
        }
        if let row = rows.first(where: \.canResume) { return row }
        var reason = "there is no run to continue"
        if let newest = rows.first(where: { $0.verb != "plan" && $0.verb != "verify" }) {
            reason += ": the newest, \(newest.id), \(Self.ending(of: newest))"
        }
        throw JournalError(.noSuchRun, reason)
    }

    /// What became of a run that cannot be continued.
    private static func ending(of row: RunRow) -> String {
        if row.verb == "plan" || row.verb == "verify" { return "deletes nothing (\(row.verb))" }
        guard let status = row.status, let ended = row.ended else {
            return "has deleted nothing; begin anew if it does not run any more"
        }
        let remark =
            status == Int(ExitStatus.done.rawValue)
            ? "everything is deleted and verified" : "nothing was deleted; begin anew"
        return "ended at \(ended.iso8601) with exit status \(status): \(remark)"
    }

    private func newRunID() -> String {
        let stamp = world.wallClock.now.iso8601.filter { $0 != "-" && $0 != ":" }
        return "\(stamp)-\(Hexadecimal.encode(SecureRandom.bytes(4)))"
    }
}
