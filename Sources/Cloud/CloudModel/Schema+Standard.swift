/// What every schema has, whether its text says so or not.
extension Schema {
    /// The fields of every record, in the service's order. Their types cannot be chosen; a schema
    /// names them to give them indexes.
    package static let systemFields: [(name: String, kind: FieldValue.Kind)] = [
        ("___createTime", .timestamp), ("___createdBy", .reference), ("___etag", .string),
        ("___modTime", .timestamp), ("___modifiedBy", .reference), ("___recordID", .reference),
    ]

    /// The roles that nobody has to make: anybody, anybody signed in, and who made the record.
    package enum SystemRole: String, Sendable, CaseIterable {
        case world = "_world"
        case user = "_icloud"
        case creator = "_creator"
    }

    /// What the service grants for a type of which nothing is said.
    package static let standardGrants = [
        Grant(rights: [.write], role: SystemRole.creator.rawValue),
        Grant(rights: [.create], role: SystemRole.user.rawValue),
        Grant(rights: [.read], role: SystemRole.world.rawValue),
    ]

    /// What is granted for a type that was made by saving: a server-to-server key may save more of
    /// it, for which it needs the right of both roles.
    package static let grantsOfSavedType = [
        Grant(rights: [.create, .write], role: SystemRole.creator.rawValue),
        Grant(rights: [.create], role: SystemRole.user.rawValue),
        Grant(rights: [.read], role: SystemRole.world.rawValue),
    ]

    /// What a field can be searched by that was made by saving: by all that its type can have.
    package static func indexesOfSavedField(
        _ kind: FieldValue.Kind, isEncrypted: Bool
    ) -> Set<Index> {
        guard !isEncrypted else { return [] }
        switch kind {
        case .asset: return []
        case .string: return [.queryable, .sortable, .searchable]
        case .int64, .double, .bytes, .timestamp, .location, .reference:
            return [.queryable, .sortable]
        }
    }
}
