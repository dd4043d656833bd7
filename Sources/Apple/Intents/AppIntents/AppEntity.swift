public import UserActivity

/// Something of the app's that actions are about.
public protocol AppEntity: Identifiable, Sendable where ID: EntityIdentifierConvertible {}

/// The name of an entity together with its type.
public struct EntityIdentifier: Hashable, Sendable {
    /// The type's name.
    let type: String
    /// The entity's name.
    public let identifier: String

    /// The name of an entity.
    public init<Entity: AppEntity>(for entity: Entity) {
        self.init(for: Entity.self, identifier: entity.id)
    }

    /// The name of an entity of a type.
    public init<Entity: AppEntity>(for type: Entity.Type, identifier: Entity.ID) {
        self.type = String(describing: type)
        self.identifier = identifier.entityIdentifierString
    }
}

/// Something that says which entity it is about.
public protocol AppEntityAnnotatable {
    /// The entity; nil: none.
    var appEntityIdentifier: EntityIdentifier? { get set }
}
