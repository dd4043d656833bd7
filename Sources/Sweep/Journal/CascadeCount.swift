package import CloudModel

/// How many records of one database would go along.
package struct CascadeCount: Sendable, Hashable {
    package let container: Int
    package let scope: Database.Scope
    /// Another person's, or the person's own that a rule keeps.
    package let isOthers: Bool
    package let count: Int
}
