package import Basics

/// A record as the service holds it. Mirrors `CKRecord`.
package struct Record: Sendable, Hashable {
    /// A record's name and zone. Mirrors `CKRecord.ID`.
    package struct ID: Sendable, Hashable {
        /// 1 to 255 ASCII characters, unique in its zone.
        package let recordName: String
        package let zoneID: RecordZone.ID

        package init(_ recordName: String, zoneID: RecordZone.ID = .default) {
            self.recordName = recordName
            self.zoneID = zoneID
        }
    }

    /// A link to another record. Mirrors `CKRecord.Reference`.
    package struct Reference: Sendable, Hashable {
        /// What happens to the referring record. Spelled as on the wire.
        package enum Action: String, Sendable, CaseIterable {
            case none = "NONE"
            /// The referring record goes when the target goes.
            case deleteSelf = "DELETE_SELF"
            /// The target must exist and stays while it is referred to.
            case validate = "VALIDATE"
        }
        package let recordName: String
        /// nil: the zone of the referring record.
        package let zoneID: RecordZone.ID?
        package let action: Action

        package init(
            _ recordName: String, zoneID: RecordZone.ID? = nil, action: Action = .none
        ) {
            self.recordName = recordName
            self.zoneID = zoneID
            self.action = action
        }
    }

    /// Who wrote, when, and from which device.
    package struct Stamp: Sendable, Hashable {
        package let timestamp: Timestamp
        /// `_` and 32 hexadecimal digits, different for each container.
        package let userRecordName: String
        package let deviceID: String

        package init(timestamp: Timestamp, userRecordName: String, deviceID: String) {
            self.timestamp = timestamp
            self.userRecordName = userRecordName
            self.deviceID = deviceID
        }
    }

    package let id: ID
    package let recordType: String
    /// Changes with every write; opaque.
    package var recordChangeTag: String
    package var fields: [String: Field]
    package var created: Stamp
    package var modified: Stamp
    /// The parent in a sharing hierarchy; always in the same zone.
    package var parent: Reference?
    /// The share record of a shared root.
    package var share: Reference?
    /// What the record can be found by, where it has such a thing; every share has.
    package var shortGUID: String?
    /// What a share record says beside its fields.
    package var sharing: Share?

    package init(
        id: ID, recordType: String, recordChangeTag: String, fields: [String: Field] = [:],
        created: Stamp, modified: Stamp, parent: Reference? = nil, share: Reference? = nil
    ) {
        self.id = id
        self.recordType = recordType
        self.recordChangeTag = recordChangeTag
        self.fields = fields
        self.created = created
        self.modified = modified
        self.parent = parent
        self.share = share
    }

    /// One item of an answer about records.
    package enum Item: Sendable, Hashable {
        case record(Record)
        /// A deletion. The tag is known in change feeds only.
        case deleted(recordName: String, recordChangeTag: String?)
        case failure(recordName: String, CloudError)

        package var recordName: String {
            switch self {
            case .record(let record): record.id.recordName
            case .deleted(let name, _), .failure(let name, _): name
            }
        }
    }
}
