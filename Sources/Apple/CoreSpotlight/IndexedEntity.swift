public import UserActivity

/// One of the app's own things that can be indexed as it is.
public protocol IndexedEntity: Identifiable, Sendable where ID: EntityIdentifierConvertible {
    /// What the entity is found by and what is shown of it.
    var attributeSet: CSSearchableItemAttributeSet { get }
    /// Whether searches are to pass over it; true removes it from the index.
    var hideInSpotlight: Bool { get }
    /// What the type is called in the store; the type's name unless given.
    static var entityTypeName: String { get }
}

extension IndexedEntity {
    /// An empty set.
    public var attributeSet: CSSearchableItemAttributeSet {
        CSSearchableItemAttributeSet(contentType: .content)
    }
    /// False.
    public var hideInSpotlight: Bool { false }
    public static var entityTypeName: String { String(describing: Self.self) }
}
