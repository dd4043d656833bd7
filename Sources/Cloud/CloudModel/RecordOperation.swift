/// One item of a `records/modify` request.
package struct RecordOperation: Sendable, Hashable {
    /// The seven operation types, spelled as on the wire.
    package enum Kind: String, Sendable, CaseIterable {
        case create
        case update
        case forceUpdate
        case replace
        case forceReplace
        case delete
        case forceDelete

        package var isDelete: Bool { self == .delete || self == .forceDelete }
        /// Whether a stale or missing change tag is an error.
        package var comparesTag: Bool { self == .update || self == .replace || self == .delete }
    }

    package var kind: Kind
    /// nil on a create that leaves the choice to the server.
    package var recordName: String?
    /// The item's own zone; nil means the request's.
    package var zoneID: RecordZone.ID?
    package var recordType: String?
    package var recordChangeTag: String?
    /// nil as a value clears the field.
    package var fields: [String: Field?]
    package var parent: Record.Reference?
    /// Whether the record is to have a short GUID, by which it can be found.
    package var createsShortGUID = false
    /// Of a share record, what it is to say beside its fields.
    package var share: Share.Change?
    package var desiredKeys: [String]?
    /// Why the record that was sent cannot be read; nil when it can, as of all that we send. Only this
    /// operation fails for it.
    package var malformation: String?

    package init(
        _ kind: Kind, recordName: String? = nil, zoneID: RecordZone.ID? = nil,
        recordType: String? = nil, recordChangeTag: String? = nil, fields: [String: Field?] = [:],
        parent: Record.Reference? = nil, desiredKeys: [String]? = nil
    ) {
        self.kind = kind
        self.recordName = recordName
        self.zoneID = zoneID
        self.recordType = recordType
        self.recordChangeTag = recordChangeTag
        self.fields = fields
        self.parent = parent
        self.desiredKeys = desiredKeys
    }

    /// A deletion that asks for no change tag.
    package static func forceDelete(_ recordName: String) -> RecordOperation {
        RecordOperation(.forceDelete, recordName: recordName)
    }
}
