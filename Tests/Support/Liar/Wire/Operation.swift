/// What can be asked of a database, spelled as the end of the path.
package enum Operation: String, Sendable, CaseIterable {
    case listZones = "zones/list"
    case lookUpZones = "zones/lookup"
    case modifyZones = "zones/modify"
    case databaseChanges = "changes/database"
    case zoneChanges = "changes/zone"
    case queryRecords = "records/query"
    case lookUpRecords = "records/lookup"
    case modifyRecords = "records/modify"
    case listSubscriptions = "subscriptions/list"
    case lookUpSubscriptions = "subscriptions/lookup"
    case modifySubscriptions = "subscriptions/modify"
    case caller = "users/caller"
    case currentUser = "users/current"
    case uploadFiles = "assets/upload"
    /// Of a file, at the address that a record gives for it.
    case download = "asset"

    /// The member of an answer that holds its items.
    package var list: String {
        switch self {
        case .listZones, .lookUpZones, .modifyZones, .databaseChanges, .zoneChanges: "zones"
        case .queryRecords, .lookUpRecords, .modifyRecords: "records"
        case .listSubscriptions, .lookUpSubscriptions, .modifySubscriptions: "subscriptions"
        case .caller, .currentUser: "users"
        case .uploadFiles: "tokens"
        case .download: ""
        }
    }

    /// Whether it changes what is there.
    package var isModifying: Bool {
        switch self {
        case .modifyZones, .modifyRecords, .modifySubscriptions: true
        default: false
        }
    }
}
