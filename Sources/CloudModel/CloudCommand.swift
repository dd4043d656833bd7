/// A request to one database, as a value: what the wire carries and the mock server applies.
package enum CloudCommand: Sendable, Hashable {
    /// `zones/list`, from the page after `token`.
    case listZones(token: ChangeToken?)
    /// `zones/lookup`
    case lookUpZones([RecordZone.ID])
    /// `zones/modify`
    case modifyZones([RecordZone.Operation])
    /// `zones/changes`, the deprecated feed whose token is called `metaSyncToken`.
    case zoneListChanges(token: ChangeToken?, limit: Int?)
    /// `changes/database`
    case databaseChanges(token: ChangeToken?, limit: Int?)
    /// `changes/zone`
    case zoneChanges([ZoneChangesRequest])
    /// `records/query`
    case queryRecords(RecordQueryRequest)
    /// `records/lookup`
    case lookUpRecords(RecordLookupRequest)
    /// `records/modify`
    case modifyRecords(RecordModifyRequest)
    /// `subscriptions/list`
    case listSubscriptions
    /// `subscriptions/lookup`
    case lookUpSubscriptions([String])
    /// `subscriptions/modify`
    case modifySubscriptions([Subscription.Operation])
    /// `users/current`
    case currentUser
    /// `users/caller`
    case caller
    /// `users/restrict`
    case restrict
    /// `users/unrestrict`
    case unrestrict

    /// The three kinds of request that change data, and the two that change access to it.
    package var isModifying: Bool {
        switch self {
        case .modifyZones, .modifyRecords, .modifySubscriptions, .restrict, .unrestrict: true
        case .listZones, .lookUpZones, .zoneListChanges, .databaseChanges, .zoneChanges,
            .queryRecords, .lookUpRecords, .listSubscriptions, .lookUpSubscriptions, .currentUser,
            .caller:
            false
        }
    }

    /// The operation's path below the database, such as `zones/modify`.
    package var operationPath: String {
        switch self {
        case .listZones: "zones/list"
        case .lookUpZones: "zones/lookup"
        case .modifyZones: "zones/modify"
        case .zoneListChanges: "zones/changes"
        case .databaseChanges: "changes/database"
        case .zoneChanges: "changes/zone"
        case .queryRecords: "records/query"
        case .lookUpRecords: "records/lookup"
        case .modifyRecords: "records/modify"
        case .listSubscriptions: "subscriptions/list"
        case .lookUpSubscriptions: "subscriptions/lookup"
        case .modifySubscriptions: "subscriptions/modify"
        case .currentUser: "users/current"
        case .caller: "users/caller"
        case .restrict: "users/restrict"
        case .unrestrict: "users/unrestrict"
        }
    }
}

/// One zone of a `changes/zone` request.
package struct ZoneChangesRequest: Sendable, Hashable {
    package var zoneID: RecordZone.ID
    /// nil: from the beginning; empty: caught up.
    package var token: ChangeToken?
    /// Records in a page; the service caps it at 200.
    package var limit: Int?
    package var desiredKeys: [String]?
    package var desiredRecordTypes: [String]?

    package init(
        zoneID: RecordZone.ID, token: ChangeToken? = nil, limit: Int? = nil,
        desiredKeys: [String]? = nil, desiredRecordTypes: [String]? = nil
    ) {
        self.zoneID = zoneID
        self.token = token
        self.limit = limit
        self.desiredKeys = desiredKeys
        self.desiredRecordTypes = desiredRecordTypes
    }
}

/// A `records/query` request.
package struct RecordQueryRequest: Sendable, Hashable {
    package var query: Query
    /// nil: the default zone, unless `zoneWide`.
    package var zoneID: RecordZone.ID?
    package var zoneWide: Bool
    /// Records in a page; the service caps it at 200.
    package var limit: Int?
    package var continuationMarker: String?
    /// nil: all fields; empty: system fields only.
    package var desiredKeys: [String]?

    package init(
        query: Query, zoneID: RecordZone.ID? = nil, zoneWide: Bool = false, limit: Int? = nil,
        continuationMarker: String? = nil, desiredKeys: [String]? = nil
    ) {
        self.query = query
        self.zoneID = zoneID
        self.zoneWide = zoneWide
        self.limit = limit
        self.continuationMarker = continuationMarker
        self.desiredKeys = desiredKeys
    }
}

/// A `records/lookup` request.
package struct RecordLookupRequest: Sendable, Hashable {
    package var recordNames: [String]
    package var zoneID: RecordZone.ID
    package var desiredKeys: [String]?

    package init(
        recordNames: [String], zoneID: RecordZone.ID = .default, desiredKeys: [String]? = nil
    ) {
        self.recordNames = recordNames
        self.zoneID = zoneID
        self.desiredKeys = desiredKeys
    }
}

/// A `records/modify` request.
package struct RecordModifyRequest: Sendable, Hashable {
    package var operations: [RecordOperation]
    package var zoneID: RecordZone.ID
    /// All or nothing for each zone; without meaning in the default zone and the public database.
    package var atomic: Bool
    package var desiredKeys: [String]?

    package init(
        operations: [RecordOperation], zoneID: RecordZone.ID = .default, atomic: Bool = true,
        desiredKeys: [String]? = nil
    ) {
        self.operations = operations
        self.zoneID = zoneID
        self.atomic = atomic
        self.desiredKeys = desiredKeys
    }
}
