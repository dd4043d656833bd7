/// Somebody who takes part in a share. Mirrors `CKShare.Participant`.
package struct ShareParticipant: Sendable, Hashable {
    /// What somebody is to a share.
    package enum Role: String, Sendable, CaseIterable {
        case unknown = "UNKNOWN"
        case owner = "OWNER"
        /// Invited, and may invite others.
        case administrator = "ADMINISTRATOR"
        /// Invited.
        case user = "USER"
        /// Joined by the share's address.
        case publicUser = "PUBLIC_USER"
    }

    /// What somebody did with an invitation.
    package enum Acceptance: String, Sendable, CaseIterable {
        case unknown = "UNKNOWN"
        case invited = "INVITED"
        case accepted = "ACCEPTED"
        case removed = "REMOVED"
    }

    /// The service's; nil in requests that add somebody.
    package var participantID: String?
    package var identity: UserIdentity
    package var role: Role
    package var permission: Share.Permission
    package var acceptance: Acceptance

    package init(
        participantID: String? = nil, identity: UserIdentity, role: Role = .user,
        permission: Share.Permission = .readOnly, acceptance: Acceptance = .invited
    ) {
        self.participantID = participantID
        self.identity = identity
        self.role = role
        self.permission = permission
        self.acceptance = acceptance
    }
}
