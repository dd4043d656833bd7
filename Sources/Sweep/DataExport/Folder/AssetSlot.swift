package import CloudModel

/// Where an asset stands in a record.
package struct AssetSlot: Sendable, Hashable {
    package let field: String
    /// Its place in a list; 0 for a field with one value.
    package let position: Int

    package init(field: String, position: Int) {
        self.field = field
        self.position = position
    }

    /// The assets of a record, by field and place.
    package static func all(in record: Record) -> [(slot: AssetSlot, asset: Asset)] {
        record.fields.sorted { $0.key < $1.key }.flatMap { name, field in
            let values: [FieldValue] =
                if case .list(_, let values) = field.value { values } else { [field.value] }
            return values.enumerated().compactMap { position, value -> (AssetSlot, Asset)? in
                guard case .asset(let asset) = value else { return nil }
                return (AssetSlot(field: name, position: position), asset)
            }
        }
    }
}
