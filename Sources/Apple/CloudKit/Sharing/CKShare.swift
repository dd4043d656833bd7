import AsyncOperations
import CloudModel
public import Foundation

/// A record that says with whom others are shared. Mirrors Apple's `CKShare`.
///
/// A new share is saved together with its root, a changed one alone; over a version of somebody
/// else it is never saved, whatever the policy. What cannot be saved is an error of the save.
// Unchecked, as its superclass: all that changes is in its contents, behind their lock.
public final class CKShare: CKRecord, @unchecked Sendable {
    /// The fields that every share has.
    public enum SystemFieldKey {
        /// What it is called.
        public static let title: CKRecord.FieldKey = "cloudkit.title"
        /// A picture of it.
        public static let thumbnailImageData: CKRecord.FieldKey = "cloudkit.thumbnailImageData"
        /// What kind of thing it is.
        public static let shareType: CKRecord.FieldKey = "cloudkit.type"
    }

    /// A share of a record and of those below it, which becomes the record's `share`.
    public convenience init(rootRecord: CKRecord) {
        let zoneID = rootRecord.recordID.zoneID
        let id = CKRecord.ID(recordName: "Share-\(makeUniqueName())", zoneID: zoneID)
        self.init(rootRecord: rootRecord, shareID: id)
    }

    /// A share, with an ID, of a record and of those below it, which becomes the record's `share`.
    public convenience init(rootRecord: CKRecord, shareID: CKRecord.ID) {
        var contents = RecordContents(recordType: CKRecord.SystemType.share, recordID: shareID)
        contents.sharing = ShareContents(root: rootRecord.recordID)
        self.init(contents)
        rootRecord.contents.withLock {
            $0.share = CKRecord.Reference(recordID: shareID, action: .none)
        }
    }

    /// A share of a whole zone.
    public convenience init(recordZoneID: CKRecordZone.ID) {
        let id = CKRecord.ID(recordName: CKRecordNameZoneWideShare, zoneID: recordZoneID)
        var contents = RecordContents(recordType: CKRecord.SystemType.share, recordID: id)
        contents.sharing = ShareContents(root: nil)
        self.init(contents)
    }

    private var sharing: ShareContents { read { $0.sharing ?? ShareContents(root: nil) } }

    private func change(_ body: @Sendable (inout ShareContents) -> Void) {
        contents.withLock { contents in
            var sharing = contents.sharing ?? ShareContents(root: nil)
            body(&sharing)
            contents.sharing = sharing
        }
    }

    /// What people without an invitation may do who have the address; `none` at first.
    ///
    /// Above `none` whoever has the address can join, and invitations that nobody has accepted
    /// end when the share is saved; with `none` again those leave who had joined so.
    public var publicPermission: ParticipantPermission {
        get { ParticipantPermission(sharing.publicPermission) }
        set { change { $0.publicPermission = newValue.model } }
    }

    /// Where people are led to accept; nil until the share is saved.
    public var url: URL? {
        guard let guid = sharing.shortGUID else { return nil }
        var parts = URLComponents()
        (parts.scheme, parts.host, parts.path) = ("https", "www.icloud.com", "/share/\(guid)")
        if let title = self[SystemFieldKey.title] as String?, !title.isEmpty {
            parts.fragment = title
        }
        return parts.url
    }

    /// Everybody whom the user may see, the owner among them.
    ///
    /// Changes to one of these count when the share is saved.
    public var participants: [CKShare.Participant] { sharing.participants }

    /// Whose records they are.
    public var owner: CKShare.Participant {
        let participants = sharing.participants
        return participants.first { $0.role == .owner } ?? ShareContents.unknownOwner()
    }

    /// The user as a participant; nil for who is not on the list.
    public var currentUserParticipant: CKShare.Participant? { sharing.currentUser }

    /// Adds somebody, or changes the role and permission of who is on the list already.
    ///
    /// - Parameter participant: From `shareParticipant(forEmailAddress:)` and its like. What the
    ///   list cannot take is told when the share is saved: an owner or somebody who joined by the
    ///   address, or anybody while `publicPermission` is above `none`.
    public func addParticipant(_ participant: CKShare.Participant) {
        change { $0.add(participant) }
    }

    /// Takes somebody off the list; the owner is refused when the share is saved.
    public func removeParticipant(_ participant: CKShare.Participant) {
        change { $0.remove(participant) }
    }
}
