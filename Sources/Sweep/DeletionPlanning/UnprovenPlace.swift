package import CloudModel

/// A place that can be told beforehand not to be provable: whoever approves the plan approves
/// that its run deletes the rest and cannot end in 0.
package struct UnprovenPlace: Sendable, Hashable {
    package let container: Container.ID
    package let scope: Database.Scope
    /// The row of the coverage map, such as `default zone`.
    package let place: String
    /// The record type, where it is about one; else empty.
    package let subject: String

    package init(
        container: Container.ID, scope: Database.Scope, place: String, subject: String = ""
    ) {
        self.container = container
        self.scope = scope
        self.place = place
        self.subject = subject
    }
}
