package import CloudModel

/// How many rows of one sort were seen.
package struct SeenCount: Sendable, Hashable {
    package let container: Int
    package let scope: Database.Scope
    package let kind: ItemKind
    /// Empty for kinds that are the same by name alone.
    package let type: String
    package let count: Int
}
