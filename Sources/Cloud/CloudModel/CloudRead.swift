/// A request that changes nothing, as a value.
///
/// No case of this type writes, so that what is given only a ``CloudDatabaseReading`` cannot be made
/// to change anything.
package enum CloudRead: Sendable, Hashable {
    /// `zones/list`, from the page after `token`.
    case listZones(token: ChangeToken?)
    /// `zones/lookup`
    case lookUpZones([RecordZone.ID])
    /// `zones/changes`, the deprecated feed whose token is called `metaSyncToken`.
    case zoneListChanges(token: ChangeToken?, limit: Int?)
    /// `changes/database`
    case databaseChanges(token: ChangeToken?, limit: Int?)
    /// `changes/zone`
    case zoneChanges([ZoneChangesRequest])
    /// `records/query`
    case queryRecords(RecordQueryRequest)
    /// `internal/records/query/batch`: several queries, each with a page of its own.
    case queryBatch([RecordQueryRequest])
    /// `records/lookup`
    case lookUpRecords(RecordLookupRequest)
    /// `records/resolve`
    case resolveShares([ShareLookup])
    /// `subscriptions/list`
    case listSubscriptions
    /// `subscriptions/lookup`
    case lookUpSubscriptions([String])
    /// `users/current`
    case currentUser
    /// `users/caller`
    case caller
    /// `users/discover`: users who let themselves be found; nil: all whom the caller knows.
    case discoverUsers([UserIdentity.LookupInfo]?)
    /// `users/lookup/email`
    case lookUpUsersByEmail([String])
    /// `users/lookup/id`
    case lookUpUsersByID([String])
    /// `users/lookup/contacts`
    case lookUpContacts

    /// The operation's path below the database, such as `zones/list`.
    package var operationPath: String {
        switch self {
        case .listZones: "zones/list"
        case .lookUpZones: "zones/lookup"
        case .zoneListChanges: "zones/changes"
        case .databaseChanges: "changes/database"
        case .zoneChanges: "changes/zone"
        case .queryRecords: "records/query"
        case .queryBatch: "internal/records/query/batch"
        case .lookUpRecords: "records/lookup"
        case .resolveShares: "records/resolve"
        case .listSubscriptions: "subscriptions/list"
        case .lookUpSubscriptions: "subscriptions/lookup"
        case .currentUser: "users/current"
        case .caller: "users/caller"
        case .discoverUsers: "users/discover"
        case .lookUpUsersByEmail: "users/lookup/email"
        case .lookUpUsersByID: "users/lookup/id"
        case .lookUpContacts: "users/lookup/contacts"
        }
    }
}

extension CloudRead {
    /// Records or zones in a page when nothing is said; the service's own limit for records.
    package static let pageSizeStandard = ReplyCheck.recordsMax

    /// How many records or zones a page may have at most; nil: nobody can say so in this request.
    package var pageSize: Int? {
        switch self {
        case .queryRecords(let request): request.limit ?? Self.pageSizeStandard
        case .zoneChanges(let zones):
            zones.map { $0.limit ?? Self.pageSizeStandard }.max()
        case .databaseChanges(_, let limit), .zoneListChanges(_, let limit):
            limit ?? Self.pageSizeStandard
        case .listZones, .lookUpZones, .queryBatch, .lookUpRecords, .resolveShares,
            .listSubscriptions,
            .lookUpSubscriptions, .currentUser, .caller, .discoverUsers, .lookUpUsersByEmail,
            .lookUpUsersByID,
            .lookUpContacts:
            nil
        }
    }

    /// The same request for pages that are no larger than `most`. A page's cursor is good for any
    /// size, so a listing may change it on the way.
    package func limited(toPagesOf most: Int) -> CloudRead {
        guard let pageSize, pageSize > most else { return self }
        switch self {
        case .queryRecords(var request):
            request.limit = most
            return .queryRecords(request)
        case .zoneChanges(var zones):
            for index in zones.indices {
                zones[index].limit = min(zones[index].limit ?? most, most)
            }
            return .zoneChanges(zones)
        case .databaseChanges(let token, _): return .databaseChanges(token: token, limit: most)
        case .zoneListChanges(let token, _): return .zoneListChanges(token: token, limit: most)
        case .listZones, .lookUpZones, .queryBatch, .lookUpRecords, .resolveShares,
            .listSubscriptions,
            .lookUpSubscriptions, .currentUser, .caller, .discoverUsers, .lookUpUsersByEmail,
            .lookUpUsersByID,
            .lookUpContacts:
            return self
        }
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
    /// Whether every zone is searched: a zone that is named prevails.
    package var isZoneWide: Bool { zoneWide && zoneID == nil }

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
    /// The fields wanted of single records, by their place in `recordNames`, in place of
    /// `desiredKeys`.
    package var ownDesiredKeys: [Int: [String]]

    package init(
        recordNames: [String], zoneID: RecordZone.ID = .default, desiredKeys: [String]? = nil,
        ownDesiredKeys: [Int: [String]] = [:]
    ) {
        self.recordNames = recordNames
        self.zoneID = zoneID
        self.desiredKeys = desiredKeys
        self.ownDesiredKeys = ownDesiredKeys
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
    /// Whether a scan from the beginning goes the other way: the newest first, without deletions. It ends
    /// with a token for what has changed since it began.
    package var reverse: Bool

    package init(
        zoneID: RecordZone.ID, token: ChangeToken? = nil, limit: Int? = nil,
        desiredKeys: [String]? = nil, desiredRecordTypes: [String]? = nil, reverse: Bool = false
    ) {
        self.zoneID = zoneID
        self.token = token
        self.limit = limit
        self.desiredKeys = desiredKeys
        self.desiredRecordTypes = desiredRecordTypes
        self.reverse = reverse
    }
}
