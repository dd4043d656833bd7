import AsyncOperations
import CloudModel
public import Foundation

/// A record that says with whom others are shared.
///
/// The server behind this library takes no shares: saving one fails with
/// `serverRejectedRequest`. The type is here so that code that mentions it compiles.
// Unchecked, as its superclass; what it adds is computed.
public final class CKShare: CKRecord, @unchecked Sendable {
    /// What an invited person did.
    public enum ParticipantAcceptanceStatus: Int, Sendable {
        /// Nobody knows.
        case unknown = 0
        /// Nothing yet.
        case pending = 1
        /// Accepted.
        case accepted = 2
        /// Left, or was removed.
        case removed = 3
    }

    /// What a person may do.
    public enum ParticipantPermission: Int, Sendable {
        /// Nobody knows.
        case unknown = 0
        /// Nothing.
        case none = 1
        /// Read.
        case readOnly = 2
        /// Read and write.
        case readWrite = 3
    }

    /// What a person is to a share.
    public enum ParticipantRole: Int, Sendable {
        /// Nobody knows.
        case unknown = 0
        /// Made it.
        case owner = 1
        /// Was invited.
        case privateUser = 3
        /// Has its address.
        case publicUser = 4
    }

    /// The fields that every share has.
    public enum SystemFieldKey {
        /// What it is called.
        public static let title: CKRecord.FieldKey = "cloudkit.title"
        /// A picture of it.
        public static let thumbnailImageData: CKRecord.FieldKey = "cloudkit.thumbnailImageData"
        /// What kind of thing it is.
        public static let shareType: CKRecord.FieldKey = "cloudkit.type"
    }

    /// A share of a record and of those below it.
    public convenience init(rootRecord: CKRecord) {
        self.init(rootRecord: rootRecord, shareID: CKRecord.ID(zoneID: rootRecord.recordID.zoneID))
    }

    /// A share of a record and of those below it, with an ID.
    public convenience init(rootRecord: CKRecord, shareID: CKRecord.ID) {
        self.init(RecordContents(recordType: CKRecord.SystemType.share, recordID: shareID))
    }

    /// A share of a whole zone.
    public convenience init(recordZoneID: CKRecordZone.ID) {
        let id = CKRecord.ID(recordName: CKRecordNameZoneWideShare, zoneID: recordZoneID)
        self.init(RecordContents(recordType: CKRecord.SystemType.share, recordID: id))
    }

    /// What people without an invitation may do. Kept, and not sent.
    public var publicPermission: ParticipantPermission {
        get { permission.withLock { $0 } }
        set { permission.withLock { $0 = newValue } }
    }
    private let permission = Locked(ParticipantPermission.none)
    /// Where people are led to accept: nowhere.
    public var url: URL? { nil }
    /// With whom: nobody.
    public var participants: [CKShare.Participant] { [] }
    /// The user as a participant.
    public var currentUserParticipant: CKShare.Participant? { nil }
}

extension CKShare {
    /// A person to share with.
    // Unchecked: apps set it up before they hand it over.
    public final class Participant: NSObject, @unchecked Sendable {
        /// What the person is to the share.
        public var role = CKShare.ParticipantRole.privateUser
        /// What the person may do.
        public var permission = CKShare.ParticipantPermission.readOnly
        /// What the person did.
        public let acceptanceStatus = CKShare.ParticipantAcceptanceStatus.unknown
        /// Who it is.
        public let userIdentity: CKUserIdentity

        init(_ identity: CKUserIdentity) { userIdentity = identity }
    }

    /// What a share's address leads to. None can be had here.
    public final class Metadata: NSObject, Sendable {
        /// The container of the share.
        public let containerIdentifier: String

        init(containerIdentifier: String) { self.containerIdentifier = containerIdentifier }
    }
}
