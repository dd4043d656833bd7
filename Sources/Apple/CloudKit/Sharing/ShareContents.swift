import CloudModel

/// What a share has beside its fields: what the service knows, and what the app made of that.
struct ShareContents: Sendable {
    /// The root of a new share; nil: a whole zone's, or one that the service has.
    var root: CKRecord.ID?
    var publicPermission = Share.Permission.none
    /// Everybody, the owner among them.
    var participants: [CKShare.Participant]
    /// What the share's address ends with; nil before the first save.
    var shortGUID: String?
    /// As the service told it; nil: everything is sent with the next save.
    private(set) var known: Share?
    /// What the app did that no save can do; told by the next one.
    private(set) var refusal: String?

    /// A share that was never saved.
    init(root: CKRecord.ID?) {
        self.root = root
        participants = [Self.unknownOwner()]
    }

    /// A share of the service's.
    init(_ share: Share, shortGUID: String?) {
        publicPermission = share.publicPermission
        participants = share.participants.map { CKShare.Participant($0) }
        if let owner = share.owner, !share.participants.contains(where: { $0.role == .owner }) {
            participants.insert(CKShare.Participant(owner), at: 0)
        }
        self.shortGUID = shortGUID
        known = share
    }

    /// An archived share, which may have been changed before.
    init(
        root: CKRecord.ID?, _ publicPermission: Share.Permission,
        _ participants: [CKShare.Participant], shortGUID: String?
    ) {
        self.root = root
        self.publicPermission = publicPermission
        self.participants = participants
        self.shortGUID = shortGUID
    }

    /// The owner of a share that nobody has told about: the current user.
    static func unknownOwner() -> CKShare.Participant {
        CKShare.Participant(
            ShareParticipant(
                identity: UserIdentity(userRecordName: CKCurrentUserDefaultName), role: .owner,
                permission: .readWrite, acceptance: .accepted))
    }

    /// The caller; nil: not on the list.
    var currentUser: CKShare.Participant? {
        guard let known else { return participants.first { $0.role == .owner } }
        guard let me = known.currentUser else { return nil }
        return participants.first { $0.model.participantID == me.participantID }
            ?? CKShare.Participant(me)
    }

    /// The same with participants of its own.
    var detached: ShareContents {
        var other = self
        other.participants = participants.map { CKShare.Participant(copying: $0) }
        return other
    }

    /// The same after a save: what the app has changed since the save began is sent with the next one.
    ///
    /// - Parameters:
    ///   - saved: The share as the service has it.
    ///   - sent: The share when the save began.
    func saved(_ saved: ShareContents, sent: ShareContents?) -> ShareContents {
        var other = self
        (other.root, other.shortGUID, other.known) = (saved.root, saved.shortGUID, saved.known)
        if publicPermission == sent?.publicPermission {
            other.publicPermission = saved.publicPermission
        }
        if let sent, participants.map(\.model) == sent.participants.map(\.model) {
            other.participants = saved.participants
        }
        return other
    }

    mutating func add(_ participant: CKShare.Participant) {
        guard participant.role == .privateUser || participant.role == .administrator else {
            refusal = "only private users and administrators can be added to a share"
            return
        }
        guard publicPermission == .none else {
            refusal = "no participant can be added to a share that is public"
            return
        }
        if let known = participants.first(where: { $0.isSamePerson(as: participant) }) {
            guard known.role != .owner else { return }
            known.role = participant.role
            known.permission = participant.permission
        } else {
            participants.append(participant)
        }
    }

    mutating func remove(_ participant: CKShare.Participant) {
        guard participant.role != .owner else {
            refusal = "the owner of a share cannot be removed from it"
            return
        }
        participants.removeAll { $0 == participant || $0.isSamePerson(as: participant) }
    }

    /// What a save says of the share; nil: nothing but its fields has changed.
    ///
    /// - Parameter isNew: Whether the share was never saved.
    /// - Throws: `invalidArguments` for what no share can be, `tooManyParticipants`.
    func change(isNew: Bool) throws(CKError) -> Share.Change? {
        if let refusal { throw CKError(.invalidArguments, refusal) }
        let people = participants.map(\.model).filter { $0.role != .owner }
        guard people.count <= Share.participantsMax else {
            throw CKError(
                .tooManyParticipants,
                "the share has \(people.count) participants; the maximum is "
                    + "\(Share.participantsMax) in addition to its owner")
        }
        var change = Share.Change()
        if isNew { change.root = root.map { Share.Change.Root($0.recordName) } }
        if publicPermission != known?.publicPermission {
            guard publicPermission != .unknown else {
                throw CKError(.invalidArguments, "the public permission of a share is unknown")
            }
            change.publicPermission = publicPermission
        }
        if people != known?.participants.filter({ $0.role != .owner }) {
            guard !people.contains(where: { $0.permission == .unknown }) else {
                throw CKError(.invalidArguments, "the permission of a participant is unknown")
            }
            change.participants = people
        }
        return change == Share.Change() ? nil : change
    }
}
