package import CloudModel
package import Evidence

/// What a pseudonym stands for in one run.
package struct PseudonymOwner: Sendable, Hashable {
    package let run: String
    package let container: Container.ID
    package let kind: CaseKey.Kind
    /// The person's user record name, or the zone's; nil: the run is forgotten, and nobody can tell.
    package let name: String?
}
