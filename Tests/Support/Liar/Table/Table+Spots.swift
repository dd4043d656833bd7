extension Table {
    /// Where something is still listed when all is deleted, because it is kept.
    static let keptListings: [Spot] = [
        .private(.listZones), .private(.databaseChanges), .private(.zoneChanges), .recordChanges,
        .private(.queryRecords), .public(.queryRecords),
    ]

    /// Where nothing is listed when all is deleted.
    static let subscriptions: [Spot] = [
        .private(.listSubscriptions), .public(.listSubscriptions),
    ]

    /// Where one thing is listed, of each container.
    static let singles: Set<Spot> = [.shared(.listZones), .shared(.databaseChanges)]

    /// Where data are listed.
    static let listings: [Spot] = keptListings + subscriptions

    /// Where things are asked for by name.
    static let lookUps: [Spot] = [
        .private(.lookUpZones), .private(.lookUpRecords), .public(.lookUpRecords),
    ]

    /// Where changes come in pages, each of which says whether there are more.
    static let feeds: [Spot] = [
        .private(.listZones), .private(.databaseChanges), .recordChanges,
    ]

    /// Where what was asked for comes in pages.
    static let queries: [Spot] = [.private(.queryRecords), .public(.queryRecords)]

    /// Where a listing comes in pages.
    static let paged: [Spot] = feeds + queries

    /// Where records are shown.
    static let records: [Spot] = [
        .recordChanges, .private(.queryRecords), .public(.queryRecords),
        .private(.lookUpRecords), .public(.lookUpRecords),
    ]

    /// Everything that is asked without changing anything.
    package static let reading: [Spot] =
        listings + lookUps + [
            .private(.caller), .shared(.listZones), .shared(.databaseChanges),
            .shared(.zoneChanges),
        ]

    /// Everything that changes something.
    package static let modifying: [Spot] = [
        .private(.modifyZones), .private(.modifyRecords), .public(.modifyRecords),
        .private(.modifySubscriptions), .public(.modifySubscriptions), .shared(.modifyRecords),
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
        (.shared(.modifyRecords), .shared(.listZones)),
        (.shared(.modifyRecords), .shared(.databaseChanges)),
        (.private(.modifySubscriptions), .private(.listSubscriptions)),
        (.public(.modifySubscriptions), .public(.listSubscriptions)),
    ]
}
