package import Basics
package import CloudModel
package import DeletionPlanning

/// The first line of a plan.
package struct PlanHeader: Sendable, Hashable {
    package let toolVersion: String
    package let environment: Container.Environment
    package let server: ServerFacts
    package let subjects: [PlanFacts.Subject]
    package let scopes: [Database.Scope]
    package let created: Timestamp
    package let expires: Timestamp
    package let nonce: String
    package let conditions: PlanConditions
    /// SHA-256 over the manifest of the export that came first; nil: none did.
    package var export: String?

    /// With the last line, all a guard needs.
    func facts(_ totals: PlanTotals, digest: String) -> PlanFacts {
        PlanFacts(
            toolVersion: toolVersion, environment: environment, server: server,
            subjects: subjects, scopes: scopes, created: created, expires: expires, nonce: nonce,
            conditions: conditions, totals: totals, export: export, digest: digest)
    }
}
