package import CloudModel

/// A step and how far it has come.
package struct StepRow: Sendable, Hashable {
    package let number: Int
    package let line: [UInt8]
    package let container: Int
    package let scope: Database.Scope
    package let kind: ItemKind
    package let items: Int
    package let state: StepState
    package let outcome: StepOutcome
}
