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
    /// `records/lookup`
    case lookUpRecords(RecordLookupRequest)
    /// `subscriptions/list`
    case listSubscriptions
    /// `subscriptions/lookup`
    case lookUpSubscriptions([String])
    /// `users/current`
    case currentUser
    /// `users/caller`
    case caller

    /// The operation's path below the database, such as `zones/list`.
    package var operationPath: String {
        switch self {
        case .listZones: "zones/list"
        case .lookUpZones: "zones/lookup"
        case .zoneListChanges: "zones/changes"
        case .databaseChanges: "changes/database"
        case .zoneChanges: "changes/zone"
        case .queryRecords: "records/query"
        case .lookUpRecords: "records/lookup"
        case .listSubscriptions: "subscriptions/list"
        case .lookUpSubscriptions: "subscriptions/lookup"
        case .currentUser: "users/current"
        case .caller: "users/caller"
        }
    }
}
