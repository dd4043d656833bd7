/// The field of a record that an asset is to be a value of, or is.
package struct AssetField: Sendable, Hashable {
    package var recordName: String
    package var fieldName: String

    package init(_ recordName: String, _ fieldName: String) {
        self.recordName = recordName
        self.fieldName = fieldName
    }
}
