import CloudModel

extension KnownTypes {
    /// All that is known, as a schema: the schema as it was given, with what was saved beside it. Once
    /// it is given to a container, the same queries and saves are taken as before.
    ///
    /// Types and fields are in the order of their names, the system's own fields first.
    var exported: Schema {
        let names = Set((schema?.recordTypes ?? []).map(\.name)).union(seen.keys)
            .union([Self.usersType])
        return Schema(roles: schema?.roles ?? [], recordTypes: names.sorted().map(exported))
    }

    private func exported(_ name: String) -> Schema.RecordType {
        let declared = schema?.recordType(name)
        var fields = Dictionary(
            (declared?.fields ?? []).map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        for (field, known) in seen[name] ?? [:] where fields[field] == nil {
            // What is saved beside a schema has no index, as queries have it.
            fields[field] = Schema.SchemaField(
                name: field, kind: known.kind, isList: known.isList,
                isEncrypted: known.isEncrypted,
                indexes: declared == nil
                    ? Schema.indexesOfSavedField(known.kind, isEncrypted: known.isEncrypted) : [])
        }
        for system in Schema.systemFields where fields[system.name] == nil {
            fields[system.name] = Schema.SchemaField(
                name: system.name, kind: system.kind,
                indexes: declared == nil && system.name != "___etag"
                    ? [.queryable, .sortable] : [])
        }
        if name == Self.usersType, fields["roles"] == nil {
            fields["roles"] = Schema.SchemaField(name: "roles", kind: .int64, isList: true)
        }
        return Schema.RecordType(
            name: name, fields: fields.values.sorted(by: Self.comesFirst),
            grants: grants(of: declared, name))
    }

    private func grants(of declared: Schema.RecordType?, _ name: String) -> [Schema.Grant] {
        if let declared {
            return declared.grants.isEmpty ? Schema.standardGrants : declared.grants
        }
        guard name == Self.usersType else { return Schema.grantsOfSavedType }
        return [
            Schema.Grant(rights: [.write], role: Schema.SystemRole.creator.rawValue),
            Schema.Grant(rights: [.read], role: Schema.SystemRole.world.rawValue),
        ]
    }

    private static func comesFirst(
        _ left: Schema.SchemaField, _ right: Schema.SchemaField
    ) -> Bool {
        let isSystem = (left.name.hasPrefix("___"), right.name.hasPrefix("___"))
        return isSystem.0 == isSystem.1 ? left.name < right.name : isSystem.0
    }
}
