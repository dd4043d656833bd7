package import DeletionPlanning

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

    /// Looks and plans; deletes nothing, and cannot. The plan is in the journal under the
    /// report's run, from where ``exportPlan(run:to:)`` writes it to a file.
    ///
    /// - Returns: `done` when there is nothing to delete, `somethingToDelete` when there is.
    package func plan(on databases: @escaping ReadableDatabases) async -> SweepReport {
        preconditionFailure("not yet")
    }

    /// Writes the plan of a run to a file (JSON Lines, mode 0600, all or nothing).
    package func exportPlan(run: String, to path: String) async throws {
        preconditionFailure("not yet")
    }

    /// Carries out a plan file, then verifies.
    ///
    /// - Parameter confirm: Asked once everything else is in order; nil means no.
    package func apply(
        planFile: String, on databases: @escaping WritableDatabases,
        confirm: @escaping @Sendable (SweepReport) async -> Approval?
    ) async -> SweepReport {
        preconditionFailure("not yet")
    }

    /// Plans, asks, deletes and verifies, in one go.
    package func run(
        on databases: @escaping WritableDatabases,
        confirm: @escaping @Sendable (SweepReport) async -> Approval?
    ) async -> SweepReport {
        preconditionFailure("not yet")
    }

    /// Continues an interrupted run; nil: the newest that can be continued.
    package func resume(
        run: String?, on databases: @escaping WritableDatabases
    ) async -> SweepReport {
        preconditionFailure("not yet")
    }

    /// Takes a fresh look at everything in scope, in two passes; deletes nothing, and cannot.
    package func verify(
        run: String?, on databases: @escaping ReadableDatabases
    ) async -> SweepReport {
        preconditionFailure("not yet")
    }
}
