// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

extension CKRecord {
    /// The types that every container has.
    public enum SystemType {
        /// A user.
        public static let userRecord: CKRecord.RecordType = "Users"
        /// A share.
        public static let share: CKRecord.RecordType = "cloudkit.share"
    }

    /// The fields that every record has, for predicates.
    public enum SystemFieldKey {
        /// The record's parent.
        public static let parent: CKRecord.FieldKey = "___parent"
        /// The record's share.
        public static let share: CKRecord.FieldKey = "___share"
        /// The record's ID.
        public static let recordID: CKRecord.FieldKey = "___recordID"
        /// When the record was created.
        public static let creationDate: CKRecord.FieldKey = "___createTime"
        /// Who created the record.
        public static let creatorUserRecordID: CKRecord.FieldKey = "___createdBy"
        /// When the record was last changed.
        public static let modificationDate: CKRecord.FieldKey = "___modTime"
        /// Who last changed the record.
        public static let lastModifiedUserRecordID: CKRecord.FieldKey = "___modifiedBy"
    }
}

/// The name of the share record of a shared zone.
public let CKRecordNameZoneWideShare = "cloudkit.zoneshare"
