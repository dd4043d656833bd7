/// What a share record says beside its fields: who takes part, and what they may do. Mirrors
/// `CKShare`.
package struct Share: Sendable, Hashable {
    /// The type of every share record.
    package static let recordType = "cloudkit.share"
    /// The name of the record that shares a whole zone.
    package static let zoneWideName = "cloudkit.zoneshare"
    /// Participants beside the owner.
    ///
    /// - SeeAlso: <https://developer.apple.com/documentation/cloudkit/ckerror/code/toomanyparticipants>
    package static let participantsMax = 100

    /// What somebody may do with what is shared, the less before the more.
    package enum Permission: String, Sendable, CaseIterable, Comparable {
        case unknown = "UNKNOWN"
        case none = "NONE"
        case readOnly = "READ_ONLY"
        case readWrite = "READ_WRITE"

        package static func < (left: Permission, right: Permission) -> Bool {
            left.order < right.order
        }
        private var order: Int {
            switch self {
            case .unknown: 0
            case .none: 1
            case .readOnly: 2
            case .readWrite: 3
            }
        }
    }

    /// What whoever has the share's address may do; above `none` anybody can join.
    package var publicPermission: Permission
    /// Everybody, the owner among them.
    package var participants: [ShareParticipant]
    /// Whose records they are; only in answers.
    package var owner: ShareParticipant?
    /// The caller; only in answers, nil for who is not on the list.
    package var currentUser: ShareParticipant?

    package init(
        publicPermission: Permission = .none, participants: [ShareParticipant] = [],
        owner: ShareParticipant? = nil, currentUser: ShareParticipant? = nil
    ) {
        self.publicPermission = publicPermission
        self.participants = participants
        self.owner = owner
        self.currentUser = currentUser
    }

    /// What a `records/modify` operation says of a share.
    package struct Change: Sendable, Hashable {
        /// The root of the hierarchy that is shared; nil for a whole zone, and for a share that
        /// is there.
        package var root: Root?
        /// nil: as it is, at first `none`.
        package var publicPermission: Permission?
        /// Who is to take part, the owner aside; nil: as they are, at first nobody.
        package var participants: [ShareParticipant]?

        package init(
            root: Root? = nil, publicPermission: Permission? = nil,
            participants: [ShareParticipant]? = nil
        ) {
            self.root = root
            self.publicPermission = publicPermission
            self.participants = participants
        }

        /// The root record that a new share is for.
        package struct Root: Sendable, Hashable {
            package var recordName: String
            /// nil where the root is new in the same request.
            package var recordChangeTag: String?

            package init(_ recordName: String, recordChangeTag: String? = nil) {
                self.recordName = recordName
                self.recordChangeTag = recordChangeTag
            }
        }
    }
}
