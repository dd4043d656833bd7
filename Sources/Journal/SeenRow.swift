/// One thing seen in a database, as the journal keeps it: numbers and names, sorted by them.
package struct SeenRow: Sendable, Hashable {
    /// The container's place in the run's list.
    package var container: Int
    package var scope: Int
    package var kind: Int
    package var zone: String
    package var type: String
    package var name: String
    /// Further facts; not part of what makes a row the same.
    package var detail: Int

    package init(
        container: Int, scope: Int, kind: Int, zone: String = "", type: String = "",
        name: String = "", detail: Int = 0
    ) {
        self.container = container
        self.scope = scope
        self.kind = kind
        self.zone = zone
        self.type = type
        self.name = name
        self.detail = detail
    }
}

/// How many rows of one sort were seen.
package struct SeenCount: Sendable, Hashable {
    package let container: Int
    package let scope: Int
    package let kind: Int
    package let type: String
    package let count: Int
}
