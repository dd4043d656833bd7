package import CloudModel

/// A record that goes along when the record it refers to, in the same zone, is deleted
/// (`DELETE_SELF`).
package struct LinkRow: Sendable, Hashable {
    /// The container's place in the run's list.
    package var container: Int
    package var scope: Database.Scope
    package var zone: String
    package var name: String
    package var type: String
    /// Whether another person's record it is.
    package var isOthers: Bool
    /// The name of the record that it refers to.
    package var target: String

    package init(
        container: Int, scope: Database.Scope, zone: String, name: String, type: String,
        isOthers: Bool, target: String
    ) {
        self.container = container
        self.scope = scope
        self.zone = zone
        self.name = name
        self.type = type
        self.isOthers = isOthers
        self.target = target
    }
}
