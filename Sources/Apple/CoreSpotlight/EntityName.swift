/// Names an App Intents entity.
struct EntityName: Sendable, Hashable {
    let type: String
    let identifier: String

    /// The unique identifier of the item that stands for the entity alone.
    var itemIdentifier: String { "\(type)/\(identifier)" }
}
