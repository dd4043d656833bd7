/// Which fields of which record types hold assets, as a schema says.
package struct AssetFields: Sendable, Hashable {
    /// Every type of the schema, with the names of its fields that hold assets; most have none.
    private let fields: [String: [String]]

    package init(_ fields: [String: [String]]) { self.fields = fields }

    /// Those that `schema` declares.
    package init(_ schema: Schema) {
        fields = Dictionary(
            schema.recordTypes.map { type in
                (type.name, type.fields.filter { $0.kind == .asset }.map(\.name))
            }, uniquingKeysWith: { $0 + $1 })
    }

    /// Whether no type has any.
    package var isEmpty: Bool { fields.values.allSatisfy(\.isEmpty) }

    /// The fields of a type, to be asked for; nil: the schema does not know the type, so that all its
    /// fields have to be.
    package func keys(of type: String) -> [String]? { fields[type] }

    /// The fields of all types together, sorted.
    package var allKeys: [String] { Set(fields.values.joined()).sorted() }
}
