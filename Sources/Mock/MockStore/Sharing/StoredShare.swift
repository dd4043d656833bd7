package import CloudModel

/// What a share record keeps beside its fields, and what may become of it.
package struct StoredShare: Hashable {
    /// The root of the hierarchy; nil: the whole zone.
    let root: String?
    package var publicPermission = Share.Permission.none
    /// Everybody, the owner first.
    package var participants: [Participant]

    /// Somebody on the list.
    package struct Participant: Hashable {
        package let id: String
        /// The account, once it is known.
        package var user: String?
        package var shown: ShareParticipant

        init(id: String, user: String?, _ shown: ShareParticipant) {
            self.id = id
            self.user = user
            self.shown = shown
            self.shown.participantID = id
        }
    }

    /// A new share, its owner's alone.
    init(root: String?, owner: Participant) {
        self.root = root
        participants = [owner]
    }

    /// The accounts that have accepted, and whether they may write.
    var accepted: [String: Bool] {
        var accepted: [String: Bool] = [:]
        for person in participants where person.isMember {
            guard let user = person.user else { continue }
            let permission = max(person.shown.permission, publicPermission)
            guard permission >= .readOnly else { continue }
            accepted[user] = permission == .readWrite
        }
        return accepted
    }

    /// What an account is on the list.
    func participant(_ user: String) -> Participant? {
        participants.first { $0.user == user }
    }

    /// The same share with the accounts of those who had none when they were invited.
    ///
    /// - Parameter find: Looks for an account.
    func knowing(_ find: (UserIdentity.LookupInfo) -> String?) -> StoredShare {
        var share = self
        for (place, person) in participants.enumerated() where person.user == nil {
            let user = person.shown.identity.wanted.flatMap(find)
            if let user, participant(user) == nil { share.participants[place].user = user }
        }
        return share
    }

    /// The share as it is answered to somebody.
    func shown(to recordName: String) -> Share {
        let shown = participants.map(\.shown)
        return Share(
            publicPermission: publicPermission, participants: shown,
            owner: shown.first { $0.role == .owner },
            currentUser: recordName.isEmpty
                ? nil : shown.first { $0.identity.userRecordName == recordName })
    }

    // MARK: - What becomes of it

    /// Somebody who is to take part, found where the service knows them.
    typealias Invitee = (user: String?, shown: ShareParticipant)

    /// Takes over what its owner or an administrator says.
    ///
    /// - Parameters:
    ///   - invitees: Who is to take part, the owner aside; nil: as before.
    ///   - nextID: Makes the number of a new participant.
    ///   - most: Participants that there can be beside the owner.
    /// - Throws: BAD_REQUEST with more.
    mutating func change(
        publicPermission: Share.Permission?, invitees: [Invitee]?, most: Int, nextID: () -> String
    ) throws(CloudError) {
        if let invitees { try invite(invitees, most, nextID) }
        guard let permission = publicPermission else { return dropOddParticipants() }
        self.publicPermission = permission
        dropOddParticipants()
    }

    /// Who has an invitation only is dropped from a public share, who has joined by its address
    /// from one that is no longer public; who stays by its address may do what the address allows.
    private mutating func dropOddParticipants() {
        let isPublic = publicPermission != .none
        for place in participants.indices where participants[place].shown.role == .publicUser {
            participants[place].shown.permission = publicPermission
        }
        participants.removeAll { person in
            isPublic
                ? person.shown.acceptance == .invited : person.shown.role == .publicUser
        }
    }

    private mutating func invite(
        _ invitees: [Invitee], _ most: Int, _ nextID: () -> String
    ) throws(CloudError) {
        var next = participants.filter { $0.shown.role == .owner }
        for invitee in invitees where invitee.shown.role != .owner {
            let isOwner = invitee.user != nil && invitee.user == next.first?.user
            guard !isOwner else { continue }
            var known = participants.first { $0.isSame(as: invitee) }
            if known?.shown.role == .owner { continue }
            known?.shown.permission = invitee.shown.permission
            if invitee.shown.role == .administrator || invitee.shown.role == .user,
                known?.shown.role != .publicUser
            {
                known?.shown.role = invitee.shown.role
            }
            let person =
                known ?? Participant(id: nextID(), user: invitee.user, Self.invited(invitee.shown))
            guard !next.contains(where: { $0.id == person.id || $0.isSame(as: invitee) }) else {
                continue
            }
            next.append(person)
        }
        guard next.count <= most + 1 else { throw .tooManyParticipants(most) }
        participants = next
    }

    /// Nobody can accept for another, or make them what only joining makes.
    private static func invited(_ given: ShareParticipant) -> ShareParticipant {
        var person = given
        person.acceptance = .invited
        if person.role != .administrator { person.role = .user }
        return person
    }

    /// Somebody accepts, or joins by the share's address.
    ///
    /// - Returns: Whether anything has changed.
    /// - Throws: ACCESS_DENIED for who is not invited to a private share.
    mutating func accept(
        _ user: String, as identity: UserIdentity, most: Int, nextID: () -> String
    ) throws(CloudError) -> Bool {
        if let place = participants.firstIndex(where: { $0.user == user }) {
            let person = participants[place]
            let isNew = !person.isMember && person.shown.role != .owner
            participants[place].shown.identity = identity
            participants[place].shown.identity.lookupInfo = person.shown.identity.lookupInfo
            participants[place].shown.acceptance = .accepted
            return isNew
        }
        guard publicPermission >= .readOnly else {
            throw CloudError(
                .accessDenied, reason: "not invited to this share", rule: "foreign-short-guid")
        }
        guard participants.count <= most else { throw .tooManyParticipants(most) }
        participants.append(
            Participant(
                id: nextID(), user: user,
                ShareParticipant(
                    identity: identity, role: .publicUser, permission: publicPermission,
                    acceptance: .accepted)))
        return true
    }

    /// Takes somebody off the list; says whether they were on it.
    mutating func remove(_ user: String) -> Bool {
        let count = participants.count
        participants.removeAll { $0.user == user && $0.shown.role != .owner }
        return participants.count < count
    }

    // MARK: - As bytes

    mutating func code(_ coder: inout RowCoder) {
        var root = root
        coder.optionalString(&root)
        coder.name(&publicPermission)
        var people = participants
        coder.list(&people, Self.nobody) { $1.code(&$0) }
        if coder.isReading {
            self = StoredShare(root: root, publicPermission: publicPermission, people)
        }
    }

    private init(
        root: String?, publicPermission: Share.Permission, _ participants: [Participant]
    ) {
        self.root = root
        self.publicPermission = publicPermission
        self.participants = participants
    }

    /// What is replaced by what is read.
    static let empty = StoredShare(root: nil, owner: nobody)
    private static let nobody = Participant(
        id: "", user: nil, ShareParticipant(identity: UserIdentity(userRecordName: "")))
}

extension StoredShare.Participant {
    /// Whether they see what is shared.
    fileprivate var isMember: Bool {
        shown.acceptance == .accepted && shown.role != .owner
    }

    /// Whether a request means this participant: by number, account, or record name.
    fileprivate func isSame(as invitee: StoredShare.Invitee) -> Bool {
        if let given = invitee.shown.participantID { return given == id }
        if let user, let other = invitee.user { return user == other }
        let wanted = invitee.shown.identity.wanted
        return wanted != nil && wanted == shown.identity.wanted
    }

    fileprivate mutating func code(_ coder: inout RowCoder) {
        var (id, user) = (id, user)
        var identity = shown.identity
        coder.string(&id)
        coder.optionalString(&user)
        coder.identity(&identity)
        coder.name(&shown.role)
        coder.name(&shown.permission)
        coder.name(&shown.acceptance)
        guard coder.isReading else { return }
        shown.identity = identity
        self = StoredShare.Participant(id: id, user: user, shown)
    }
}

extension UserIdentity {
    /// What somebody is to be found by; nil where nothing is said.
    var wanted: LookupInfo? {
        lookupInfo ?? (userRecordName.isEmpty ? nil : .userRecordName(userRecordName))
    }
}

extension RowCoder {
    fileprivate mutating func identity(_ identity: inout UserIdentity) {
        string(&identity.userRecordName)
        var names = identity.nameComponents ?? NameComponents()
        for (_, path) in NameComponents.parts { optionalString(&names[keyPath: path]) }
        var (kind, text): (UInt8, String) =
            switch identity.lookupInfo {
            case nil: (0, "")
            case .emailAddress(let text): (1, text)
            case .phoneNumber(let text): (2, text)
            case .userRecordName(let text): (3, text)
            }
        byte(&kind)
        string(&text)
        guard isReading else { return }
        let found: [UserIdentity.LookupInfo?] = [
            nil, .emailAddress(text), .phoneNumber(text), .userRecordName(text),
        ]
        guard Int(kind) < found.count else { return fail() }
        identity = UserIdentity(
            userRecordName: identity.userRecordName, nameComponents: names,
            lookupInfo: found[Int(kind)])
    }
}

extension CloudError {
    static func tooManyParticipants(_ most: Int) -> CloudError {
        CloudError(
            .badRequest,
            reason: "a share has at most \(most) participants in addition to its owner",
            rule: 103)
    }
}
