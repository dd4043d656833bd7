extension WireOperation {
    /// Where it is asked for, with names in braces for what differs.
    package var pathTemplate: String {
        isOfDevices
            ? "/device/1/{container}/{environment}/\(rawValue)"
            : "/database/1/{container}/{environment}/{database}/\(rawValue)"
    }

    /// What it does, in a sentence.
    package var about: String {
        switch self {
        case .listZones: "lists the zones of a database"
        case .lookUpZones: "looks zones up by name"
        case .modifyZones: "creates and deletes zones"
        case .zoneListChanges: "lists the zones that changed since a token"
        case .databaseChanges: "lists the zones with changes since a token"
        case .zoneChanges: "lists the records of zones that changed since a token for each"
        case .recordChanges: "lists the records of one zone that changed since a token"
        case .queryRecords: "finds records by type, filters and sorts"
        case .queryBatch: "runs several queries"
        case .lookUpRecords: "looks records up by name"
        case .modifyRecords: "creates, changes and deletes records"
        case .resolveShares: "shows what shares contain, by their short GUIDs"
        case .acceptShares: "accepts shares, by their short GUIDs"
        case .listSubscriptions: "lists the subscriptions of a database"
        case .lookUpSubscriptions: "looks subscriptions up by their IDs"
        case .modifySubscriptions: "creates, changes and deletes subscriptions"
        case .uploadAssets: "returns addresses for uploading assets"
        case .rereferenceAssets: "lets other records use existing assets"
        case .currentUser: "shows the calling user"
        case .caller: "shows the calling user, with names and addresses"
        case .discoverUsers: "finds users who can be found, by addresses or record names"
        case .lookUpUsersByEmail: "finds users by email addresses"
        case .lookUpUsersByID: "finds users by record names"
        case .lookUpContacts: "finds users among the caller's contacts"
        case .createToken: "creates a push token, with an address to wait for pushes"
        case .registerToken: "registers the push token of a device"
        case .restrict: "restricts access to the user's data in the container"
        case .unrestrict: "ends the restriction of users/restrict"
        }
    }
}
