package import CloudModel

/// A record that would go along with deleted ones although a rule keeps it, or although it is
/// another person's.
package struct CascadeRow: Sendable, Hashable {
    /// The longest chain that is told whole.
    package static let chainMax = 20

    /// The container's place in the run's list.
    package let container: Int
    package let scope: Database.Scope
    package let zone: String
    package let type: String
    package let name: String
    package let isOthers: Bool
    package let isKept: Bool
    /// How many references lead from it to the deleted record; 1: it refers to it itself.
    package let distance: Int
    /// The names along the shortest way to a deleted record: first the one that this refers to.
    /// The deleted one is last, unless the way is longer than ``chainMax``.
    package let chain: [String]

    /// The record that it goes along with.
    package var via: String? { chain.first }
}
