import CloudModel
internal import CoreLocation
public import Foundation

/// What a share's address leads to. Equal by the share, and by what the user is to it.
public final class CKShareMetadata: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// What the share's address ends with.
    let shortGUID: String
    /// The container of the share, which accepts it.
    public let containerIdentifier: String
    /// The share itself.
    public let share: CKShare
    /// The record that is shared; nil for a whole zone.
    public let hierarchicalRootRecordID: CKRecord.ID?
    /// The record that is shared, where it was asked for and may be read.
    public let rootRecord: CKRecord?
    /// Whose records they are.
    public let ownerIdentity: CKUserIdentity
    /// What the user is to the share.
    public let participantRole: CKShare.ParticipantRole
    /// What the user did with the invitation.
    public let participantStatus: CKShare.ParticipantAcceptanceStatus
    /// What the user may do.
    public let participantPermission: CKShare.ParticipantPermission

    /// - Throws: `unknownItem` for a record that has an address and is not shared.
    init(_ found: ShareMetadata) throws(CKError) {
        guard let share = found.share else {
            throw CKError(.unknownItem, "the URL is not the URL of a share")
        }
        let scope = found.scope == .private ? CKDatabase.Scope.private : .shared
        let zoneID = CKRecordZone.ID(found.zoneID, in: scope)
        func contents(_ record: Record) -> RecordContents {
            RecordContents(record, recordID: CKRecord.ID(record.id, zoneID), in: scope)
        }
        shortGUID = found.lookup.shortGUID
        containerIdentifier = found.container.rawValue
        self.share = CKShare(contents(share))
        hierarchicalRootRecordID = found.rootRecordName.map {
            CKRecord.ID(recordName: $0, zoneID: zoneID)
        }
        rootRecord = found.rootRecord.map { CKRecord(contents($0)) }
        ownerIdentity = CKUserIdentity(found.owner)
        participantRole = CKShare.ParticipantRole(found.role)
        participantStatus = CKShare.ParticipantAcceptanceStatus(found.acceptance)
        participantPermission = CKShare.ParticipantPermission(found.permission)
    }

    /// The record that is shared, or the share of a whole zone. Apple calls it deprecated.
    public var rootRecordID: CKRecord.ID { hierarchicalRootRecordID ?? share.recordID }

    /// Whether both are of the same share, with the same standing of the user.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKShareMetadata else { return false }
        return shortGUID == other.shortGUID && containerIdentifier == other.containerIdentifier
            && participantStatus == other.participantStatus
            && participantPermission == other.participantPermission
    }

    /// Follows ``isEqual(_:)``.
    public override var hash: Int { shortGUID.hashValue }

    /// Itself: metadata never change.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: - Coding

    /// True.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the metadata to an archive.
    public func encode(with coder: NSCoder) {
        coder.encode(shortGUID as NSString, forKey: "shortGUID")
        coder.encode(containerIdentifier as NSString, forKey: "containerIdentifier")
        coder.encode(share, forKey: "share")
        coder.encode(hierarchicalRootRecordID, forKey: "hierarchicalRootRecordID")
        coder.encode(rootRecord, forKey: "rootRecord")
        coder.encode(ownerIdentity, forKey: "ownerIdentity")
        coder.encode(participantRole.rawValue, forKey: "participantRole")
        coder.encode(participantStatus.rawValue, forKey: "participantStatus")
        coder.encode(participantPermission.rawValue, forKey: "participantPermission")
    }

    /// Reads metadata from an archive.
    public init?(coder: NSCoder) {
        guard let guid = coder.decodeText("shortGUID"),
            let container = coder.decodeText("containerIdentifier"),
            let share = coder.decodeIfThere(CKShare.self, "share"),
            let owner = coder.decodeIfThere(CKUserIdentity.self, "ownerIdentity"),
            let role = CKShare.ParticipantRole(
                rawValue: coder.decodeInteger(forKey: "participantRole")),
            let status = CKShare.ParticipantAcceptanceStatus(
                rawValue: coder.decodeInteger(forKey: "participantStatus")),
            let permission = CKShare.ParticipantPermission(
                rawValue: coder.decodeInteger(forKey: "participantPermission"))
        else { return nil }
        shortGUID = guid
        containerIdentifier = container
        self.share = share
        hierarchicalRootRecordID = coder.decodeIfThere(
            CKRecord.ID.self, "hierarchicalRootRecordID")
        rootRecord = coder.decodeIfThere(CKRecord.self, "rootRecord")
        ownerIdentity = owner
        participantRole = role
        participantStatus = status
        participantPermission = permission
    }
}

extension CKShare {
    /// What a share's address leads to.
    ///
    /// The class is not nested, because Foundation on Linux archives no nested classes.
    public typealias Metadata = CKShareMetadata
}
