internal import CloudModel
internal import DonationStore
internal import Donations

/// Donates actions and deletes their donations: AppIntents' counterpart of ``INInteraction``.
///
/// Interactions and donations of actions are apart: neither's deletions reach the other's.
public final class IntentDonationManager: Sendable {
    /// The one manager.
    public static let shared = IntentDonationManager()

    private init() {}

    /// Tells the system that the person did this.
    ///
    /// - Throws: ``INIntentError``.
    @discardableResult
    public func donate(intent: some AppIntent) async throws -> IntentDonationIdentifier {
        let store = try StoreCall.store()
        let identifier = IntentDonationIdentifier(rawValue: IdentifierSource.make().uuidString)
        do {
            let row = try Self.row(of: intent, identifier.rawValue, in: store)
            _ = try await store.donate([row])
        } catch {
            throw StoreCall.failure(.donatingInteraction, error)
        }
        return identifier
    }

    /// Tells the system that the person did this; what came of it is not stored.
    ///
    /// - Throws: ``INIntentError``.
    @discardableResult
    public func donate(
        intent: some AppIntent, result: some IntentResult
    ) async throws -> IntentDonationIdentifier {
        try await donate(intent: intent)
    }

    /// Deletes donations of actions; interactions stay.
    ///
    /// - Returns: The donations that are gone: the only deletion of Apple's that says so.
    /// - Throws: ``INIntentError``.
    @discardableResult
    public func deleteDonations(
        matching predicate: IntentDonationMatchingPredicate
    ) async throws -> [IntentDonationIdentifier] {
        let store = try StoreCall.store()
        do {
            var gone = try await store.deleteAppIntents(predicate.selector)
            let more = try await Self.alsoAbout(predicate, in: store)
            if !more.isEmpty {
                gone += try await store.deleteAppIntents(.appIntents(identifiers: more))
            }
            return gone.map { IntentDonationIdentifier(rawValue: $0) }
        } catch {
            throw StoreCall.failure(.deletingInteractionWithIdentifiers, error)
        }
    }

    /// Donations that name an entity as a second or further parameter: the row itself names one.
    private static func alsoAbout(
        _ predicate: IntentDonationMatchingPredicate, in store: DonationStore
    ) async throws -> [String] {
        let entity: EntityIdentifier
        var type: String?
        switch predicate.rule {
        case .entity(let named): entity = named
        case .intent(let name, let named?): (type, entity) = (name, named)
        case .donation, .intent(_, nil): return []
        }
        var found: [String] = []
        var after: Int64 = 0
        while true {
            let rows = try await store.list(.appIntent, after: after, limit: pageSize)
            for row in rows where type == nil || row.type == type {
                if entities(of: row).contains(entity) { found.append(row.identifier) }
            }
            guard rows.count == pageSize, let last = rows.last else { return found }
            after = last.row
        }
    }

    private static let pageSize = 1000

    // MARK: Rows

    private static func row(
        of intent: some AppIntent, _ identifier: String, in store: DonationStore
    ) throws(StoredValue.Failure) -> Donation {
        let type = Swift.type(of: intent)
        var row = Donation(
            .appIntent, identifier: identifier, type: String(describing: type),
            at: store.configuration.moment)
        row.title = type.title.key
        var parameters: [String: PayloadValue] = [:]
        var entities: [EntityIdentifier] = []
        for (label, value) in Mirror(reflecting: intent).children {
            // The storage of a wrapped property has an underscore before its name.
            guard let label, let value = (value as? any AnyIntentParameter)?.anyValue else {
                continue
            }
            let named = Self.entities(in: value)
            entities += named
            parameters[String(label.dropFirst())] =
                named.isEmpty
                ? try StoredValue.encode(value) : .array(named.map { .string($0.identifier) })
        }
        row.entityType = entities.first?.type
        row.entityIdentifier = entities.first?.identifier
        row.payload =
            PayloadValue.dictionary([
                "parameters": .dictionary(parameters),
                "entities": .array(
                    entities.map { .array([.string($0.type), .string($0.identifier)]) }),
            ]).encoded
        row.mentions = Set(parameters.values.flatMap(\.strings)).sorted()
        return row
    }

    /// The entities that a parameter holds, one or a list.
    private static func entities(in value: Any) -> [EntityIdentifier] {
        if let entity = value as? any AppEntity { return [entity.entityIdentifier] }
        return (value as? [any AppEntity])?.map(\.entityIdentifier) ?? []
    }

    private static func entities(of row: Donation) -> [EntityIdentifier] {
        guard let payload = try? PayloadValue(decoding: row.payload),
            case .array(let pairs)? = payload["entities"]
        else { return [] }
        return pairs.compactMap { pair in
            let texts = pair.strings
            return texts.count == 2 ? EntityIdentifier(type: texts[0], texts[1]) : nil
        }
    }
}

extension AppEntity {
    /// The name of this entity.
    var entityIdentifier: EntityIdentifier { EntityIdentifier(for: self) }
}

extension EntityIdentifier {
    init(type: String, _ identifier: String) {
        self.type = type
        self.identifier = identifier
    }
}

extension IntentDonationMatchingPredicate {
    /// The store's words for it.
    var selector: DonationSelector {
        switch rule {
        case .donation(let identifier): .appIntents(identifiers: [identifier])
        case .entity(let entity):
            .appIntentsAbout(
                entityType: entity.type, entityIdentifier: entity.identifier)
        case .intent(let type, let entity):
            .appIntentType(type, entityIdentifier: entity?.identifier)
        }
    }
}
