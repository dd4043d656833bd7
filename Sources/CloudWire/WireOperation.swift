package import CloudModel

/// The operations of a database, spelled as the path below it.
package enum WireOperation: String, Sendable, CaseIterable {
    case listZones = "zones/list"
    case lookUpZones = "zones/lookup"
    case modifyZones = "zones/modify"
    case zoneListChanges = "zones/changes"
    case databaseChanges = "changes/database"
    case zoneChanges = "changes/zone"
    /// Deprecated: `changes/zone` for one zone, with its keys at the top.
    case recordChanges = "records/changes"
    case queryRecords = "records/query"
    case lookUpRecords = "records/lookup"
    case modifyRecords = "records/modify"
    case listSubscriptions = "subscriptions/list"
    case lookUpSubscriptions = "subscriptions/lookup"
    case modifySubscriptions = "subscriptions/modify"
    case currentUser = "users/current"
    case caller = "users/caller"
    case restrict = "users/restrict"
    case unrestrict = "users/unrestrict"

    /// The methods answered: POST for all, and GET too where it is the documented one.
    package var methods: [String] {
        switch self {
        case .listZones, .listSubscriptions, .currentUser, .caller, .restrict, .unrestrict:
            ["GET", "POST"]
        case .lookUpZones, .modifyZones, .zoneListChanges, .databaseChanges, .zoneChanges,
            .recordChanges, .queryRecords, .lookUpRecords, .modifyRecords, .lookUpSubscriptions,
            .modifySubscriptions:
            ["POST"]
        }
    }

    /// Whether the operation changes data or access to it.
    package var isModifying: Bool {
        switch self {
        case .modifyZones, .modifyRecords, .modifySubscriptions, .restrict, .unrestrict: true
        case .listZones, .lookUpZones, .zoneListChanges, .databaseChanges, .zoneChanges,
            .recordChanges, .queryRecords, .lookUpRecords, .listSubscriptions,
            .lookUpSubscriptions, .currentUser, .caller:
            false
        }
    }
}

extension WireOperation {
    /// The operation that `command` is sent as.
    package init(_ command: CloudCommand) {
        switch command {
        case .read(.listZones): self = .listZones
        case .read(.lookUpZones): self = .lookUpZones
        case .write(.modifyZones): self = .modifyZones
        case .read(.zoneListChanges): self = .zoneListChanges
        case .read(.databaseChanges): self = .databaseChanges
        case .read(.zoneChanges): self = .zoneChanges
        case .read(.queryRecords): self = .queryRecords
        case .read(.lookUpRecords): self = .lookUpRecords
        case .write(.modifyRecords): self = .modifyRecords
        case .read(.listSubscriptions): self = .listSubscriptions
        case .read(.lookUpSubscriptions): self = .lookUpSubscriptions
        case .write(.modifySubscriptions): self = .modifySubscriptions
        case .read(.currentUser): self = .currentUser
        case .read(.caller): self = .caller
        case .write(.restrict): self = .restrict
        case .write(.unrestrict): self = .unrestrict
        }
    }
}
