package import CloudModel

/// The steps of one database and kind, added up.
package struct StepSum: Sendable, Hashable {
    package let container: Int
    package let scope: Database.Scope
    package let kind: ItemKind
    package let steps: Int
    package let settledSteps: Int
    /// Requests sent.
    package let attempts: Int
    /// All items, by what became of them.
    package let items: ItemCounts
}
