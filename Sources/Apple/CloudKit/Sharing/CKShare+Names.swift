import CloudModel

extension CKShare {
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

        init(_ acceptance: ShareParticipant.Acceptance) {
            switch acceptance {
            case .unknown: self = .unknown
            case .invited: self = .pending
            case .accepted: self = .accepted
            case .removed: self = .removed
            }
        }

        var model: ShareParticipant.Acceptance {
            switch self {
            case .unknown: .unknown
            case .pending: .invited
            case .accepted: .accepted
            case .removed: .removed
            }
        }
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

        init(_ permission: Share.Permission) {
            switch permission {
            case .unknown: self = .unknown
            case .none: self = .none
            case .readOnly: self = .readOnly
            case .readWrite: self = .readWrite
            }
        }

        var model: Share.Permission {
            switch self {
            case .unknown: .unknown
            case .none: .none
            case .readOnly: .readOnly
            case .readWrite: .readWrite
            }
        }
    }

    /// What a person is to a share.
    public enum ParticipantRole: Int, Sendable {
        /// Nobody knows.
        case unknown = 0
        /// Made it.
        case owner = 1
        /// Was invited, and may invite others.
        case administrator = 2
        /// Was invited.
        case privateUser = 3
        /// Has its address.
        case publicUser = 4

        init(_ role: ShareParticipant.Role) {
            switch role {
            case .unknown: self = .unknown
            case .owner: self = .owner
            case .administrator: self = .administrator
            case .user: self = .privateUser
            case .publicUser: self = .publicUser
            }
        }

        var model: ShareParticipant.Role {
            switch self {
            case .unknown: .unknown
            case .owner: .owner
            case .administrator: .administrator
            case .privateUser: .user
            case .publicUser: .publicUser
            }
        }
    }
}
