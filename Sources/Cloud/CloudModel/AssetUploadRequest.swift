/// An `assets/upload` request: asks for addresses that the bytes of assets can be sent to.
///
/// What is sent there answers with the ``Asset`` that is to be the field's value in a later
/// `records/modify`.
package struct AssetUploadRequest: Sendable, Hashable {
    /// What an asset is for; a list field needs one for each element.
    package struct Token: Sendable, Hashable {
        package var recordType: String
        package var fieldName: String
        /// nil: the service chooses one.
        package var recordName: String?

        package init(recordType: String, fieldName: String, recordName: String? = nil) {
            self.recordType = recordType
            self.fieldName = fieldName
            self.recordName = recordName
        }
    }

    /// The answer to one token.
    package enum Item: Sendable, Hashable {
        /// Where the bytes are to be sent, and the record whose value they will be.
        case address(AssetField, url: String)
        case failure(AssetField, CloudError)

        package var field: AssetField {
            switch self {
            case .address(let field, _), .failure(let field, _): field
            }
        }
    }

    package var tokens: [Token]
    package var zoneID: RecordZone.ID

    package init(_ tokens: [Token], zoneID: RecordZone.ID = .default) {
        self.tokens = tokens
        self.zoneID = zoneID
    }
}
