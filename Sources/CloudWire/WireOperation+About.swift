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
        case .queryBatch: "carries out several queries"
        case .lookUpRecords: "looks records up by name"
        case .modifyRecords: "creates, changes and deletes records"
        case .resolveShares: "shows what shares are about, by their short GUIDs"
        case .acceptShares: "accepts shares, by their short GUIDs"
        case .listSubscriptions: "lists the subscriptions of a database"
        case .lookUpSubscriptions: "looks subscriptions up by their IDs"
        case .modifySubscriptions: "creates, changes and deletes subscriptions"
        case .uploadAssets: "gives addresses that assets can be sent to"
        case .rereferenceAssets: "lets other records have assets that are there"
        case .currentUser: "shows the user who asks"
        case .caller: "shows the user who asks, with names and addresses"
        case .discoverUsers: "finds users who can be found, by addresses or record names"
        case .lookUpUsersByEmail: "finds users by email addresses"
        case .lookUpUsersByID: "finds users by record names"
        case .lookUpContacts: "finds users among the contacts of who asks"
        case .createToken: "makes a push token, with an address to wait for pushes at"
        case .registerToken: "registers the push token of a device"
        case .restrict: "restricts access to what the user has in the container"
        case .unrestrict: "takes the restriction of users/restrict back"
        }
    }
}
