/// One item of a `records/resolve` or `records/accept` request.
package struct ShareLookup: Sendable, Hashable {
    /// The last part of the share's address, without what follows the `#`.
    package var shortGUID: String
    /// Whether the answer has the root record too; the service does so unless told otherwise.
    package var fetchesRoot: Bool
    /// The fields of the root record; nil: all.
    package var rootDesiredKeys: [String]?

    package init(_ shortGUID: String, fetchesRoot: Bool = true, rootDesiredKeys: [String]? = nil) {
        self.shortGUID = shortGUID
        self.fetchesRoot = fetchesRoot
        self.rootDesiredKeys = rootDesiredKeys
    }
}

/// What a short GUID leads to, as far as the caller may know. Mirrors `CKShare.Metadata`.
package struct ShareMetadata: Sendable, Hashable {
    /// As it was asked.
    package var lookup: ShareLookup
    package var container: Container.ID
    package var environment: Container.Environment
    /// `private` for the owner, `shared` for everybody else.
    package var scope: Database.Scope
    package var zoneID: RecordZone.ID
    /// nil for a whole zone.
    package var rootRecordName: String?
    package var rootRecord: Record?
    /// nil for a record that has a GUID and is not shared.
    package var share: Record?
    package var owner: UserIdentity
    package var role: ShareParticipant.Role
    package var permission: Share.Permission
    package var acceptance: ShareParticipant.Acceptance

    package init(
        lookup: ShareLookup, container: Container.ID, environment: Container.Environment,
        scope: Database.Scope, zoneID: RecordZone.ID, rootRecordName: String? = nil,
        rootRecord: Record? = nil, share: Record? = nil, owner: UserIdentity,
        role: ShareParticipant.Role, permission: Share.Permission,
        acceptance: ShareParticipant.Acceptance
    ) {
        self.lookup = lookup
        self.container = container
        self.environment = environment
        self.scope = scope
        self.zoneID = zoneID
        self.rootRecordName = rootRecordName
        self.rootRecord = rootRecord
        self.share = share
        self.owner = owner
        self.role = role
        self.permission = permission
        self.acceptance = acceptance
    }

    /// One item of an answer.
    package enum Item: Sendable, Hashable {
        case metadata(ShareMetadata)
        case failure(shortGUID: String, CloudError)

        package var shortGUID: String {
            switch self {
            case .metadata(let metadata): metadata.lookup.shortGUID
            case .failure(let guid, _): guid
            }
        }
    }
}
