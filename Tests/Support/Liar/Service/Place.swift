extension Population {
    /// Where a person can have data.
    package enum Place: String, Sendable, CaseIterable {
        case zones
        case defaultZone = "the default zone"
        case publicRecords = "public records"
        case subscriptions
        case sharedZones = "zones of others"

        package static let all = Set(allCases)

        /// Where it is listed.
        var listings: [Spot] {
            switch self {
            case .zones: [.private(.listZones), .private(.databaseChanges)]
            case .defaultZone: [.private(.queryRecords)]
            case .publicRecords: [.public(.queryRecords)]
            case .sharedZones: [.shared(.listZones), .shared(.databaseChanges)]
            case .subscriptions: [.private(.listSubscriptions), .public(.listSubscriptions)]
            }
        }
    }
}
