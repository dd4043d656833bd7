extension Schema {
    /// The schema as a `.ckdb` file; parsing it gives an equal value.
    package var text: String {
        var lines = ["DEFINE SCHEMA"]
        for role in roles { lines += ["", "    CREATE ROLE \(Self.quoted(role));"] }
        for type in recordTypes {
            let members = type.fields.map(Self.text) + type.grants.map(Self.text)
            lines += ["", "    RECORD TYPE \(Self.quoted(type.name)) ("]
            for (index, member) in members.enumerated() {
                lines.append("        " + member + (index + 1 < members.count ? "," : ""))
            }
            lines.append("    );")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func text(_ field: SchemaField) -> String {
        let name = field.kind == .asset ? "ASSET" : field.kind.rawValue
        let scalar = field.isEncrypted ? "ENCRYPTED " + name : name
        let options = Index.allCases.filter(field.indexes.contains).map(\.rawValue)
        return ([quoted(field.name), field.isList ? "LIST<\(scalar)>" : scalar] + options)
            .joined(separator: " ")
    }

    private static func text(_ grant: Grant) -> String {
        let rights = Right.allCases.filter(grant.rights.contains).map(\.rawValue)
        return "GRANT \(rights.joined(separator: ", ")) TO \(quoted(grant.role))"
    }

    private static func quoted(_ name: String) -> String {
        let reserved = ["grant", "preferred", "queryable", "searchable", "sortable"]
        let plain =
            name.utf8.enumerated().allSatisfy { index, byte in
                (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || index > 0 && ((0x30...0x39).contains(byte) || byte == 0x5F)
            } && !reserved.contains(name.lowercased())
        return plain ? name : "\"\(name)\""
    }
}
