import Donations

/// One row's digests, made when first asked for.
struct ExchangeRowKeys {
    let row: Donation
    private let keys: ExchangeKeys
    private var single: [ExchangeKeys.Part: String?] = [:]
    private var domains: [String]?
    private var links: [String]?

    init(_ row: Donation, _ keys: ExchangeKeys) {
        self.row = row
        self.keys = keys
    }

    /// The row's digest of a kind; nil: it has no such name.
    mutating func key(_ part: ExchangeKeys.Part) -> String? {
        if let known = single[part] { return known }
        let made: String? =
            switch part {
            case .interaction, .appIntent: row.identifier.orNil.map { keys(part, $0) }
            case .item:
                (row.kind == .searchableItem ? row.identifier : row.relatedIdentifier)?.orNil
                    .map { keys(part, $0) }
            case .group: row.group?.orNil.map { keys(part, $0) }
            case .persistentIdentifier:
                row.persistentIdentifier?.orNil.map { keys(part, $0) }
            case .entityType: row.entityType?.orNil.map { keys(part, $0) }
            case .entity:
                row.entityType?.orNil.flatMap { type in
                    row.entityIdentifier?.orNil.map { keys(part, type, $0) }
                }
            case .intentType, .activityType, .intentClass: row.type.orNil.map { keys(part, $0) }
            case .intentAbout:
                row.type.orNil.flatMap { type in
                    row.entityIdentifier.map { keys(part, type, $0) }
                }
            case .index: row.indexName.map { keys(part, $0) }
            default: nil
            }
        single[part] = .some(made)
        return made
    }

    /// Whether one of the row's domains is among these.
    mutating func isInDomain(_ all: Set<String>) -> Bool {
        let own = domains ?? row.domain.map(keys.domains) ?? []
        domains = own
        return own.contains(where: all.contains)
    }

    /// Whether the row is linked into one of these parts.
    mutating func isLinked(_ all: Set<String>) -> Bool {
        let own = links ?? row.link.map(keys.links) ?? []
        links = own
        return own.contains(where: all.contains)
    }

    /// Whether the row has one of these names.
    mutating func has(_ part: ExchangeKeys.Part, _ all: Set<String>) -> Bool {
        key(part).map(all.contains) ?? false
    }
}
