package import CloudModel

/// One row of the coverage map, as the manifest tells it.
package struct ExportRow: Sendable, Hashable {
    package let container: Container.ID
    package let scope: Database.Scope
    /// The place, in words.
    package let place: String
    /// The record type or zone, where the row is about one.
    package let subject: String?
    /// How the row ends, in the words of the coverage map.
    package let outcome: String
    package let reason: String?
    /// How many things were found.
    package let found: Int
    /// Whether nobody can say that all of it is in the export.
    package let isOpen: Bool

    package init(
        container: Container.ID, scope: Database.Scope, place: String, subject: String?,
        outcome: String, reason: String?, found: Int, isOpen: Bool
    ) {
        self.container = container
        self.scope = scope
        self.place = place
        self.subject = subject
        self.outcome = outcome
        self.reason = reason
        self.found = found
        self.isOpen = isOpen
    }
}
