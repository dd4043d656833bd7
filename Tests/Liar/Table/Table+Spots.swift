extension Table {
    /// Where data are listed.
    static let listings: [Spot] = [
        .private(.listZones), .private(.databaseChanges), .private(.zoneChanges), .recordChanges,
        .private(.queryRecords), .public(.queryRecords), .private(.listSubscriptions),
        .public(.listSubscriptions),
    ]

    /// Where things are asked for by name.
    static let lookUps: [Spot] = [
        .private(.lookUpZones), .private(.lookUpRecords), .public(.lookUpRecords),
    ]

    /// Where a listing comes in pages.
    static let paged: [Spot] = [
        .private(.listZones), .private(.databaseChanges), .recordChanges,
        .private(.queryRecords), .public(.queryRecords),
    ]

    /// Where records are shown.
    static let records: [Spot] = [
        .recordChanges, .private(.queryRecords), .public(.queryRecords),
        .private(.lookUpRecords), .public(.lookUpRecords),
    ]

    /// Everything that is asked without changing anything.
    static let reading: [Spot] =
        listings + lookUps + [.private(.caller), .shared(.listZones), .shared(.databaseChanges)]

    /// Everything that changes something.
    static let modifying: [Spot] = [
        .private(.modifyZones), .private(.modifyRecords), .public(.modifyRecords),
        .private(.modifySubscriptions), .public(.modifySubscriptions),
    ]

    /// What deletes, and where one would see that it did not.
    static let concealments: [(modifying: Spot, listing: Spot)] = [
        (.private(.modifyZones), .private(.listZones)),
        (.private(.modifyZones), .private(.databaseChanges)),
        (.private(.modifyZones), .private(.zoneChanges)),
        (.private(.modifyRecords), .private(.queryRecords)),
        (.private(.modifyRecords), .private(.lookUpRecords)),
        (.private(.modifyRecords), .recordChanges),
        (.public(.modifyRecords), .public(.queryRecords)),
        (.public(.modifyRecords), .public(.lookUpRecords)),
        (.private(.modifySubscriptions), .private(.listSubscriptions)),
        (.public(.modifySubscriptions), .public(.listSubscriptions)),
    ]
}
