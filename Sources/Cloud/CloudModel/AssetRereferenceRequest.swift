/// An `assets/rereference` request: asks for assets that are stored already as values for other
/// fields or records of their zone, so that nobody uploads them again.
package struct AssetRereferenceRequest: Sendable, Hashable {
    /// The answer for one field.
    package enum Item: Sendable, Hashable {
        /// What can be a field's value in a later `records/modify`.
        case asset(AssetField, Asset)
        case failure(AssetField, CloudError)

        package var field: AssetField {
            switch self {
            case .asset(let field, _), .failure(let field, _): field
            }
        }
    }

    /// The fields whose assets are asked for.
    package var fields: [AssetField]
    package var zoneID: RecordZone.ID

    package init(_ fields: [AssetField], zoneID: RecordZone.ID = .default) {
        self.fields = fields
        self.zoneID = zoneID
    }
}
