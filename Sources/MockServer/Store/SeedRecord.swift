package import CloudModel

/// A record to be put into a store directly.
package struct SeedRecord: Sendable, Hashable {
    package var recordName: String
    package var recordType: String
    package var fields: [String: FieldValue]
    package var parent: Record.Reference?

    package init(
        _ recordName: String, type recordType: String, fields: [String: FieldValue] = [:],
        parent: Record.Reference? = nil
    ) {
        self.recordName = recordName
        self.recordType = recordType
        self.fields = fields
        self.parent = parent
    }
}
