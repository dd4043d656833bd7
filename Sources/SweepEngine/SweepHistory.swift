package import CloudModel

/// Reads what earlier runs left in a state folder. Changes nothing.
package struct SweepHistory: Sendable {
    /// One run, for a list.
    package struct Entry: Sendable, Hashable {
        package let runID: String
        package let verb: String
        package let began: Timestamp
        package let ended: Timestamp?
        package let environment: Container.Environment
        package let containers: [Container.ID]
        package let planDigest: String?
        /// nil while it runs, or when it was cut off.
        package let status: ExitStatus?
        package let canResume: Bool
    }

    private let stateFolder: String
    package init(stateFolder: String) { self.stateFolder = stateFolder }

    /// The runs, newest first.
    package func runs(limit: Int = 100) async throws -> [Entry] {
        preconditionFailure("not yet")
    }

    /// The report of a run as it was when it ended; nil: there is no such run.
    package func report(run: String) async throws -> SweepReport? {
        preconditionFailure("not yet")
    }

    /// The run's evidence, canonical JSON, unsigned.
    package func evidence(run: String) async throws -> [UInt8]? {
        preconditionFailure("not yet")
    }
}
