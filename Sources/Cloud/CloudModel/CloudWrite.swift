/// A request that changes data, or access to it, as a value.
package enum CloudWrite: Sendable, Hashable {
    /// `zones/modify`
    case modifyZones([RecordZone.Operation])
    /// `records/modify`
    case modifyRecords(RecordModifyRequest)
    /// `records/accept`
    case acceptShares([ShareLookup])
    /// `subscriptions/modify`
    case modifySubscriptions([Subscription.Operation])
    /// `assets/upload`
    case uploadAssets(AssetUploadRequest)
    /// `assets/rereference`
    case rereferenceAssets(AssetRereferenceRequest)
    /// `tokens/create`, for a client that can name itself.
    case createToken(PushToken.Environment, clientID: String?)
    /// `tokens/register`
    case registerToken(PushToken)
    /// `users/restrict`
    case restrict
    /// `users/unrestrict`
    case unrestrict

    /// The operation's path below the database, such as `zones/modify`.
    package var operationPath: String {
        switch self {
        case .modifyZones: "zones/modify"
        case .modifyRecords: "records/modify"
        case .acceptShares: "records/accept"
        case .modifySubscriptions: "subscriptions/modify"
        case .uploadAssets: "assets/upload"
        case .rereferenceAssets: "assets/rereference"
        case .createToken: "tokens/create"
        case .registerToken: "tokens/register"
        case .restrict: "users/restrict"
        case .unrestrict: "users/unrestrict"
        }
    }
}

/// A `records/modify` request.
package struct RecordModifyRequest: Sendable, Hashable {
    package var operations: [RecordOperation]
    package var zoneID: RecordZone.ID
    /// Whether it is all or nothing for each zone; nil leaves it to the service, which then does so in
    /// custom zones. Of the default zone it must not be asked.
    package var atomic: Bool?
    package var desiredKeys: [String]?

    /// Whether the operations in a zone are all or nothing.
    package func isAtomic(in zoneID: RecordZone.ID) -> Bool {
        !zoneID.isDefault && atomic ?? true
    }

    package init(
        operations: [RecordOperation], zoneID: RecordZone.ID = .default, atomic: Bool? = nil,
        desiredKeys: [String]? = nil
    ) {
        self.operations = operations
        self.zoneID = zoneID
        self.atomic = atomic
        self.desiredKeys = desiredKeys
    }
}

/// A request to one database, of either kind: what the wire carries and the mock server applies.
package enum CloudCommand: Sendable, Hashable {
    case read(CloudRead)
    case write(CloudWrite)

    /// Whether the request changes data, or access to it.
    package var isModifying: Bool {
        switch self {
        case .read: false
        case .write: true
        }
    }

    /// The operation's path below the database, such as `zones/modify`.
    package var operationPath: String {
        switch self {
        case .read(let read): read.operationPath
        case .write(let write): write.operationPath
        }
    }
}
