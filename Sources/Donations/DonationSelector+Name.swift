extension DonationSelector {
    /// What kind of selector this is: nothing of the user's.
    package var caseName: String {
        switch self {
        case .interactions: "interactions"
        case .interactionGroup: "interactionGroup"
        case .allInteractions: "allInteractions"
        case .activities: "activities"
        case .allActivities: "allActivities"
        case .searchableItems: "searchableItems"
        case .searchableDomains: "searchableDomains"
        case .allSearchableItems: "allSearchableItems"
        case .appIntents: "appIntents"
        case .appIntentsAbout: "appIntentsAbout"
        case .appIntentType: "appIntentType"
        case .appEntities: "appEntities"
        case .activityType: "activityType"
        case .intentClass: "intentClass"
        case .donated: "donated"
        case .linked: "linked"
        case .expired: "expired"
        case .list: "list"
        case .everything: "everything"
        }
    }
}
