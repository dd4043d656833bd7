package import Basics
package import CloudModel

/// A zone that a run erased, and that must not come back through us.
package struct FenceRow: Sendable, Hashable {
    package let container: Container.ID
    package let environment: Container.Environment
    package let scope: Database.Scope
    /// nil once the run was forgotten: the fence still stands, by a keyed digest.
    package let zone: RecordZone.ID?
    /// The run that erased it.
    package let run: String
    /// When that run began.
    package let at: Timestamp
    /// The pseudonym of the user whose zone it was; empty when the run did not know.
    package let user: String

    /// The fenced zone's database.
    package var address: Database.Address {
        Database.Address(container: container, environment: environment, scope: scope)
    }
}
