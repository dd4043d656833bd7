internal import DonationStore
internal import Donations
internal import Foundation

extension CSSearchableIndex {
    /// Indexes entities, each as an item of its own; hidden ones are removed.
    ///
    /// - Parameter priority: How important they are among the app's items, from 0 to 100; used
    ///   where the entity's attributes name no ranking hint.
    public func indexAppEntities<Entity: IndexedEntity>(
        _ entities: [Entity], priority: Int = 0
    ) async throws {
        let items = entities.filter { !$0.hideInSpotlight }.map { entity in
            let name = EntityName(entity)
            let attributes = CSSearchableItemAttributeSet(entity.attributeSet.snapshot)
            if attributes.rankingHint == nil, priority > 0 {
                attributes.rankingHint = NSNumber(value: priority)
            }
            let item = CSSearchableItem(
                uniqueIdentifier: name.itemIdentifier, domainIdentifier: nil,
                attributeSet: attributes)
            item.entity = name
            return item
        }
        let hidden = entities.filter(\.hideInSpotlight)
        if !items.isEmpty { try await indexSearchableItems(items) }
        if !hidden.isEmpty {
            // The entities exist: other devices hide theirs by themselves.
            try await deleteEntities(
                Self.selector(of: hidden.map(\.id), Entity.self), scope: .thisDevice)
        }
    }

    /// Deletes the items that stand for these entities or are associated with one, and the
    /// activities related to those items.
    public func deleteAppEntities<Entity: IndexedEntity>(
        identifiedBy identifiers: [Entity.ID], ofType type: Entity.Type
    ) async throws {
        try await deleteEntities(Self.selector(of: identifiers, Entity.self))
    }

    /// Deletes the items that stand for entities of a type or are associated with one, and the
    /// activities related to those items.
    public func deleteAppEntities<Entity: IndexedEntity>(ofType type: Entity.Type) async throws {
        try await deleteEntities(.appEntities(type: Entity.entityTypeName, identifiers: nil))
    }

    private static func selector<Entity: IndexedEntity>(
        of identifiers: [Entity.ID], _ type: Entity.Type
    ) -> DonationSelector {
        .appEntities(
            type: Entity.entityTypeName, identifiers: identifiers.map(\.entityIdentifierString))
    }

    private func deleteEntities(
        _ selector: DonationSelector, scope: DeletionScope = .everywhere
    ) async throws {
        guard let store = currentStore else { throw CSIndexError.noStore }
        do throws(DonationError) {
            try await store.delete(selector, scope: scope)
        } catch {
            throw CSIndexError(error)
        }
    }
}

extension CSSearchableItem {
    /// Says which entity the item is about, so that deleting the entity deletes the item.
    ///
    /// - Parameter priority: Used where the item's attributes name no ranking hint.
    public func associateAppEntity<Entity: IndexedEntity>(_ entity: Entity, priority: Int = 0) {
        self.entity = EntityName(entity)
        if attributeSet.rankingHint == nil, priority > 0 {
            attributeSet.rankingHint = NSNumber(value: priority)
        }
    }
}

extension EntityName {
    init<Entity: IndexedEntity>(_ entity: Entity) {
        self.init(
            type: Entity.entityTypeName, identifier: entity.id.entityIdentifierString)
    }
}
