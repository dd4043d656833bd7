import AsyncOperations
import CloudModel
internal import CoreLocation
public import Foundation

/// Somebody who takes part in a share. Equal by ID.
///
/// Containers look participants up; they take part once a share with them is saved.
// Unchecked: all that changes is behind a lock.
public final class CKShareParticipant: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// Identifies a participant of a share.
    public typealias ID = String

    private let state: Locked<ShareParticipant>
    /// Who it is.
    public let userIdentity: CKUserIdentity
    /// Identifies the participant; until the share is saved, here only.
    public let participantID: CKShareParticipant.ID

    init(_ participant: ShareParticipant) {
        state = Locked(participant)
        userIdentity = CKUserIdentity(participant.identity)
        participantID = participant.participantID ?? makeUniqueName()
    }

    init(copying other: CKShareParticipant) {
        state = Locked(other.model)
        userIdentity = other.userIdentity
        participantID = other.participantID
    }

    /// The participant as the service takes it.
    var model: ShareParticipant { state.withLock { $0 } }

    /// What the person is to the share.
    public var role: CKShare.ParticipantRole {
        get { CKShare.ParticipantRole(model.role) }
        set { state.withLock { $0.role = newValue.model } }
    }

    /// What the person may do.
    public var permission: CKShare.ParticipantPermission {
        get { CKShare.ParticipantPermission(model.permission) }
        set { state.withLock { $0.permission = newValue.model } }
    }

    /// What the person did with the invitation.
    public var acceptanceStatus: CKShare.ParticipantAcceptanceStatus {
        CKShare.ParticipantAcceptanceStatus(model.acceptance)
    }

    /// Whether both are the same person, whatever they may do.
    func isSamePerson(as other: CKShareParticipant) -> Bool {
        let (ours, theirs) = (model.identity, other.model.identity)
        if !ours.userRecordName.isEmpty, ours.userRecordName == theirs.userRecordName {
            return true
        }
        return ours.lookupInfo != nil && ours.lookupInfo == theirs.lookupInfo
    }

    /// Whether two participants have the same ID.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? CKShareParticipant)?.participantID == participantID
    }

    /// Follows ``isEqual(_:)``.
    public override var hash: Int { participantID.hashValue }

    /// Another object for the same participant.
    public func copy(with zone: NSZone? = nil) -> Any { CKShareParticipant(copying: self) }

    // MARK: - Coding

    /// True.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the participant to an archive.
    public func encode(with coder: NSCoder) {
        let model = model
        coder.encode(userIdentity, forKey: "userIdentity")
        coder.encode(model.participantID.map { $0 as NSString }, forKey: "participantID")
        coder.encode(role.rawValue, forKey: "role")
        coder.encode(permission.rawValue, forKey: "permission")
        coder.encode(acceptanceStatus.rawValue, forKey: "acceptanceStatus")
    }

    /// Reads a participant from an archive.
    public convenience init?(coder: NSCoder) {
        guard
            let identity = coder.decodeIfThere(CKUserIdentity.self, "userIdentity"),
            let role = CKShare.ParticipantRole(rawValue: coder.decodeInteger(forKey: "role")),
            let permission = CKShare.ParticipantPermission(
                rawValue: coder.decodeInteger(forKey: "permission")),
            let acceptance = CKShare.ParticipantAcceptanceStatus(
                rawValue: coder.decodeInteger(forKey: "acceptanceStatus"))
        else { return nil }
        self.init(
            ShareParticipant(
                participantID: coder.decodeText("participantID"), identity: identity.model,
                role: role.model, permission: permission.model, acceptance: acceptance.model))
    }
}

extension CKShare {
    /// Somebody who takes part in a share.
    ///
    /// The class is not nested, because Foundation on Linux archives no nested classes.
    public typealias Participant = CKShareParticipant
}
