package import CloudModel

/// One thing seen in a database: numbers and names, sorted by them.
package struct SeenRow: Sendable, Hashable {
    /// The container's place in the run's list.
    package var container: Int
    package var scope: Database.Scope
    package var kind: ItemKind
    package var zone: String
    package var type: String
    package var name: String
    /// Further facts; not part of what makes a row the same.
    package var detail: Int
    /// Whether a rule keeps it; not part of what makes a row the same.
    package var isKept: Bool

    package init(
        container: Int, scope: Database.Scope, kind: ItemKind, zone: String = "",
        type: String = "", name: String = "", detail: Int = 0, isKept: Bool = false
    ) {
        self.container = container
        self.scope = scope
        self.kind = kind
        self.zone = zone
        self.type = type
        self.name = name
        self.detail = detail
        self.isKept = isKept
    }
}
